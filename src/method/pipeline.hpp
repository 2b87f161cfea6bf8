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
#include "io/trees/newick_notes.hpp"
#include "method/pieces.hpp"
#include "method/settings.hpp"
#include "models/models.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// Wall time and size of one stage.
struct StageRecord {
  std::string name;
  double seconds;
  std::string detail;  ///< amount of work, for readers
};

/// The sequences of a large family that are aligned with the whole method.
struct Backbone {
  std::vector<std::uint32_t> members;  ///< canonical indices in the family, increasing
  GuideTree tree;                      ///< guide tree of the members
};

/// The weight of the tracks of a family in the models (see estimate_track_weight).
struct TrackWeight {
  double weight = 0;  ///< TrackParams::weight
  /// How well the track letters of aligned residues agree: 0 as by chance, 1 as the table expects.
  /// Not set if the user gave the weight.
  std::optional<double> agreement = {};
  std::size_t pairs = 0;  ///< pairs of sequences from which the agreement was estimated
};

/// A finished alignment with intermediate results.
struct AlignResult {
  Msa msa;
  GuideTree tree;
  NewickNotes tree_notes;                ///< notes of a tree from a file; else empty
  DistanceMatrix distances;              ///< of all sequences, or of the backbone of a large family
  std::optional<Backbone> backbone;      ///< set for a large family
  std::optional<Confidence> confidence;  ///< if the settings ask for it
  std::optional<TrackWeight> track;      ///< of a family with tracks
  std::vector<StageRecord> stages;
  std::size_t posterior_bytes = 0;  ///< memory of the first posterior set
  std::size_t posterior_cells = 0;  ///< cells of the first posterior set
};

/// Passes the posterior matrix of every wanted pair to `sink`, including pairs with an empty
/// sequence. Several threads may call `sink` at the same time, each for another pair; after a
/// device has failed, it may get a pair again (see PairSink). Long pairs of similar nucleotide
/// sequences are computed in pieces (compute_in_pieces).
/// `progress`, here and below, may be null.
/// Returns  the number of pairs that were computed in pieces, and of their pieces.
/// Throws  what the scheduler and `sink` throw.
PieceCount for_each_posterior(const PosteriorFamily& family, const PairSet& wanted,
                              Scheduler& scheduler, const PosteriorSink& sink,
                              ProgressListener* progress = nullptr);

/// Computes the posteriors of the wanted pairs.
/// Throws  what the scheduler throws.
PosteriorSet compute_posteriors(const PosteriorFamily& family, const PairSet& wanted,
                                Scheduler& scheduler, ProgressListener* progress = nullptr);

/// Computes the confidence of any alignment of a family, from the posteriors of all pairs. `msa`
/// aligns the sequences of `set`.
/// Throws  what the scheduler throws.
Confidence compute_confidence(const Msa& msa, const SequenceSet& set, const AlignSettings& settings,
                              Scheduler& scheduler, ProgressListener* progress = nullptr);

/// Computes the distances of all pairs of a family: 1 - expected accuracy, in [0, 1]. Matrices are
/// not kept.
/// Throws  what the scheduler throws.
DistanceMatrix compute_distances(const SequenceSet& set, const AlignSettings& settings,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

/// Reads the guide tree of TreeMethod::file. If `notes` is not null, it receives the notes of the
/// tree.
/// Throws  what read_text throws; as parse_newick for a tree that does not fit the family.
GuideTree tree_of_file(const SequenceSet& set, const AlignSettings& settings,
                       NewickNotes* notes = nullptr);

/// Builds the guide tree by the method of the settings: from the distances, or from a file. If
/// `notes` is not null, it receives the notes of a tree from a file.
/// Throws  what the scheduler throws; as tree_of_file for a tree from a file.
GuideTree build_tree(const SequenceSet& set, const DistanceMatrix& distances,
                     const AlignSettings& settings, Scheduler& scheduler,
                     NewickNotes* notes = nullptr);

/// Receivers of the progress and the results of a run.
struct RunListener {
  /// The result of a stage.
  using Value =
      std::variant<const PosteriorSet*, const DistanceMatrix*, const GuideTree*, const Msa*>;

  std::function<void(const StageRecord&)> on_stage = {};  ///< called when a stage has ended
  ProgressListener* progress = nullptr;                   ///< of all stages; may be null
  /// Receives the results of the stages of align_family(): "posteriors", "distances", "tree",
  /// "consistency" (after each round), "align", "refine". The pointer in the value is valid during
  /// the call alone. For tests.
  std::function<void(const std::string& stage, Value)> on_value = {};
};

/// Aligns a family by its mode: posterior along one tree (align_along_trees), or local. The stages
/// of the mode posterior are posteriors, guide tree, consistency, progressive alignment and
/// refinement. Every mix of backends and any number of threads give the same result.
/// Throws  what the stages throw.
AlignResult align_family(const SequenceSet& set, const AlignSettings& settings,
                         Scheduler& scheduler, const RunListener& listener = {});

}  // namespace accord
