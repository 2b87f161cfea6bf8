// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl_stages/opencl_backend.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/core/text_hash.hpp"
#include "accord/opencl/disk_cache.hpp"
#include "accord/opencl/kernel_source.hpp"
#include "accord/opencl/program.hpp"
#include "accord/opencl_stages/consistency.hpp"
#include "accord/opencl_stages/neighbor_joining.hpp"
#include "accord/opencl_stages/posterior.hpp"

namespace accord {

std::string ocl::kernel_identity(const DeviceInfo& device, const OpenClSettings& settings) {
  std::vector<KernelChoice> kernels = posterior_kernels(device, choose_shape(device));
  for (const KernelChoice& kernel : consistency_kernels()) kernels.push_back(kernel);
  for (const KernelChoice& kernel : join_kernels(device)) kernels.push_back(kernel);
  std::string identity = device.identity();
  for (const KernelChoice& kernel : kernels) {
    identity += kernel.file + " " + kernel.defines + " " +
                text_hash(expanded_source(kernel.file, settings.kernel_folder)) + "\n";
  }
  return identity;
}

namespace {

/// Batches that a device computes at the same time: while one is with the host, before or after
/// its kernels, the device has the other. More of them only wait for each other: 110 families on an
/// H200 took 4.1 s with two, 4.4 with three and four, 5.0 with six. A processor gains nothing.
std::uint32_t calls_of(const ocl::DeviceInfo& device) {
  constexpr std::uint64_t kCallBytes = std::uint64_t{1} << 30, kMostCalls = 2;
  if (device.kind == ocl::DeviceKind::cpu) return 1;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(device.budget() / kCallBytes, 1, kMostCalls));
}

/// What one batch at a time is computed with. Posteriors and consistency, between which families
/// go back and forth, keep their buffers and plan with half of the memory each. Neighbour joining,
/// once in a family, takes all of it, and they start anew.
class Stream {
 public:
  Stream(const ocl::Session& session, std::uint32_t streams, ocl::Shape shape)
      : half_(part_of(session, 2 * streams)), whole_(part_of(session, streams)), shape_(shape) {}

  ocl::PosteriorStage& begin_posteriors() {
    if (!posterior_) posterior_.emplace(half_, shape_);
    return *posterior_;
  }
  ocl::ConsistencyStage& begin_consistency() {
    if (!consistency_) consistency_.emplace(half_);
    return *consistency_;
  }
  std::vector<GuideTree> join(std::span<const DistanceMatrix> matrices) {
    posterior_.reset();
    consistency_.reset();
    return ocl::JoinStage(whole_).run(matrices);
  }

 private:
  ocl::Session half_, whole_;
  ocl::Shape shape_;
  std::optional<ocl::PosteriorStage> posterior_;
  std::optional<ocl::ConsistencyStage> consistency_;
};

}  // namespace

/// The device, and the streams that no batch is computed with.
struct OpenClBackend::Device {
  Device(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings)
      : session(device, settings), shape(ocl::choose_shape(device)), calls(calls_of(session.info)) {
    std::unique_ptr<Stream> first = take();
    limits = first->begin_posteriors().limits();
    limits.calls = calls;
    give_back(std::move(first));
  }

  std::vector<ocl::KernelChoice> kernels(BackendStage stage) const {
    switch (stage) {
      case BackendStage::posteriors:
        return ocl::posterior_kernels(session.info, shape);
      case BackendStage::relax:
        return ocl::consistency_kernels();
      case BackendStage::join:
        return ocl::join_kernels(session.info);
    }
    return {};
  }

  /// Calls f with a stream that no other thread has meanwhile. After an error the stream is given
  /// up, with all of its memory.
  template <class F>
  auto with_stream(const std::string& attempt, F&& f) {
    return ocl::checked(describe(session.info) + ": " + attempt, [&] {
      std::unique_ptr<Stream> stream = take();
      if constexpr (std::is_void_v<decltype(f(*stream))>) {
        f(*stream);
        give_back(std::move(stream));
      } else {
        auto result = f(*stream);
        give_back(std::move(stream));
        return result;
      }
    });
  }

  const ocl::Session session;
  const ocl::Shape shape;
  const std::uint32_t calls;
  BackendLimits limits;

 private:
  std::unique_ptr<Stream> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Stream>(session, calls, shape);
    std::unique_ptr<Stream> stream = std::move(idle_.back());
    idle_.pop_back();
    return stream;
  }
  void give_back(std::unique_ptr<Stream> stream) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(stream));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Stream>> idle_;
};

OpenClBackend::OpenClBackend(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  if (!device.unusable.empty()) {
    throw Error(ErrorKind::device_failed,
                ocl::describe(device) + " cannot be used: " + device.unusable,
                "'--device none' computes the same alignment without it");
  }
  device_ = std::make_unique<Device>(device, settings);
}

OpenClBackend::~OpenClBackend() = default;

std::string OpenClBackend::name() const { return ocl::describe(device_->session.info); }

BackendLimits OpenClBackend::limits() const { return device_->limits; }

void OpenClBackend::announce(BackendStage stage) {
  for (const ocl::KernelChoice& kernel : device_->kernels(stage)) {
    ocl::start_build(device_->session, kernel);
  }
}

void OpenClBackend::posteriors(const CodedSequences& sequences, const PairBatch& batch,
                               const accord_model& model, const PosteriorSink& sink) {
  device_->with_stream("computing posteriors", [&](Stream& stream) {
    stream.begin_posteriors().run(sequences, batch, model, sink);
  });
}

void OpenClBackend::relax(const PosteriorSet& current, const RelaxBatch& batch,
                          const RelaxWeights& weights, float cutoff, const RelaxSink& sink) {
  device_->with_stream("computing consistency", [&](Stream& stream) {
    stream.begin_consistency().run(current, batch, weights, cutoff, sink);
  });
}

std::vector<GuideTree> OpenClBackend::join(std::span<const DistanceMatrix> matrices) {
  return device_->with_stream("computing the guide tree",
                              [&](Stream& stream) { return stream.join(matrices); });
}

}  // namespace accord
