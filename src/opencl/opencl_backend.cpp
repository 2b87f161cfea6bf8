// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl/opencl_backend.hpp"

#include <optional>

#include "accord/base/error.hpp"
#include "accord/core/text_hash.hpp"
#include "accord/opencl/consistency.hpp"
#include "accord/opencl/disk_cache.hpp"
#include "accord/opencl/kernel_source.hpp"
#include "accord/opencl/neighbor_joining.hpp"
#include "accord/opencl/posterior.hpp"
#include "accord/opencl/program.hpp"

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

/// The session and the stage that runs in it: one at a time, since a stage keeps its buffers and
/// may take nearly all of the memory budget.
struct OpenClBackend::Stages {
  Stages(const ocl::DeviceInfo& device, ocl::Shape chosen_shape,
         const ocl::OpenClSettings& settings)
      : session(device, settings), shape(chosen_shape) {}

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

  ocl::PosteriorStage& begin_posteriors() {
    consistency.reset();
    join.reset();
    if (!posterior) posterior.emplace(session, shape);
    return *posterior;
  }

  ocl::ConsistencyStage& begin_consistency() {
    posterior.reset();
    join.reset();
    if (!consistency) consistency.emplace(session);
    return *consistency;
  }

  ocl::JoinStage& begin_join() {
    posterior.reset();
    consistency.reset();
    if (!join) join.emplace(session);
    return *join;
  }

  ocl::Session session;
  ocl::Shape shape;
  std::optional<ocl::PosteriorStage> posterior;
  std::optional<ocl::ConsistencyStage> consistency;
  std::optional<ocl::JoinStage> join;
};

OpenClBackend::OpenClBackend(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  if (!device.unusable.empty()) {
    throw Error(ErrorKind::device_failed,
                ocl::describe(device) + " cannot be used: " + device.unusable,
                "'--device none' computes the same alignment without it");
  }
  const ocl::Shape shape = ocl::choose_shape(device);
  stages_ = std::make_unique<Stages>(device, shape, settings);
}

OpenClBackend::~OpenClBackend() = default;

std::string OpenClBackend::name() const { return ocl::describe(stages_->session.info); }

BackendLimits OpenClBackend::limits() const {
  return ocl::PosteriorStage(stages_->session, stages_->shape).limits();
}

void OpenClBackend::announce(BackendStage stage) {
  for (const ocl::KernelChoice& kernel : stages_->kernels(stage)) {
    ocl::start_build(stages_->session, kernel);
  }
}

void OpenClBackend::posteriors(const CodedSequences& sequences, const PairBatch& batch,
                               const accord_model& model, const PosteriorSink& sink) {
  ocl::checked(name() + ": computing posteriors",
               [&] { stages_->begin_posteriors().run(sequences, batch, model, sink); });
}

void OpenClBackend::relax(const PosteriorSet& current, const RelaxBatch& batch,
                          const RelaxWeights& weights, float cutoff, const RelaxSink& sink) {
  ocl::checked(name() + ": computing consistency", [&] {
    stages_->begin_consistency().run(current, batch, weights, cutoff, sink);
  });
}

std::vector<GuideTree> OpenClBackend::join(std::span<const DistanceMatrix> matrices) {
  return ocl::checked(name() + ": computing the guide tree",
                      [&] { return stages_->begin_join().run(matrices); });
}

}  // namespace accord
