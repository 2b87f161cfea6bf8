// SPDX-License-Identifier: Apache-2.0
// The tasks and measurements of `accord_bench`; the program itself is bench_main.cpp.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "bench/peak_rates.hpp"
#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "engine/backend.hpp"
#include "models/models.hpp"
#include "stages/consistency/consistency_call.hpp"

namespace accord {

/// Sizes of the measured tasks: number and length (in residues) of the sequences of a random
/// family, leaves (`taxa`) of the tree of random_distances(), seed of the random numbers, and
/// number of repetitions.
struct BenchSizes {
  int sequences = 100, length = 300, taxa = 1000, seed = 1, repeats = 3;
};

/// The peak rate that bounds the speed of a stage: of multiply-adds of floats, of multiply-adds of
/// doubles, or of copying memory.
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
  double uploaded = 0;       ///< the fewest bytes that must be copied to the device
  double downloaded = 0;     ///< the fewest bytes that must be copied back to the host

  /// The work per second.
  double rate() const { return seconds > 0 ? work / seconds : 0; }
  /// Whether memory or arithmetic bounds the speed: the one that takes longer at its peak rate.
  PeakLimit limit(const PeakRates& peaks) const;
  /// The share of the peak rate of limit() that the stage reached, in [0, 1]; above 1 if the stage
  /// skips work that was counted.
  double share(const PeakRates& peaks) const;
  /// Seconds that copies to the device and back take at the peak rates; 0 for the host, which
  /// copies nothing.
  double transfer_seconds(const PeakRates& peaks) const;
};

/// Makes a random family of proteins. Each sequence derives from one random root: it keeps 45 % of
/// the residues and has random residues in place of the others. In addition, 1 % of the residues
/// are missing, and 1 % have a random residue inserted behind them. The family is the same on every
/// machine.
SequenceSet random_family(const BenchSizes& sizes);

/// A random family, and the inputs of the measured stages, which the host computes. A measurement
/// runs the stage once without counting, then `repeats` times; the fastest run counts.
class BenchFamily {
 public:
  /// Makes random_family(sizes), and computes the posteriors of all pairs and the intermediates of
  /// the consistency transform on the host.
  explicit BenchFamily(const BenchSizes& sizes);

  /// Measures the posteriors of all pairs, from the call to the last matrix. Work: |x| |y| cells
  /// for each pair, with 46 instructions for each cell (the two models forward and backward, their
  /// combination and the expected accuracy).
  Measurement posteriors(Backend& backend, int repeats) const;
  /// Measures one round of consistency, through the default number of intermediates. Work: the
  /// multiply-adds that are added to a kept cell; a backend may compute more.
  Measurement consistency(Backend& backend, int repeats) const;

  /// The number of kept cells of the posteriors of all pairs.
  std::size_t kept_cells() const { return posteriors_.cells(); }
  /// The number of multiply-adds of a round that are added to kept cells. The function counts those
  /// of at most `most_pairs` pairs, spread evenly over all pairs, and scales the count to all
  /// pairs.
  double consistency_terms(std::size_t most_pairs) const;

 private:
  SequenceSet set_;
  Parameters parameters_;
  PosteriorModel model_;
  PosteriorSet posteriors_;
  ConsistencyWeights weights_;
  double dp_cells_ = 0, residues_ = 0;
};

/// Makes distances of `sizes.taxa` leaves of a random binary tree of depth 24, with some noise. The
/// distances are in [0, 0.82].
DistanceMatrix random_distances(const BenchSizes& sizes);

/// Measures neighbour joining; the fastest of `repeats` runs counts. Work: the r (r - 1) / 2
/// distances that a plain search reads in a step with r clusters, 4 bytes each. A search with
/// bounds skips most of them.
Measurement measure_neighbor_joining(const DistanceMatrix& distances, Backend& backend,
                                     int repeats);

/// A stage that `accord_bench` measures beside those of the aligner.
struct BenchStage {
  const Stage* stage;
  std::string name;         ///< the name of the stage for --stages
  std::string what;         ///< the timed work, in words: "the likelihood of a made-up tree"
  std::string unit, peaks;  ///< in words: the unit of work, and the operations and bytes of a unit
  OptionTable options;      ///< the options for the sizes of the work
  /// The sizes that the options have set, by name.
  std::function<std::vector<std::pair<std::string, int>>()> sizes;
  /// Measures a backend that computes the stage: runs the work `repeats` times, on random data of
  /// the seed.
  std::function<Measurement(Backend& backend, int repeats, int seed)> measure;
};

}  // namespace accord
