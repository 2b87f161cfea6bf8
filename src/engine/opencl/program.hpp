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

/// Counts the device memory that the buffers of a session occupy. Drivers accept buffers beyond the
/// memory of the device, and some then crash.
class MemoryAccount {
 public:
  /// An account with no bytes in use; `budget` is the most bytes that may be in use at a time.
  explicit MemoryAccount(std::uint64_t budget) : budget_(budget) {}

  /// Adds bytes. Returns false, and changes nothing, if they would exceed the budget. Some drivers
  /// (NVIDIA's) report the release of a buffer a little late, from another thread; so the function
  /// waits up to a fifth of a second until the bytes fit.
  bool take(std::uint64_t bytes);
  /// Subtracts bytes that take() has added.
  void give_back(std::uint64_t bytes);

  std::uint64_t budget() const noexcept { return budget_; }
  std::uint64_t used() const;
  /// The largest number of bytes in use so far.
  std::uint64_t peak() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::uint64_t budget_, used_ = 0, peak_ = 0;
};

/// An opened device, with the objects that all stages on it share.
struct Session {
  /// Opens a device, with a new context, a command queue, and a memory account whose budget is that
  /// of the device under the settings. No program is compiled yet.
  /// Throws  Error{out_of_memory} or Error{device_failed} if the device cannot be opened.
  explicit Session(const DeviceInfo& chosen, OpenClSettings chosen_settings = {});

  DeviceInfo info;
  OpenClSettings settings;
  cl::Device device;
  cl::Context context;
  mutable cl::CommandQueue queue;  ///< in order; using the handle changes no session
  std::shared_ptr<ProgramBuilds> builds;
  std::shared_ptr<MemoryAccount> memory;
};

/// A session for one of `parts` users of the same device: it has a new queue, and its memory limit
/// is an equal part of the budget. All users share the account.
/// Throws  Error{device_failed} if the queue cannot be opened.
Session part_of(const Session& session, std::uint32_t parts);

/// A new buffer. The account of the device has its bytes until OpenCL has deleted the buffer.
/// Throws  Error{out_of_memory} if the buffer exceeds the rest of the budget; cl::Error.
cl::Buffer allocate(const Session& session, std::size_t bytes);

/// A kernel of the kernels directory, and how to compile it.
struct KernelChoice {
  std::string file;       ///< "posteriors/posterior_lanes.cl"
  std::string entry;      ///< "posterior_lanes"
  std::string defines;    ///< "-D ACCORD_LANES=16"
  std::size_t group = 1;  ///< work-items of the work-groups that run the kernel
};

/// Begins to compile a program for the device of the session, on another thread, unless that has
/// begun already. Does not throw if compiling fails: build_kernel() tries again, and throws.
void start_build(const Session& session, const KernelChoice& choice);

/// A new kernel of a program. Waits for start_build(), or compiles the program if start_build() was
/// not called. Compiled programs are kept in the disk cache.
/// Throws  Error{device_failed} with the compiler's messages, or if the device cannot run the
///         kernel in groups of the wanted size; Error{no_input} if a file of the kernel directory
///         cannot be read. After an error the next call compiles again.
/// Cost    seconds at the first use on a machine, milliseconds after it.
cl::Kernel build_kernel(const Session& session, const KernelChoice& choice);

/// A new buffer with a copy of `values`. The copy is complete when the function returns.
/// Throws  as allocate().
template <class T>
cl::Buffer upload(const Session& session, std::span<const T> values) {
  cl::Buffer buffer = allocate(session, std::max(values.size_bytes(), sizeof(T)));
  if (!values.empty()) {
    session.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size_bytes(), values.data());
  }
  return buffer;
}

/// Device memory that grows when more is needed, by a little more than that. Growing discards the
/// contents.
class GrowingBuffer {
 public:
  /// Returns the buffer, grown to at least `bytes`.
  /// Throws  as allocate().
  const cl::Buffer& reserve(const Session& session, std::size_t bytes);
  /// The buffer of the last reserve().
  const cl::Buffer& get() const { return buffer_; }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;
};

/// Pinned memory of the host, which the device reads and writes at the full speed of the bus. Since
/// pinning is slow, the memory grows by more than needed. Growing discards the contents.
class StagingBuffer {
 public:
  StagingBuffer() = default;
  ~StagingBuffer() { unmap(); }
  StagingBuffer(const StagingBuffer&) = delete;
  StagingBuffer& operator=(const StagingBuffer&) = delete;

  /// Memory of at least `bytes`, which the host may use until the next call. The session must
  /// outlive this object.
  /// Throws  cl::Error.
  void* reserve(const Session& session, std::size_t bytes);

 private:
  void unmap() noexcept;

  const Session* session_ = nullptr;
  cl::Buffer buffer_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Items in a device buffer: item k has the bytes [place[k], place[k + 1]).
/// Invariant  handles of OpenCL are not copied: a handle that is copied while the driver fails is
///         released once too often.
struct DeviceItems {
  const cl::Buffer* buffer = nullptr;  ///< null if there are no bytes
  std::vector<std::uint64_t> place = {0};
  std::vector<cl::Event> made_by;  ///< commands that write the items; empty: they are written
};

/// Reads items in parts, and calls take(k, data) for each item k. Several threads call take() for
/// one part while the device sends the next part. `data` is valid until take() returns. The
/// contents of `staging` are overwritten. (Getting pinned memory takes long, so that there is not
/// enough of it for all items.)
/// Throws  what take() throws; cl::Error.
void read_items(const Session& session, const DeviceItems& items, StagingBuffer& staging,
                const std::function<void(std::size_t k, const void* data)>& take);

/// Device memory with pinned memory of the same size. The host fills the pinned memory and goes on
/// while it is sent to the device.
class SentBuffer {
 public:
  /// Pinned memory for `count` values, which the host fills before send(). The transfer of the last
  /// send() must have ended. The session must outlive this object.
  /// Throws  cl::Error.
  template <class T>
  std::span<T> room(const Session& session, std::size_t count) {
    bytes_ = count * sizeof(T);
    is_sent_ = false;
    return {static_cast<T*>(host_.reserve(session, bytes_)), count};
  }
  /// Copies values to the room() and begins to send them, unless they are equal to those that were
  /// sent last. So a kernel must not change the buffer. The transfer of the last send() must have
  /// ended. Returns the buffer on the device.
  /// Throws  as allocate(); cl::Error.
  template <class T>
  const cl::Buffer& send(const Session& session, std::span<const T> values) {
    const bool is_same =
        is_sent_ && bytes_ == values.size_bytes() &&
        (values.empty() || std::memcmp(host_.reserve(session, bytes_), values.data(), bytes_) == 0);
    if (is_same) return device_.get();
    std::copy(values.begin(), values.end(), room<T>(session, values.size()).begin());
    return send(session);
  }
  /// Begins to send the values in the room(). Returns the buffer on the device.
  /// Throws  as allocate(); cl::Error.
  const cl::Buffer& send(const Session& session);
  /// Whether the buffer holds this number of bytes that were sent, and room() was not called since.
  bool has_sent(std::size_t bytes) const { return is_sent_ && bytes_ == bytes; }
  /// Call this in place of send() if the room() was filled with the values that were sent last.
  /// Returns the buffer.
  const cl::Buffer& keep() {
    is_sent_ = true;
    return device_.get();
  }

 private:
  StagingBuffer host_;
  GrowingBuffer device_;
  std::size_t bytes_ = 0;
  bool is_sent_ = false;  ///< whether the device has the contents of the room
};

/// Mapped memory of a buffer. Call unmap() after the memory was filled or read. The destructor
/// unmaps, too, but it reports no fault, and written values may be lost.
template <class T>
class Mapped {
 public:
  /// Maps the first `count` values of the buffer, and waits until data() can be used. `flags`:
  /// CL_MAP_READ, CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION (the old values are lost). The
  /// session must outlive this object.
  /// Throws  cl::Error.
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

  /// Ends the mapping. Later commands find the written values in the buffer.
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

/// Limits the work of one launch, so that a device which also drives a display stays responsive: to
/// about 50 ms, by the speed of earlier launches. Processors have no limit.
class LaunchPace {
 public:
  /// `first` is the work of the first launch, in any unit.
  LaunchPace(const DeviceInfo& device, double first)
      : limited_(device.kind != DeviceKind::cpu), work_(first) {}

  /// The most work for the next launch.
  double most_work() const { return limited_ ? work_ : 1e300; }
  /// Records the work of a launch, in the unit of `first`, and its time; sets most_work() by them.
  void note(double work, double seconds);

 private:
  bool limited_;
  double work_;
};

}  // namespace accord::ocl
