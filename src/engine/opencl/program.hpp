// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "engine/opencl/cl.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"

namespace accord::ocl {

class ProgramBuilds;

/// The device memory that the buffers of a session occupy. Drivers accept more than there is, and
/// some then crash; hence this account.
class MemoryAccount {
 public:
  explicit MemoryAccount(std::uint64_t budget) : budget_(budget) {}

  /// Adds bytes; returns false, and changes nothing, if they would exceed the budget. Drivers
  /// report the release of a buffer from threads of their own, a little late (NVIDIA's does), so
  /// that this waits up to a fifth of a second for bytes that do not fit.
  bool take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);

  std::uint64_t budget() const noexcept { return budget_; }
  std::uint64_t used() const;
  /// The peak use.
  std::uint64_t peak() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::uint64_t budget_, used_ = 0, peak_ = 0;
};

/// An opened device: what all stages on it share.
struct Session {
  /// Throws  Error{device_failed} if the device cannot be opened.
  explicit Session(const DeviceInfo& chosen, OpenClSettings chosen_settings = {});

  DeviceInfo info;
  OpenClSettings settings;
  cl::Device device;
  cl::Context context;
  mutable cl::CommandQueue queue;  ///< in order; a handle, whose use changes nothing here
  std::shared_ptr<ProgramBuilds> builds;
  std::shared_ptr<MemoryAccount> memory;
};

/// The same device for one of `parts` users of it: a queue of its own, and that part of the memory
/// to plan with. The account is that of all.
/// Throws  Error{device_failed} if the queue cannot be opened.
Session part_of(const Session& session, std::uint32_t parts);

/// A new buffer, counted against the budget of the device until OpenCL has deleted it.
/// Throws  Error{out_of_memory} if it does not fit what the buffers before have left; cl::Error.
cl::Buffer allocate(const Session& session, std::size_t bytes);

/// A kernel of the kernels directory, and how to compile it.
struct KernelChoice {
  std::string file;       ///< "posteriors/posterior_lanes.cl"
  std::string entry;      ///< "posterior_lanes"
  std::string defines;    ///< "-D ACCORD_LANES=16"
  std::size_t group = 1;  ///< work-items of the work-groups that it will run in
};

/// Begins to compile a program for the device of the session, on a thread of its own, unless that
/// has begun already. That this fails is no error: build_kernel() tries again, and reports it.
void start_build(const Session& session, const KernelChoice& choice);

/// The kernel of a program, which is compiled now unless start_build() was called before. Compiled
/// programs are taken from the disk cache and put there.
/// Throws  Error{device_failed} with the compiler's messages, or if the device cannot run the
///         kernel in groups of the wanted size; after an error the next call compiles again.
/// Cost    seconds at the first use on a machine, milliseconds after it.
cl::Kernel build_kernel(const Session& session, const KernelChoice& choice);

/// A new buffer with a copy of `values`. Errors: see allocate().
template <class T>
cl::Buffer upload(const Session& session, std::span<const T> values) {
  cl::Buffer buffer = allocate(session, std::max(values.size_bytes(), sizeof(T)));
  if (!values.empty()) {
    session.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size_bytes(), values.data());
  }
  return buffer;
}

/// Device memory that grows on demand, by a little more than needed; growing discards its contents.
class GrowingBuffer {
 public:
  /// A buffer of at least `bytes`. Errors: see allocate().
  const cl::Buffer& reserve(const Session& session, std::size_t bytes);
  /// The buffer of the last reserve().
  const cl::Buffer& get() const { return buffer_; }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;
};

/// Pinned memory of the host, which the device reads and writes at the full speed of the bus.
/// Pinning is slow, so it grows by more than needed; growing discards its contents.
class StagingBuffer {
 public:
  StagingBuffer() = default;
  ~StagingBuffer() { unmap(); }
  StagingBuffer(const StagingBuffer&) = delete;
  StagingBuffer& operator=(const StagingBuffer&) = delete;

  /// Room for at least `bytes`, for the host to use until the next call. The session must outlive
  /// this.
  /// Throws  cl::Error.
  void* reserve(const Session& session, std::size_t bytes);

 private:
  void unmap() noexcept;

  const Session* session_ = nullptr;
  cl::Buffer buffer_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Items in a buffer: item k is the bytes [place[k], place[k + 1]).
/// Invariant  no copies of OpenCL's handles: one that is copied while the driver fails is released
///         once too often.
struct DeviceItems {
  const cl::Buffer* buffer = nullptr;  ///< null if there are no bytes
  std::vector<std::uint64_t> place = {0};
  std::vector<cl::Event> made_by;  ///< commands after which they are there; none: they are
};

/// Reads items, some of them at a time, and calls take(k, data) for each, from several threads,
/// while the next ones come. (Pinned memory is slow to come by, so that it is not made as large as
/// all of them.)
/// Throws  what take() throws; cl::Error.
void read_items(const Session& session, const DeviceItems& items, StagingBuffer& staging,
                const std::function<void(std::size_t k, const void* data)>& take);

/// Device memory that is filled from pinned memory beside it, while the host goes on.
class SentBuffer {
 public:
  /// Room for the host to fill; the transfer of the last send() must have ended.
  template <class T>
  std::span<T> room(const Session& session, std::size_t count) {
    bytes_ = count * sizeof(T);
    is_sent_ = false;
    return {static_cast<T*>(host_.reserve(session, bytes_)), count};
  }
  /// Sends values, unless they are those that were sent last: what a kernel gets so, it must not
  /// change.
  template <class T>
  const cl::Buffer& send(const Session& session, std::span<const T> values) {
    const bool is_same =
        is_sent_ && bytes_ == values.size_bytes() &&
        (values.empty() || std::memcmp(host_.reserve(session, bytes_), values.data(), bytes_) == 0);
    if (is_same) return device_.get();
    std::copy(values.begin(), values.end(), room<T>(session, values.size()).begin());
    return send(session);
  }
  /// Begins to transfer what the room was filled with. Errors: see allocate(); cl::Error.
  const cl::Buffer& send(const Session& session);
  /// Whether the last transfer had this number of bytes: the buffer of that size holds them.
  bool has_sent(std::size_t bytes) const { return is_sent_ && bytes_ == bytes; }
  /// In place of send(), if the room has what was sent last.
  const cl::Buffer& keep() {
    is_sent_ = true;
    return device_.get();
  }

 private:
  StagingBuffer host_;
  GrowingBuffer device_;
  std::size_t bytes_ = 0;
  bool is_sent_ = false;  ///< what the room holds
};

/// Mapped memory of a buffer. unmap() when it is filled or read; at the end of its life it is
/// unmapped in any case, but then a fault is not reported, and what was written may be lost.
template <class T>
class Mapped {
 public:
  Mapped(const Session& session, const cl::Buffer& buffer, cl_map_flags flags, std::size_t count)
      : session_(session), buffer_(buffer) {
    data_ = static_cast<T*>(
        session.queue.enqueueMapBuffer(buffer, CL_TRUE, flags, 0, count * sizeof(T)));
  }
  ~Mapped() {
    if (data_) clEnqueueUnmapMemObject(session_.queue(), buffer_(), data_, 0, nullptr, nullptr);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  T* data() const noexcept { return data_; }

  /// Ends the mapping; what was written is in the buffer for the commands that follow.
  /// Throws  cl::Error.
  void unmap() {
    session_.queue.enqueueUnmapMemObject(buffer_, data_);
    data_ = nullptr;
  }

 private:
  const Session& session_;
  cl::Buffer buffer_;
  T* data_ = nullptr;
};

/// How much work one launch may hold so that a device which also drives a display stays
/// responsive: about 50 ms, learnt from the launches before. Processors have no limit.
class LaunchPace {
 public:
  /// `first` is the work of the first launch, in any unit.
  LaunchPace(const DeviceInfo& device, double first)
      : limited_(device.kind != DeviceKind::cpu), work_(first) {}

  /// The most work for the next launch.
  double most_work() const { return limited_ ? work_ : 1e300; }
  /// Records a launch.
  void note(double work, double seconds);

 private:
  bool limited_;
  double work_;
};

}  // namespace accord::ocl
