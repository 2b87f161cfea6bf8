// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "align/refine.hpp"
#include "core/confidence.hpp"
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "io/newick_notes.hpp"
#include "method/pieces.hpp"
#include "method/settings.hpp"
#include "models/models.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// Wall time and size of one stage.
struct StageRecord {
  std::string name;
  double seconds;
  std::string detail;  ///< how much work it was, in words
};

/// The sequences of a large family that were aligned with the whole method.
struct Backbone {
  std::vector<std::uint32_t> members;  ///< canonical indices in the family, increasing
  GuideTree tree;                      ///< of the members
};

/// A finished alignment with intermediate results.
struct AlignResult {
  Msa msa;
  GuideTree tree;
  NewickNotes tree_notes;                ///< of a tree of a file; else empty
  DistanceMatrix distances;              ///< of all sequences, in a large family of its backbone
  std::optional<Backbone> backbone;      ///< of a large family
  std::optional<Confidence> confidence;  ///< if the settings ask for it
  std::vector<StageRecord> stages;
  std::size_t posterior_bytes = 0;  ///< memory of the first posterior set
  std::size_t posterior_cells = 0;  ///< cells of it
};

/// Passes the posterior matrix of every wanted pair to `sink`, including pairs with an empty
/// sequence; long pairs of similar nucleotide sequences are computed in pieces (compute_in_pieces).
/// `progress`, here and below, receives the progress; may be null.
/// Returns  how many pairs were computed in pieces.
/// Throws  what the scheduler and `sink` throw.
PieceCount for_each_posterior(const PosteriorFamily& family, const PairSet& wanted,
                              Scheduler& scheduler, const PosteriorSink& sink,
                              ProgressListener* progress = nullptr);

/// The posteriors of the wanted pairs.
/// Throws  what the scheduler throws.
PosteriorSet compute_posteriors(const PosteriorFamily& family, const PairSet& wanted,
                                Scheduler& scheduler, ProgressListener* progress = nullptr);

/// The confidence of an alignment of a family, whoever made it, by the posteriors of all pairs.
/// Throws  what the scheduler throws.
Confidence compute_confidence(const Msa& msa, const SequenceSet& set, const AlignSettings& settings,
                              Scheduler& scheduler, ProgressListener* progress = nullptr);

/// The distances of all pairs of a family: 1 - expected accuracy, in [0, 1]. No matrix is kept.
/// Throws  what the scheduler throws.
DistanceMatrix compute_distances(const SequenceSet& set, const AlignSettings& settings,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

/// The guide tree, by the method of the settings; `notes`, if they are asked for, are those of a
/// tree of a file.
/// Throws  what the scheduler throws, or read_newick for a tree that does not fit the family.
GuideTree build_tree(const SequenceSet& set, const DistanceMatrix& distances,
                     const AlignSettings& settings, Scheduler& scheduler,
                     NewickNotes* notes = nullptr);

/// The receivers of the progress of a run.
struct RunListener {
  /// What a stage hands on.
  using Value =
      std::variant<const PosteriorSet*, const DistanceMatrix*, const GuideTree*, const Msa*>;

  std::function<void(const StageRecord&)> on_stage = {};  ///< called when a stage has ended
  ProgressListener* progress = nullptr;                   ///< of all stages; may be null
  /// Receives what the stages of align_family() hand on: "posteriors", "distances", "tree",
  /// "consistency" (after each round), "align", "refine". For tests.
  std::function<void(const std::string& stage, Value)> on_value = {};
};

/// Aligns a family. This function is the method: posteriors of all pairs, guide tree, sequence
/// weights, weighted consistency, progressive alignment, refinement. The result is the same for
/// every mix of backends and any number of threads.
/// Throws  what the stages throw.
AlignResult align_family(const SequenceSet& set, const AlignSettings& settings,
                         Scheduler& scheduler, const RunListener& listener = {});

}  // namespace accord
