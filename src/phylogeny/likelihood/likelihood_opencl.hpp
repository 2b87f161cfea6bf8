// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "likelihood/peel.h"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/likelihood/likelihood_plan.hpp"

namespace accord::ocl {

/// The kernels of peel.cl that compute likelihoods on a device, compiled for a number of states.
std::vector<KernelChoice> likelihood_kernels(const DeviceInfo& device, std::uint32_t states,
                                             Precision precision);

/// The number of work-items of a group in the kernels fill_matrices and fill_tables.
constexpr std::size_t kFillGroup = 64;

/// The sizes of the work-groups of the kernel `climb`, which computes the likelihoods of the inner
/// nodes from the tips up to the root.
struct ClimbLayout {
  /// The number of patterns of a work-group; its work-items read the same matrix. On a GPU, several
  /// groups fit a compute unit, so that some compute while others read. On a processor, a group is
  /// one thread.
  std::uint32_t patterns_of_group;
  /// The number of patterns of a work-item. It reads each value of a matrix once for all of them.
  /// If reading takes longer than arithmetic, there are as many as the registers have room for.
  std::uint32_t patterns_of_item;
  bool uses_matrix_units = false;  ///< whether matrix units multiply doubles
};
/// The layout that suits a device.
ClimbLayout layout_of(const DeviceInfo& device, std::uint32_t states, Precision precision);

/// Computes likelihoods on one device (kernels/likelihood/peel.cl), one tree after another. It
/// computes as many patterns at once as the memory has room for.
/// Cost    device memory: matrices of all branches; and for each pattern and category, a value of
///         each state for each inner node, or, with slopes, two of these values for each node.
class LikelihoodStage : public DeviceStage {
 public:
  /// Computes on the device of `session`, which must outlive this object.
  explicit LikelihoodStage(const Session& session) : session_(session) {}

  /// Computes the tasks of `call`, a LikelihoodCall, and writes their likelihoods to its results.
  /// Throws  Error{out_of_memory} if the matrices, or a group of patterns, do not fit; Error{usage}
  ///         if a task asks for double precision and the device lacks it; cl::Error.
  void run(const StageCall& call) override;

 private:
  struct Kernels {
    cl::Kernel fill_tables, climb, multiply_level, other_level, slope_level;
    cl::Kernel fill_matrices;  ///< none on a device without double precision
  };
  /// The data that all patterns of a task share.
  struct Tree {
    accord_peel_sizes sizes{};
    std::uint32_t states = 0;
    std::uint32_t least = 0;  ///< joins of a part
    ClimbPlan upward;
    PeelPlan downward;
    // Pointers: a handle that is assigned and cannot be retained would be released twice.
    const cl::Buffer *steps = nullptr, *part_begin = nullptr, *downward_nodes = nullptr,
                     *frequencies = nullptr;
    const cl::Buffer *matrices[2] = {}, *tables[2] = {};  // of P, and of its slope
  };
  class Range;

  Kernels& kernels_for(std::uint32_t states, Precision precision);
  /// Sends values, as floats if need be.
  const cl::Buffer& send_reals(SentBuffer& to, std::span<const double> values, Precision precision);
  void fill_matrices(const LikelihoodTask& task, Kernels& kernels, Tree& tree);
  Tree upload_tree(const LikelihoodTask& task, Kernels& kernels);
  /// Patterns of a work-group.
  std::uint32_t group_of(const LikelihoodTask& task) const;
  std::size_t patterns_at_once(const LikelihoodTask& task) const;
  std::uint32_t joins_of_part(const LikelihoodTask& task) const;
  void run_task(const LikelihoodTask& task, Likelihood& result);

  const Session& session_;
  std::map<std::pair<std::uint32_t, Precision>, Kernels> kernels_;
  GrowingBuffer matrices_[2], tables_[2];  // of P, and of its slope
  SentBuffer host_matrices_[2];
  SentBuffer steps_, part_begin_, downward_nodes_, frequencies_, right_, left_, symbols_, factors_,
      codes_, share_;
  StagingBuffer found_;
  GrowingBuffer products_, messages_, exponents_, others_, other_exponents_, slopes_;
};

}  // namespace accord::ocl
