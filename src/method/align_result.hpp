// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/confidence.hpp"
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/lddt.hpp"
#include "core/msa.hpp"
#include "core/posterior_set.hpp"
#include "engine/progress_listener.hpp"
#include "io/trees/newick_notes.hpp"
#include "method/structures/superposition.hpp"

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

/// What a run finds out about its family, besides the alignment. The log and the reports have it.
struct FamilyFacts {
  std::optional<TrackWeight> track = {};            ///< of a family with tracks
  std::optional<Superposition> superposition = {};  ///< of a family whose structures are superposed
  /// [canonical index]: the letters of the base pairs that were predicted; see fold_family(). Empty
  /// if none were.
  std::vector<std::string> base_pairs = {};
};

/// A finished alignment with intermediate results.
struct AlignResult {
  Msa msa;
  GuideTree tree;
  NewickNotes tree_notes;                ///< notes of a tree from a file; else empty
  DistanceMatrix distances;              ///< of all sequences, or of the backbone of a large family
  std::optional<Backbone> backbone;      ///< set for a large family
  std::optional<Confidence> confidence;  ///< if the settings ask for it
  std::optional<Lddt> lddt;              ///< of structures, if the settings ask for the confidence
  FamilyFacts facts;
  std::vector<StageRecord> stages;
  std::size_t posterior_bytes = 0;  ///< memory of the first posterior set
  std::size_t posterior_cells = 0;  ///< cells of the first posterior set
};

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

}  // namespace accord
