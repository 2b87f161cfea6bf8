// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/opencl_backend.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "accord/base/error.hpp"
#include "base/text_hash.hpp"
#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "engine/opencl/program.hpp"

namespace accord {
namespace {

/// A device at first computes kFirstConcurrent batches at the same time. After kLongRun batches, it
/// computes more batches at the same time.
constexpr std::uint32_t kFirstConcurrent = 2;
constexpr std::size_t kLongRun = 160;

/// The number of batches that a device computes at the same time: while the host prepares batches
/// or takes over their results, the device computes another batch. On an H100 1681 families in 1800
/// batches took 10.2 s with two batches at the same time, 8.9 with three and 8.4 with four; 110
/// larger families in 120 batches took 2.03, 2.13 and 2.32 s. The batches share the memory, so that
/// three need plenty of it. A processor gains nothing.
std::uint32_t concurrent_batches_of(const ocl::DeviceInfo& device) {
  constexpr std::uint64_t kCallBytes = std::uint64_t{1} << 30, kPlenty = 12 * kCallBytes;
  if (device.kind == ocl::DeviceKind::cpu) return 1;
  const std::uint64_t most = kFirstConcurrent + (device.budget() >= kPlenty);
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(device.budget() / kCallBytes, 1, most));
}

}  // namespace

/// Computes one batch at a time: has the opened stages, and the memory that they plan with.
class OpenClStream {
 public:
  /// A stream for one of `parts` users of the device.
  OpenClStream(const ocl::Session& session, std::uint32_t parts)
      : half_(part_of(session, 2 * parts)), whole_(part_of(session, parts)), parts_(parts) {}

  std::uint32_t parts() const { return parts_; }

  /// Computes a call of a stage that the device describes so.
  void run(const StageCall& call, const ocl::StageOnDevice& stage) {
    if (stage.takes_all) {
      open_.clear();
      return stage.open(whole_)->run(call);
    }
    std::unique_ptr<ocl::DeviceStage>& open = open_[&call.stage()];
    if (!open) open = stage.open(half_);
    open->run(call);
  }

 private:
  ocl::Session half_, whole_;
  std::uint32_t parts_;
  std::map<const Stage*, std::unique_ptr<ocl::DeviceStage>> open_;
};

/// The device, and its idle streams.
struct OpenClBackend::Device {
  Device(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings)
      : session(device, settings), concurrent_batches(concurrent_batches_of(session.info)) {
    give_back(take(concurrent_batches));
  }

  /// Computes a call with a stream that no other thread uses meanwhile. After an error the stream
  /// is destroyed, with all of its memory.
  void run(const StageCall& call, std::uint32_t memory_parts) {
    ocl::checked(format_device(session.info) + ": computing " + call.stage().name, [&] {
      std::unique_ptr<OpenClStream> stream = take(concurrent_batches * memory_parts);
      stream->run(call, of(call.stage()));
      give_back(std::move(stream));
    });
  }

  /// The kernels and limits of a stage on the device.
  const ocl::StageOnDevice& of(const Stage& stage) {
    const std::lock_guard lock(mutex_);
    const auto found = stages_.find(&stage);
    if (found != stages_.end()) return found->second;
    return stages_.emplace(&stage, stage.on_device(session.info)).first->second;
  }

  const ocl::Session session;
  const std::uint32_t concurrent_batches;

 private:
  /// An idle stream that plans with one of `parts` parts of the memory, or a new stream. Idle
  /// streams with other parts are destroyed, with their memory.
  std::unique_ptr<OpenClStream> take(std::uint32_t parts) {
    const std::lock_guard lock(mutex_);
    std::erase_if(idle_, [&](const auto& stream) { return stream->parts() != parts; });
    if (idle_.empty()) return std::make_unique<OpenClStream>(session, parts);
    std::unique_ptr<OpenClStream> stream = std::move(idle_.back());
    idle_.pop_back();
    return stream;
  }
  void give_back(std::unique_ptr<OpenClStream> stream) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(stream));
  }

  std::mutex mutex_;  // for the two that follow
  std::vector<std::unique_ptr<OpenClStream>> idle_;
  std::map<const Stage*, ocl::StageOnDevice> stages_;  // those that were asked for
};

OpenClBackend::OpenClBackend(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  if (!device.unusable.empty()) {
    throw Error(ErrorKind::device_failed,
                ocl::format_device(device) + " cannot be used: " + device.unusable,
                "{device=none} computes the same alignment without it");
  }
  device_ = std::make_unique<Device>(device, settings);
}

OpenClBackend::~OpenClBackend() = default;

std::string OpenClBackend::name() const { return ocl::format_device(device_->session.info); }

std::uint32_t OpenClBackend::concurrent_batches() const { return device_->concurrent_batches; }

std::size_t OpenClBackend::warm_up_batches(std::uint32_t concurrent) const {
  return concurrent <= kFirstConcurrent ? 0 : kLongRun;
}

bool OpenClBackend::uses_host_processors() const {
  return device_->session.info.kind == ocl::DeviceKind::cpu;
}

std::optional<StageLimits> OpenClBackend::limits(const Stage& stage) const {
  return device_->of(stage).limits;
}

void OpenClBackend::announce(const Stage& stage) {
  for (const ocl::KernelChoice& kernel : device_->of(stage).kernels) {
    ocl::start_build(device_->session, kernel);
  }
}

void OpenClBackend::compute(const StageCall& call, std::uint32_t memory_parts) {
  device_->run(call, memory_parts);
}

std::string ocl::kernel_identity(const Stage& stage, const DeviceInfo& device,
                                 const OpenClSettings& settings) {
  std::string identity = device.identity();
  for (const KernelChoice& kernel : stage.on_device(device).kernels) {
    identity += kernel.file + " " + kernel.defines + " " +
                text_hash(expanded_source(kernel.file, settings.kernel_directory)) + "\n";
  }
  return identity;
}

}  // namespace accord
