// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/alphabet.hpp"
#include "core/sequence_set.hpp"
#include "core/sparse_matrix.hpp"
#include "models/parameters.hpp"
#include "models/residue_contexts.hpp"
#include "shared/layout.h"

namespace accord {

/// Maps the posteriors of the pair models to those that the later stages use: p becomes p^exponent,
/// in units of 2^-16 (see SparseMatrix). The table has the same bytes on all platforms.
/// An exponent below 1 raises small probabilities: cells with a low posterior in both models then
/// count for more in distances, consistency and alignment.
class Calibration {
 public:
  /// The identity.
  Calibration() = default;
  /// The map p^exponent; `exponent` > 0. All objects with one exponent share a table.
  explicit Calibration(double exponent);

  /// Maps the units of a cell, at most 65535. 0 stays 0, and units of at least 1 stay at least 1.
  std::uint32_t operator()(std::uint32_t units) const { return table_ ? (*table_)[units] : units; }

  /// The values of operator() for all units from 0 to 65535.
  std::vector<std::uint16_t> table() const;

  /// The calibrated matrix of a pair with `rows` and `cols` residues. `cells` are its kept cells
  /// before calibration, in any order; the function maps their probabilities.
  SparseMatrix matrix(std::uint32_t rows, std::uint32_t cols,
                      std::span<const PosteriorCell> cells) const;

  /// Whether both share one table, that is, have the same exponent.
  bool operator==(const Calibration&) const = default;

 private:
  std::shared_ptr<const std::vector<std::uint16_t>> table_;  // empty for the identity
};

/// The model of the posterior stage: the tables of the pair-HMM and the partition function, the
/// cutoff of cells, and the calibration of the kept cells.
struct PosteriorModel {
  accord_model tables;
  Calibration calibration;
  /// The contexts of the tables, which exist as long as the program; null: no contexts.
  const ResidueContexts* contexts = nullptr;
  /// The track classes of the tables, in place of contexts; null: no tracks.
  std::shared_ptr<const TrackClasses> track = {};
};

/// Builds the tables of a parameter set in odds form: emissions are divided by the background. All
/// logarithms and quotients are computed here, in double precision, and rounded once.
/// Throws  Error{bad_input} if the parameters are for other residues, or if the weight of a match
///         or of a further residue of a gap is larger than the kernels can scale (see
///         posteriors/scaling.h).
PosteriorModel build_posterior_model(const Parameters& parameters, ResidueType type);

/// Builds the tables for pairs of sequences with tracks; the parameters must use tracks
/// (TrackParams::is_used). The match weight of two residues has a factor for their track classes.
/// If these have the odds o, the factor is o^(f w), with the weight w of the tracks and the factor
/// f of the pair model (see TrackParams). If TrackParams::is_share is set and w < 1, the factor is
/// (1 + w (o - 1))^f: aligned letters have the odds o in a share w of the pairs, and meet by chance
/// in the others.
/// Throws  as build_posterior_model.
PosteriorModel build_track_model(const Parameters& parameters, ResidueType type);

/// Whether at least half of the residues of a sequence have a known letter of the track.
bool has_track(const SequenceSet& set, std::size_t x, const TrackClasses& classes);

/// A family and its posterior model. The constructor adds to the residue codes the contexts, or,
/// for a model of tracks, the track classes.
class PosteriorFamily {
 public:
  /// Copies the model; of_tracks() is null. `family` must outlive this object.
  PosteriorFamily(const SequenceSet& family, const PosteriorModel& of_family);
  /// Builds the model, and of_tracks() if it is not null, from the parameters. `family` must
  /// outlive this object.
  /// Throws  as build_posterior_model.
  PosteriorFamily(const SequenceSet& family, const Parameters& parameters);

  const SequenceSet& set;
  const PosteriorModel model;
  /// The residue codes for the tables of the model: with contexts, if the model has them.
  const CodedSequences& sequences() const {
    return model.contexts != nullptr || model.track ? with_classes_ : set.coded();
  }
  /// The same family with the model of tracks, for pairs of sequences that have one (see
  /// has_track); null if no two sequences have one, or the parameters do not use tracks.
  const PosteriorFamily* of_tracks() const { return of_tracks_.get(); }
  /// Whether sequence x has a track, see has_track; false if of_tracks() is null.
  bool has_track_of(std::size_t x) const { return of_tracks_ != nullptr && has_track_[x]; }

 private:
  CodedSequences with_classes_;
  std::vector<bool> has_track_;  // by sequence; empty without tracks
  std::unique_ptr<const PosteriorFamily> of_tracks_;
};

}  // namespace accord
