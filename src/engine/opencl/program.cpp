// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/program.hpp"

#include <array>
#include <chrono>
#include <future>
#include <map>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "base/timer.hpp"
#include "engine/opencl/command_times.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/kernel_compiler.hpp"
#include "engine/opencl/kernel_source.hpp"

namespace accord::ocl {
namespace {

/// The most local memory and work-items of a work-group that a kernel may use. Every device of the
/// full profile has this local memory, and AMD's drivers allow this number of work-items.
constexpr cl_ulong kMostLocalMemory = 32 << 10;
constexpr std::size_t kMostGroup = 256;

/// A program to be compiled; owns all that it needs, as it may outlive the session's stages.
struct BuildJob {
  DeviceInfo info;
  cl::Device device;
  cl::Context context;
  KernelChoice choice;
  std::string kernel_directory;
  bool compiles_apart;
  std::string options;
  std::string source;

  std::string attempt() const { return format_device(info) + ": compiling kernels/" + choice.file; }
  std::string key() const { return "program\n" + info.identity() + options + "\n" + source; }
};

/// False for a driver that crashes when one thread compiles while another computes.
bool may_build_aside(const DeviceInfo& device) { return device.platform != "Oclgrind"; }

BuildJob job_of(const Session& session, const KernelChoice& choice) {
  return {session.info,
          session.device,
          session.context,
          choice,
          session.settings.kernel_directory,
          session.settings.compiles_apart && may_build_aside(session.info),
          "-cl-std=CL1.2 " + choice.defines,
          expanded_source(choice.file, session.settings.kernel_directory)};
}

/// The program as the driver has compiled it; empty if the driver does not give it.
std::string binary_of(const cl::Program& program) {
  std::size_t size = 0;
  const bool has_size = clGetProgramInfo(program(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size,
                                         nullptr) == CL_SUCCESS;
  std::string binary(has_size ? size : 0, '\0');
  char* bytes = binary.data();
  const bool is_read =
      clGetProgramInfo(program(), CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) == CL_SUCCESS;
  return is_read ? binary : std::string();
}

cl_int build(const cl::Program& program, const BuildJob& job) {
  // Not program.build(): it asks for messages even if all is well, and fails if there are none.
  const cl_device_id device = job.device();
  return clBuildProgram(program(), 1, &device, job.options.c_str(), nullptr, nullptr);
}

/// A program from its cached form; an empty handle if the driver refuses that form.
cl::Program build_from_binary(const BuildJob& job, const std::string& binary) {
  const cl_device_id device = job.device();
  const std::size_t size = binary.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  cl_int status = CL_SUCCESS;
  cl::Program program(
      clCreateProgramWithBinary(job.context(), 1, &device, &size, &bytes, nullptr, &status));
  if (status == CL_SUCCESS) status = build(program, job);
  if (status == CL_SUCCESS) return program;
  log_verbose("cache        " + job.choice.file +
              " is compiled again: the driver refused the cached form (" + format_status(status) +
              ")");
  return {};
}

std::string build_messages(const cl::Program& program, const BuildJob& job) {
  constexpr std::size_t kMost = 4000;
  try {
    const std::string messages =
        program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(job.device).substr(0, kMost);
    return "\n" + with_kernel_places(messages, job.source);
  } catch (const cl::Error&) {
    return {};  // the error then has the status alone
  }
}

cl::Program build_from_source(const BuildJob& job) {
  cl::Program program(job.context, job.source);
  const cl_int status = build(program, job);
  if (status == CL_SUCCESS) return program;
  throw Error(
      ErrorKind::device_failed,
      job.attempt() + " failed (" + format_status(status) + ")" + build_messages(program, job),
      "this is a bug in accord or in the driver; {device=none} needs no device");
}

void say_that_it_compiles(const BuildJob& job) {
  static std::once_flag once;
  std::call_once(once, [&] {
    log_notice("compiling kernels for " + format_device(job.info) + ", the first time only");
  });
}

/// Whether the compiler of a device is known to be safe, and faster, in several threads.
bool builds_side_by_side(const DeviceInfo& device) { return device.platform == "NVIDIA CUDA"; }

/// The program from the disk cache; an empty handle if the cache does not have it.
cl::Program cached_program(const BuildJob& job) {
  const auto binary = read_cache(job.key());
  return binary ? build_from_binary(job, *binary) : cl::Program();
}

/// Compiles a program, or takes it from the cache; this process compiles one program at a time,
/// unless the compiler builds side by side. (Of several devices of one kind, which are opened one
/// after the other, the second finds the programs of the first in the cache.)
cl::Program build_program(const BuildJob& job) {
  static std::mutex one_at_a_time;
  std::unique_lock lock(one_at_a_time, std::defer_lock);
  const auto enter = [&] {
    if (!builds_side_by_side(job.info)) lock.lock();
  };
  enter();
  const Timer timer;
  TimelineSpan span(SpanKind::step, "compile " + job.choice.file);
  const auto log = [&](const char* how) {
    span.add("how", how);
    log_verbose(
        formatted("kernels      %9.3f s  %s, %s", timer.seconds(), job.choice.file.c_str(), how));
  };
  return checked(job.attempt(), [&] {
    if (cl::Program program = cached_program(job); program()) {
      log("from the cache");
      return program;
    }
    say_that_it_compiles(job);
    if (job.compiles_apart && !cache_directory().empty()) {
      if (lock) lock.unlock();  // other programs are compiled meanwhile
      const bool is_compiled = compile_apart(job.info, job.choice, job.kernel_directory);
      enter();
      if (is_compiled) {
        if (cl::Program program = cached_program(job); program()) {
          log("compiled by another process");
          return program;
        }
      }
    }
    cl::Program program = build_from_source(job);
    const std::string binary = binary_of(program);
    if (!binary.empty()) write_cache(job.key(), binary);
    log("compiled");
    return program;
  });
}

/// Refuses a kernel that the device cannot run in work-groups of `group` items.
void check_limits(const cl::Kernel& kernel, const BuildJob& job, std::size_t group) {
  const auto most = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(job.device);
  const auto local = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(job.device);
  const cl_ulong most_local = std::min(kMostLocalMemory, cl_ulong{job.info.local_memory});
  if (group <= std::min(most, kMostGroup) && local <= most_local) return;
  throw Error(ErrorKind::device_failed,
              job.attempt() + ": it needs work-groups of " + std::to_string(group) + " and " +
                  counted(local, "byte") + " of local memory, the device gives " +
                  std::to_string(most) + " and " + std::to_string(most_local),
              "{device=none} computes the same alignment without the device");
}

/// Takes bytes from an account, and gives them back when it is destroyed.
class Occupied {
 public:
  Occupied(std::shared_ptr<MemoryAccount> account, std::uint64_t bytes)
      : account_(std::move(account)), bytes_(bytes) {
    if (account_->take(bytes_)) return;
    throw Error(ErrorKind::out_of_memory,
                "a buffer of " + counted(bytes, "byte") +
                    " does not fit the device: " + std::to_string(account_->used()) + " of " +
                    counted(account_->budget(), "byte") + " are in use",
                "see {device-memory}; {device=none} computes the same alignment without it");
  }
  ~Occupied() { account_->give_back(bytes_); }
  Occupied(const Occupied&) = delete;
  Occupied& operator=(const Occupied&) = delete;

 private:
  std::shared_ptr<MemoryAccount> account_;
  std::uint64_t bytes_;
};

void CL_CALLBACK delete_occupied(cl_mem, void* occupied) {
  delete static_cast<Occupied*>(occupied);
}

// The bytes that a buffer gets beyond the `bytes` that it must hold, so that it seldom grows:
// before drivers free memory that a device has used, they wait for all commands of the device. Half
// as much again, but no more than can be pinned quickly.
std::uint64_t half_more(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{64} << 10, kMost = std::uint64_t{8} << 20;
  return std::clamp(bytes / 2, kLeast, kMost);
}

}  // namespace

/// The programs of a session: those that are ready, and those that are being compiled.
class ProgramBuilds {
 public:
  /// The program, which may still be compiled on another thread.
  std::shared_future<cl::Program> start(const BuildJob& job) {
    const std::lock_guard lock(mutex_);
    std::shared_future<cl::Program>& build = of_key_[job.key()];
    if (!build.valid()) {
      // Compiling is deferred if the system gives no thread.
      const std::launch how = may_build_aside(job.info) ? std::launch::async | std::launch::deferred
                                                        : std::launch::deferred;
      build = std::async(how, [job] { return build_program(job); }).share();
    }
    return build;
  }

  /// Waits for the program. After an error the next start() compiles again.
  cl::Program finish(const BuildJob& job) {
    const std::shared_future<cl::Program> build = start(job);
    try {
      return build.get();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      of_key_.erase(job.key());
      throw;
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<cl::Program>> of_key_;
};

Session::Session(const DeviceInfo& chosen, OpenClSettings chosen_settings)
    : info(chosen),
      settings(std::move(chosen_settings)),
      builds(std::make_shared<ProgramBuilds>()) {
  limit_memory(info, settings);
  memory = std::make_shared<MemoryAccount>(info.budget());
  checked(format_device(info) + ": opening the device", [&] {
    device = cl::Device(info.id, true);
    context = cl::Context(device);
    queue = cl::CommandQueue(context, device, queue_properties());
    time_commands_of(queue, info);
  });
}

Session part_of(const Session& session, std::uint32_t parts) {
  return checked(format_device(session.info) + ": opening a queue", [&] {
    Session part = session;
    part.info.memory_limit =
        std::max<std::uint64_t>(1, session.info.budget() / std::max(1u, parts));
    part.queue = cl::CommandQueue(session.context, session.device, queue_properties());
    time_commands_of(part.queue, part.info);
    return part;
  });
}

bool MemoryAccount::take(std::uint64_t bytes) {
  constexpr std::chrono::milliseconds kLongestWait(200);
  std::unique_lock lock(mutex_);
  const auto fits = [&] { return bytes <= budget_ - used_; };
  if (bytes > budget_ || !freed_.wait_for(lock, kLongestWait, fits)) return false;
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return true;
}

void MemoryAccount::give_back(std::uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
  }
  freed_.notify_all();
}

std::uint64_t MemoryAccount::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::uint64_t MemoryAccount::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

cl::Buffer allocate(const Session& session, std::size_t bytes) {
  auto occupied = std::make_unique<Occupied>(session.memory, bytes);
  cl::Buffer buffer(session.context, CL_MEM_READ_WRITE, bytes);
  buffer.setDestructorCallback(delete_occupied, occupied.get());
  static_cast<void>(occupied.release());  // the driver deletes it with the buffer
  return buffer;
}

void start_build(const Session& session, const KernelChoice& choice) {
  try {
    checked(format_device(session.info) + ": compiling kernels/" + choice.file,
            [&] { session.builds->start(job_of(session, choice)); });
  } catch (const Error& error) {
    log_verbose(error.what());  // build_kernel() tries again
  }
}

cl::Kernel build_kernel(const Session& session, const KernelChoice& choice) {
  return checked(format_device(session.info) + ": compiling kernels/" + choice.file, [&] {
    const BuildJob job = job_of(session, choice);
    cl::Program program = session.builds->finish(job);
    cl::Kernel kernel(program, choice.entry.c_str());
    check_limits(kernel, job, choice.group);
    return kernel;
  });
}

const cl::Buffer& GrowingBuffer::reserve(const Session& session, std::size_t bytes) {
  if (bytes > bytes_ || bytes_ == 0) {
    buffer_ = cl::Buffer();
    bytes_ = 0;
    // There are about a hundred growing buffers; together they must not take the memory that a
    // session plans with.
    const std::uint64_t more = std::min(half_more(bytes), session.info.budget() / 10000);
    const std::uint64_t largest = std::max<std::uint64_t>(session.info.largest_buffer, bytes);
    const std::size_t size = std::max<std::size_t>(std::min(bytes + more, largest), 64);
    buffer_ = allocate(session, size);
    bytes_ = size;
  }
  return buffer_;
}

void* StagingBuffer::reserve(const Session& session, std::size_t bytes) {
  if (bytes > bytes_ || !data_) {
    unmap();
    buffer_ = cl::Buffer();
    const std::size_t size = bytes + half_more(bytes);
    buffer_ = cl::Buffer(session.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size);
    data_ = session.queue.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size);
    session_ = &session;
    bytes_ = size;
  }
  return data_;
}

void StagingBuffer::unmap() noexcept {
  // The device needs nothing from this memory any more, so that a fault does no harm.
  if (data_) {
    clEnqueueUnmapMemObject(session_->queue(), buffer_(), data_, 0, nullptr, nullptr);
  }
  data_ = nullptr;
  bytes_ = 0;
}

const cl::Buffer& SentBuffer::send(const Session& session) {
  const cl::Buffer& buffer = device_.reserve(session, bytes_);
  if (bytes_ > 0) {
    session.queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes_, host_.reserve(session, bytes_));
  }
  is_sent_ = true;
  return buffer;
}

void read_items(const Session& session, const DeviceItems& items, StagingBuffer& staging,
                const std::function<void(std::size_t k, const void* data)>& take) {
  const std::vector<std::uint64_t>& place = items.place;
  constexpr std::uint64_t kAtOnce = std::uint64_t{16} << 20;
  const std::size_t count = place.size() - 1;
  std::vector<std::size_t> end{0};  // of the parts
  std::uint64_t room = std::min(place.back(), kAtOnce);
  while (end.back() < count) {
    const std::size_t first = end.back();
    std::size_t last = first + 1;
    while (last < count && place[last + 1] - place[first] <= kAtOnce) ++last;
    end.push_back(last);
    room = std::max(room, place[last] - place[first]);
  }
  const std::size_t parts = end.size() - 1;
  auto* data = static_cast<char*>(staging.reserve(session, std::min<std::size_t>(parts, 2) * room));
  std::array<cl::Event, 2> is_read;
  const auto read = [&](std::size_t part) {
    const std::uint64_t first = place[end[part]], bytes = place[end[part + 1]] - first;
    is_read[part % 2] = cl::Event();
    if (bytes == 0) return;
    session.queue.enqueueReadBuffer(*items.buffer, CL_FALSE, first, bytes, data + part % 2 * room,
                                    &items.made_by, &is_read[part % 2]);
  };
  if (parts > 0) read(0);
  for (std::size_t part = 0; part < parts; ++part) {
    if (part + 1 < parts) read(part + 1);
    if (is_read[part % 2]()) wait_for(is_read[part % 2]);
    const std::size_t first = end[part];
    const char* here = data + part % 2 * room;
    parallel_for(end[part + 1] - first, [&](std::size_t k, int) {
      take(first + k, here + (place[first + k] - place[first]));
    });
  }
}

void LaunchPace::note(double work, double seconds) {
  constexpr double kSeconds = 0.05, kFastestGrowth = 8.0;
  const double wanted = work * kSeconds / std::max(seconds, 1e-6);
  work_ = std::min(wanted, kFastestGrowth * work_);
}

}  // namespace accord::ocl
