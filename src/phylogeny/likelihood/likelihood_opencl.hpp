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

/// The kernels of likelihoods for a number of states.
std::vector<KernelChoice> likelihood_kernels(const DeviceInfo& device, std::uint32_t states,
                                             Precision precision);

/// Work-items of the groups that fill matrices and tables.
constexpr std::size_t kFillGroup = 64;

/// How the work-groups of climb are cut.
struct ClimbLayout {
  /// The patterns of a work-group, which read the same matrix. On a GPU there is room for several
  /// groups, so that some compute while others read. On a processor a group is one thread.
  std::uint32_t patterns_of_group;
  /// The patterns of a work-item, which share the values that it reads of a matrix: as many as
  /// there are registers for, if reading takes longer than arithmetic.
  std::uint32_t patterns_of_item;
  bool uses_matrix_units = false;  ///< the matrix units for doubles
};
/// The cut that suits a device.
ClimbLayout layout_of(const DeviceInfo& device, std::uint32_t states, Precision precision);

/// Likelihoods on one device (kernels/likelihood/peel.cl), a tree at a time, with as many patterns
/// at once as the memory has room for.
/// Cost    device memory: matrices of all branches, and for each pattern and category half a row
///         of values per node, with slopes 2 rows.
class LikelihoodStage : public DeviceStage {
 public:
  explicit LikelihoodStage(const Session& session) : session_(session) {}

  /// Throws  Error{out_of_memory} if the matrices, or a group of patterns, do not fit; Error{usage}
  ///         if the device has no double precision, and that is asked for; cl::Error.
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
