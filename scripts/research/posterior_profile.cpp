// SPDX-License-Identifier: Apache-2.0
// Runs posterior_group as a CUDA kernel, since NVIDIA's profiler reads counters of CUDA kernels and
// not of OpenCL ones. The kernel comes as PTX: scripts/research/posterior_ptx.sh makes it of
// kernels/posteriors/posterior_group.cl, with the lines of the source; or as a cubin, which ptxas
// makes of it with a limit on registers. (What NVIDIA's OpenCL makes does not run as CUDA.) The
// pairs are those of `accord_bench` with as many sequences. Prints the time, the cells of the
// dynamic programming a second, and a checksum of the cells that were found, which is the same for
// kernels that compute the same bits. --check compares them with the host's.
//   ninja -C build accord_posterior_profile
//   scripts/research/posterior_ptx.sh kernels 8 > 8.ptx
//   build/tests/accord_posterior_profile 8.ptx 8 200 300
//   ncu --clock-control none --launch-skip 1 --set full --import-source yes -o report
//     build/tests/accord_posterior_profile 8.ptx 8 200 300 1
#include <cuda.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "base/text_hash.hpp"
#include "bench/bench.hpp"
#include "engine/host/host_backend.hpp"
#include "stages/posteriors/posterior_launch.hpp"
#include "stages/posteriors/posterior_plan.hpp"
#include "stages/posteriors/posterior_request.hpp"
#include "stages/posteriors/team_plan.hpp"

namespace {

using namespace accord;
using namespace accord::ocl;

void check(CUresult result, const char* attempt) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s: %s\n", attempt, text ? text : "unknown error");
  std::exit(1);
}

CUdeviceptr room(std::size_t bytes) {
  CUdeviceptr at = 0;
  check(cuMemAlloc(&at, std::max<std::size_t>(bytes, 4)), "taking device memory");
  return at;
}

template <class Values>
CUdeviceptr send(const Values& values) {
  const std::size_t bytes = std::size(values) * sizeof *std::data(values);
  const CUdeviceptr at = room(bytes);
  check(cuMemcpyHtoD(at, std::data(values), bytes), "sending");
  return at;
}

/// What the kernel found, in one order.
struct Found {
  std::vector<std::vector<accord_found_cell>> of_task;
  std::uint64_t checksum = 0;
  std::size_t cells = 0, overflows = 0;
};

Found read_found(const PosteriorLaunch& launch, CUdeviceptr counts, CUdeviceptr cells) {
  std::vector<std::uint32_t> number(launch.pairs);
  check(cuMemcpyDtoH(number.data(), counts, number.size() * 4), "reading numbers of cells");
  std::vector<accord_found_cell> all(launch.cells);
  check(cuMemcpyDtoH(all.data(), cells, all.size() * sizeof all[0]), "reading cells");
  Found found;
  std::string bytes;
  for (const accord_pair_task& task : launch.tasks) {
    const std::uint32_t count = number[task.found];
    if (count > task.capacity) ++found.overflows;
    auto* from = all.data() + task.cells;
    auto& pair_cells = found.of_task.emplace_back(from, from + (count > task.capacity ? 0 : count));
    std::sort(pair_cells.begin(), pair_cells.end(), [](const auto& a, const auto& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    found.cells += pair_cells.size();
    bytes.append(reinterpret_cast<const char*>(pair_cells.data()),
                 pair_cells.size() * sizeof pair_cells[0]);
  }
  found.checksum = hash64(bytes);
  return found;
}

/// The largest difference from the host's probabilities, which are rounded to units of 2^-16; exits
/// if the host has other cells.
double difference_from_host(const PosteriorFamily& family, const PosteriorLaunch& launch,
                            const Found& found) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const std::vector<accord_found_cell>*> of_pair;
  for (std::size_t k = 0; k < launch.jobs.size(); ++k) {
    of_pair[{launch.jobs[k].task.first_x, launch.jobs[k].task.y}] = &found.of_task[k];
  }
  const accord_model& model = family.model.tables;
  double most = 0;
  HostBackend host;
  const PosteriorSink compare = [&](std::uint32_t x, std::uint32_t y, const PairPosterior& pair) {
    const auto& pair_cells = *of_pair.at({x, y});
    std::size_t k = 0;
    bool same = true;
    for (std::uint32_t row = 0; row < pair.matrix.rows(); ++row) {
      pair.matrix.for_each_in_row(row, [&](std::uint32_t column, std::uint32_t units) {
        same = same && k < pair_cells.size() && pair_cells[k].row == row &&
               pair_cells[k].column == column;
        if (!same) return;
        const double p = pair_cells[k].posterior[0], q = pair_cells[k].posterior[1],
                     r = model.square_share;
        const double h = model.hmm_share, g = model.partition_share;
        const double value = (1 - r) * (h * p + g * q) + r * std::sqrt(h * p * p + g * q * q);
        most = std::max(most, std::abs(value - double(units) / ACCORD_UNITS_OF_ONE));
        ++k;
      });
    }
    if (same && k == pair_cells.size()) return;
    std::fprintf(stderr, "pair %u, %u: the host has other cells\n", x, y);
    std::exit(1);
  };
  Scheduler scheduler(host);
  request_posteriors(family, PairSet::all(family.set.size()), scheduler, compare);
  return most;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) {
    std::fprintf(stderr, "usage: %s PTX TEAM SEQUENCES LENGTH [REPEATS [--check]]\n", arguments[0]);
    return 2;
  }
  std::ifstream file(arguments[1]);
  const std::string ptx{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto team = static_cast<std::uint32_t>(std::atoi(arguments[2]));
  BenchSizes sizes;
  sizes.sequences = std::atoi(arguments[3]);
  sizes.length = std::atoi(arguments[4]);
  const int repeats = count > 5 ? std::atoi(arguments[5]) : 5;

  check(cuInit(0), "starting the driver");
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  check(cuDeviceGet(&device, 0), "opening the device");
  check(cuDevicePrimaryCtxRetain(&context, device), "opening the device");
  check(cuCtxSetCurrent(context), "opening the device");
  check(cuModuleLoadData(&module, ptx.c_str()), "compiling the PTX");
  check(cuModuleGetFunction(&kernel, module, "posterior_group"), "finding posterior_group");
  int units = 0, registers = 0, local = 0, spills = 0, resident = 0;
  const std::uint32_t group = group_of(team), teams = group / team;
  cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100);
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel);
  cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel);
  cuFuncGetAttribute(&spills, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel);
  cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(group), 0);

  const SequenceSet set = random_family(sizes);
  PosteriorModel without_calibration =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
  without_calibration.calibration = {};
  const PosteriorFamily family(set, without_calibration);
  const CodedSequences& codes = family.sequences();
  TaskLimits task_limits;
  task_limits.task_bytes = std::size_t{64} << 20;
  std::deque<PosteriorJob> jobs;
  double work = 0;
  const auto lengths = codes.lengths();
  std::vector<PairTask> tasks = plan_pair_tasks(lengths, plan_pair_blocks(lengths), task_limits);
  std::stable_sort(tasks.begin(), tasks.end(), [](const PairTask& a, const PairTask& b) {
    return a.work_bytes > b.work_bytes;
  });
  for (const PairTask& task : tasks) {
    jobs.push_back(first_job(codes, task, SIZE_MAX));
    work += double(codes.length(task.first_x)) * codes.length(task.y);
  }
  LaunchLimits limits;
  limits.workspace_bytes = limits.cells = SIZE_MAX;
  limits.work = 1e300;
  limits.slots = static_cast<std::size_t>(units * resident) * teams;
  limits.teams = teams;
  const PosteriorLaunch launch = take_launch(codes, jobs, 1, limits);
  const auto groups = static_cast<std::uint32_t>((launch.slots + teams - 1) / teams);

  std::vector<accord_sequence> sequences;
  for (std::uint32_t k = 0; k < codes.size(); ++k) {
    sequences.push_back({codes.first_code()[k], codes.length(k), 0});
  }
  CUdeviceptr model = send(std::span(&family.model.tables, 1)), letters = send(codes.all_codes()),
              where = send(sequences), of_tasks = send(launch.tasks),
              memory = room(launch.workspace_bytes),
              cells = room(launch.cells * sizeof(accord_found_cell)),
              counts = room(launch.pairs * 4), next = room(4);
  auto task_count = static_cast<std::uint32_t>(launch.tasks.size());
  void* values[] = {&model,  &letters, &where,  &of_tasks, &task_count,
                    &memory, &cells,   &counts, &next};
  CUevent begin = nullptr, end = nullptr;
  cuEventCreate(&begin, CU_EVENT_DEFAULT);
  cuEventCreate(&end, CU_EVENT_DEFAULT);
  std::vector<float> times;
  for (int run = 0; run <= repeats; ++run) {
    const std::uint32_t first = groups * teams;
    check(cuMemsetD32(memory, 0x7fc00000, launch.workspace_bytes / 4), "filling the workspace");
    check(cuMemcpyHtoD(next, &first, 4), "sending");
    cuEventRecord(begin, nullptr);
    check(cuLaunchKernel(kernel, groups, 1, 1, group, 1, 1, 0, nullptr, values, nullptr),
          "launching");
    cuEventRecord(end, nullptr);
    check(cuCtxSynchronize(), "computing");
    float milliseconds = 0;
    cuEventElapsedTime(&milliseconds, begin, end);
    if (run > 0) times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  const double seconds = times.empty() ? 0 : times[times.size() / 2] / 1e3;
  const Found found = read_found(launch, counts, cells);
  std::printf(
      "%s team %u, %d x %d: %.2f ms, %.3g cells/s; %d registers, %d local, %d spilled, "
      "%d groups a unit; %zu cells, %zu overflows, checksum %016llx\n",
      arguments[1], team, sizes.sequences, sizes.length, seconds * 1e3,
      seconds > 0 ? work / seconds : 0, registers, local, spills, resident, found.cells,
      found.overflows, static_cast<unsigned long long>(found.checksum));
  if (count > 6) {
    std::printf("largest difference from the host: %g\n",
                difference_from_host(family, launch, found));
  }
  return 0;
}
