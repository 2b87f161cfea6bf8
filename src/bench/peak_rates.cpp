// SPDX-License-Identifier: Apache-2.0
#include "bench/peak_rates.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <type_traits>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "shared/layout.h"

namespace accord {

double rounds_per_second(const std::function<double(std::uint32_t rounds)>& seconds_of) {
  constexpr double kLongEnough = 0.02, kClearlyLonger = 1.6;
  constexpr std::uint32_t kMostRounds = 1u << 26;
  std::uint32_t rounds = 16;
  double before = 1e300;
  while (true) {
    const double seconds = seconds_of(rounds);
    const bool is_work = seconds >= kLongEnough && seconds >= kClearlyLonger * before;
    if (is_work || rounds >= kMostRounds) return rounds / seconds;
    before = seconds;
    rounds *= 2;
  }
}

}  // namespace accord

namespace accord::host {
namespace {

/// Bytes a second that all threads together read and write when each copies a part.
double copy_rate() {
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::size_t part = kPeakCopyBytes / threads;
  const auto free_bytes = [](char* bytes) { std::free(bytes); };
  const std::unique_ptr<char, decltype(free_bytes)> memory(
      static_cast<char*>(std::malloc(2 * part * threads)), free_bytes);
  if (!memory) {
    throw Error(ErrorKind::out_of_memory, "no memory to measure the speed of memory with", "");
  }
  // Touched first by the thread that will copy it, so that each has memory of its own node.
  const auto each = [&](const auto& body) {
    parallel_for(threads, [&](std::size_t k, int) {
      char* const from = memory.get() + 2 * part * k;
      body(from, from + part);
    });
  };
  each([&](char* from, char* to) {
    std::memset(from, 1, part);
    std::memset(to, 0, part);
  });
  const double seconds = fastest(
      kPeakRepeats, [&] { each([&](char* from, char* to) { std::memcpy(to, from, part); }); });
  return 2.0 * static_cast<double>(part * threads) / seconds;
}

/// Fused multiply-adds a second of all threads together.
double arithmetic_rate(const Kernels& kernels) {
  const auto threads = static_cast<std::size_t>(thread_count());
  const double rounds = rounds_per_second([&](std::uint32_t count) {
    return fastest(kPeakRepeats, [&] {
      parallel_for(threads, [&](std::size_t, int) {
        FmaChains chains;
        chains.rounds = count;
        for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) {
          chains.start[lane] = static_cast<float>(lane);
        }
        kernels.run_fma_chains(chains);
      });
    });
  });
  return static_cast<double>(threads) * kernels.lanes * ACCORD_CHAIN_FMAS * rounds;
}

}  // namespace

PeakRates measure_peak_rates(const Kernels& kernels) {
  PeakRates peaks;
  peaks.copy_bytes = copy_rate();
  peaks.arithmetic = arithmetic_rate(kernels);
  peaks.of_doubles = peaks.arithmetic / 2;  // a vector holds half as many
  return peaks;
}

}  // namespace accord::host

namespace accord::ocl {
namespace {

/// Work-items of a group, and groups for each compute unit: as many as a GPU keeps in flight.
constexpr std::uint32_t kGpuGroup = 256, kGpuGroupsPerUnit = 8;

/// On processors an item has a whole vector, and a group is one thread.
constexpr std::uint32_t kCpuGroup = 1, kCpuGroupsPerUnit = 4;

/// Bytes of a transfer that is measured.
constexpr std::size_t kTransferBytes = std::size_t{64} << 20;

using CopyKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint>;
template <class T>
using FmaKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, T, T, cl_uint>;

bool is_processor(const DeviceInfo& device) { return device.kind == DeviceKind::cpu; }

std::uint32_t group_of(const DeviceInfo& device) {
  return is_processor(device) ? kCpuGroup : kGpuGroup;
}

std::uint32_t lanes_of(const DeviceInfo& device) {
  if (!is_processor(device)) return 1;
  return device.float_lanes >= 16 ? 16 : 8;
}

/// The copy kernel, ready to run on `copies` times the values.
struct Copy {
  Copy(const Session& session, std::span<const std::uint32_t> values, std::size_t copies)
      : queue(session.queue),
        bytes(values.size_bytes() * copies),
        kernel(build_kernel(session, peak_kernels(session.info)[0])),
        from(allocate(session, bytes)),
        to(allocate(session, bytes)) {
    for (std::size_t k = 0; k < copies; ++k) {
      queue.enqueueWriteBuffer(from, CL_TRUE, k * values.size_bytes(), values.size_bytes(),
                               values.data());
    }
  }

  void run() {
    const std::size_t count = bytes / sizeof(cl_uint4);
    const std::size_t items = (count + kGpuGroup - 1) / kGpuGroup * kGpuGroup;
    kernel(cl::EnqueueArgs(queue, items, kGpuGroup), from, to, static_cast<cl_uint>(count));
    queue.finish();
  }

  cl::CommandQueue queue;
  std::size_t bytes;
  CopyKernel kernel;
  cl::Buffer from, to;
};

/// Bytes a second that the copy kernel reads and writes.
double copy_rate(const Session& session) {
  const std::uint64_t most = std::min(session.info.largest_buffer, session.info.budget() / 8);
  const std::vector<std::uint32_t> block(std::size_t{1} << 18, 1);  // 1 MiB
  const std::uint64_t blocks = std::min<std::uint64_t>(kPeakCopyBytes, most) >> 20;
  Copy copy(session, block, static_cast<std::size_t>(std::max<std::uint64_t>(1, blocks)));
  const double seconds = fastest(kPeakRepeats, [&] { copy.run(); });
  return 2.0 * static_cast<double>(copy.bytes) / seconds;
}

/// The arithmetic kernel of floats or of doubles, ready to run.
template <class T>
struct Chains {
  Chains(const Session& session, std::span<const T> start, std::size_t work_items)
      : queue(session.queue),
        items(work_items),
        group(group_of(session.info)),
        kernel(build_kernel(session, peak_kernels(session.info)[std::is_same_v<T, float> ? 1 : 2])),
        start_values(upload(session, start)),
        sums(allocate(session, items * start.size_bytes())) {}

  void run(std::uint32_t rounds) {
    kernel(cl::EnqueueArgs(queue, items, group), start_values, sums, ACCORD_CHAIN_FACTOR,
           ACCORD_CHAIN_ADDEND, rounds);
    queue.finish();
  }

  cl::CommandQueue queue;
  std::size_t items, group;
  FmaKernel<T> kernel;
  cl::Buffer start_values, sums;
};

/// Fused multiply-adds a second of the whole device.
template <class T>
double arithmetic_rate(const Session& session, std::uint32_t lanes) {
  const DeviceInfo& info = session.info;
  std::vector<T> start(lanes);
  std::iota(start.begin(), start.end(), T(0));
  const std::size_t groups = std::size_t{std::max(1u, info.compute_units)} *
                             (is_processor(info) ? kCpuGroupsPerUnit : kGpuGroupsPerUnit);
  Chains<T> chains(session, std::span<const T>(start), groups * group_of(info));
  const double rounds = rounds_per_second(
      [&](std::uint32_t count) { return fastest(kPeakRepeats, [&] { chains.run(count); }); });
  return static_cast<double>(chains.items * start.size()) * ACCORD_CHAIN_FMAS * rounds;
}

/// Enters the bytes per second to and from the device.
void measure_transfers(const Session& session, PeakRates& peaks) {
  const std::size_t bytes = std::min<std::size_t>(kTransferBytes, session.info.budget() / 8);
  const cl::Buffer buffer = allocate(session, bytes);
  StagingBuffer staging;
  void* const data = staging.reserve(session, bytes);
  const auto rate = [&](const auto& body) {
    return static_cast<double>(bytes) / fastest(kPeakRepeats, body);
  };
  peaks.upload_bytes =
      rate([&] { session.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, data); });
  peaks.download_bytes =
      rate([&] { session.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, data); });
}

}  // namespace

std::vector<KernelChoice> peak_kernels(const DeviceInfo& device) {
  const std::string lanes = "-D ACCORD_LANES=" + std::to_string(lanes_of(device));
  return {{"shared/peak.cl", "peak_copy", lanes, kGpuGroup},
          {"shared/peak.cl", "peak_fma", lanes, group_of(device)},
          {"shared/peak_doubles.cl", "peak_fma_of_doubles", "", group_of(device)}};
}

PeakRates measure_peak_rates(const DeviceInfo& device, const OpenClSettings& settings) {
  const Session session(device, settings);
  return checked(format_device(session.info) + ": measuring what it does at most", [&] {
    PeakRates peaks;
    peaks.copy_bytes = copy_rate(session);
    peaks.arithmetic = arithmetic_rate<float>(session, lanes_of(session.info));
    if (is_processor(device)) {
      peaks.of_doubles = peaks.arithmetic / 2;  // a vector holds half as many
    } else if (device.has_double) {
      peaks.of_doubles = arithmetic_rate<double>(session, 1);
    }
    measure_transfers(session, peaks);
    return peaks;
  });
}

std::vector<std::uint32_t> run_copy(const Session& session, std::span<const std::uint32_t> values) {
  Copy copy(session, values, 1);
  copy.run();
  std::vector<std::uint32_t> copied(values.size());
  session.queue.enqueueReadBuffer(copy.to, CL_TRUE, 0, copy.bytes, copied.data());
  return copied;
}

template <class T>
std::vector<T> run_fma_chains(const Session& session, std::span<const T> start,
                              std::uint32_t rounds, std::size_t items) {
  Chains<T> chains(session, start, items);
  chains.run(rounds);
  std::vector<T> sums(items * start.size());
  session.queue.enqueueReadBuffer(chains.sums, CL_TRUE, 0, sums.size() * sizeof(T), sums.data());
  return sums;
}
template std::vector<float> run_fma_chains(const Session& session, std::span<const float> start,
                                           std::uint32_t rounds, std::size_t items);
template std::vector<double> run_fma_chains(const Session& session, std::span<const double> start,
                                            std::uint32_t rounds, std::size_t items);

}  // namespace accord::ocl
