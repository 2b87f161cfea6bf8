// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timer.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "phylogeny/fit.hpp"
#include "phylogeny/nni.hpp"
#include "phylogeny/site_patterns.hpp"

namespace accord {

/// Says how far a search for a tree of maximum likelihood has come: the listener receives its
/// stages, and each step is a line of the log, for -v. A search has as many steps as it needs, so
/// that the time of the whole search is not known.
class SearchLog {
 public:
  /// `progress` may be null; it must outlive the log.
  explicit SearchLog(ProgressListener* progress = nullptr) : progress_(progress) {}

  /// A stage begins; `unit` names its `items`. 0 items: their number is not known.
  void begin(const std::string& stage, const std::string& unit = {}, std::uint64_t items = 0);
  /// A step of the stage is done: it reached the logarithm `total` of the likelihood under `model`.
  void step(const std::string& model, double total);

 private:
  ProgressListener* progress_;
  std::string stage_;
  std::uint64_t steps_ = 0;  ///< of the stage
  Timer timer_;              ///< since the last step
};

/// An alignment whose likelihood is wanted, and the model to begin with.
struct LikelihoodInput {
  AlignmentPatterns found;
  ModelSpec model;
  std::vector<double> values;       ///< of the model's parameters
  std::vector<double> frequencies;  ///< of its states

  /// Returns `tree` with the lengths that it has, and the model. The tree must have branch lengths,
  /// not heights.
  TreeWithModel with(GuideTree tree) const;
};

/// Finds patterns and frequencies of an alignment, whose rows have equal length. Tip x is row
/// row_of[x]. `label` names the alignment in messages. parse_model() reads `model`. If `model` is
/// empty, or asks for a choice (`auto`), which the caller makes later, the model is LG+G4 for
/// proteins and GTR+G4 for nucleotides. `code` is the number of the genetic code of a model of
/// codons; not set: the standard code.
/// Throws  Error{bad_input} for fewer than two rows, no columns, or a model of other residues, and
///         as find_patterns; Error{usage} as parse_model and GeneticCode, and for a code if the
///         model has no codons.
LikelihoodInput likelihood_input(const std::vector<SequenceRecord>& rows,
                                 const std::vector<std::size_t>& row_of, ResidueType type,
                                 const std::string& model, const std::string& label,
                                 std::optional<int> code = {});

/// Sets the model to another one of the same states and ascertainment, with the values and
/// frequencies with which a fit begins. parse_model() reads `model`.
/// Throws  as parse_model.
void set_model(LikelihoodInput& input, const std::string& model);

/// Builds the tree of neighbour joining with maximum-likelihood distances. The distances assume one
/// rate for all sites: if rates differ, large distances are less certain, and the trees are worse.
TreeWithModel neighbor_joining_tree(const LikelihoodInput& input, Scheduler& scheduler);

/// Searches for the tree of largest likelihood: fits the shape, the lengths and, if `target` asks
/// for it, the parameters of the model. The search begins with the tree of neighbor_joining_tree()
/// and with the neighbour-joining tree of distances that use the rates fitted for the first tree.
/// It improves both trees by nearest-neighbour interchanges, and the better one by regrafts within
/// `regraft_radius` (see improve_topology in nni.hpp), in branches; 0: no regrafts.
/// The trees on the way are steps of `log`.
FitResult ml_tree(const LikelihoodInput& input, FitTarget target, std::uint32_t regraft_radius,
                  Scheduler& scheduler, SearchLog& log);

/// Has the stages and rounds of improve_topology() go to `log`, which must outlive the result.
TopologyListeners listeners_of(SearchLog& log);

}  // namespace accord
