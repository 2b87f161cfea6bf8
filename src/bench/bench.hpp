// SPDX-License-Identifier: Apache-2.0
// The tasks and measurements of `accord_bench`; the program itself is bench_main.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/peak_rates.hpp"
#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "engine/backend.hpp"
#include "models/models.hpp"
#include "stages/consistency/consistency_call.hpp"

namespace accord {

/// Sizes of the measured tasks.
struct BenchSizes {
  int sequences = 100, length = 300, taxa = 1000, seed = 1, repeats = 3;
};

/// The peak rate that bounds the speed of a stage.
enum class PeakLimit { arithmetic, doubles, copy };

/// A stage's fastest time, and the useful work that it did in that time.
struct Measurement {
  std::string stage;
  double seconds = 0;
  double work = 0;
  std::string unit;          ///< of the work
  double multiply_adds = 0;  ///< that the work needs
  double bytes = 0;          ///< of memory that the work reads and writes
  bool is_double = false;    ///< the multiply-adds are of doubles
  double uploaded = 0;       ///< bytes that must come to the device, at least
  double downloaded = 0;     ///< and back

  double rate() const { return seconds > 0 ? work / seconds : 0; }
  /// The peak rate at which the work takes longest.
  PeakLimit limit(const PeakRates& peaks) const;
  /// Share of that peak rate, in [0, 1]; more if the stage is spared work that was counted.
  double share(const PeakRates& peaks) const;
  /// Seconds that the bytes take at the peak rates; 0 if there is nothing to cross.
  double transfer_seconds(const PeakRates& peaks) const;
};

/// A family that has evolved from one random root: each sequence has kept 45 % of its residues, and
/// every 50th of them has been lost or doubled. The same on every machine.
SequenceSet random_family(const BenchSizes& sizes);

/// A random family, and the values of it that the stages work on, made by the host.
class BenchFamily {
 public:
  explicit BenchFamily(const BenchSizes& sizes);

  /// Posterior matrices from the call to the sink. Work: |x| |y| a pair, 46 instructions each
  /// (the two models forward and backward, their combination and the expected accuracy).
  Measurement posteriors(Backend& backend, int repeats) const;
  /// One round through as many sequences as by default. Work: the multiply-adds that end in a kept
  /// cell, whatever a backend does beside.
  Measurement consistency(Backend& backend, int repeats) const;

  std::size_t kept_cells() const { return posteriors_.cells(); }
  /// The multiply-adds of a round at kept cells: of at most `most_pairs` pairs, spread evenly over
  /// all, and multiplied to stand for all.
  double consistency_terms(std::size_t most_pairs) const;

 private:
  SequenceSet set_;
  Parameters parameters_;
  PosteriorModel model_;
  PosteriorSet posteriors_;
  ConsistencyWeights weights_;
  double dp_cells_ = 0, residues_ = 0;
};

/// Distances of the leaves of a random binary tree of depth 24, with some noise.
DistanceMatrix random_distances(const BenchSizes& sizes);

/// Neighbour joining. Work: the r (r - 1) / 2 cells of each step that a plain search would look at,
/// 4 bytes each; a search with bounds leaves most of them out.
Measurement measure_neighbor_joining(const DistanceMatrix& distances, Backend& backend,
                                     int repeats);

}  // namespace accord
