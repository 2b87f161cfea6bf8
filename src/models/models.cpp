// SPDX-License-Identifier: Apache-2.0
#include "models/models.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <string>

#include "accord/base/error.hpp"
#include "base/portable_math.hpp"
#include "models/emissions.hpp"
#include "models/substitution_matrix.hpp"
#include "models/track_classes.hpp"

namespace accord {
namespace {

/// Mean of `values` over the pairs of residues of `as` and `bs`, weighted by the background q.
double average(const ResiduePairs& values, const std::vector<double>& q,
               const std::vector<std::uint8_t>& as, const std::vector<std::uint8_t>& bs) {
  double sum = 0, total = 0;
  for (std::uint8_t a : as) {
    for (std::uint8_t b : bs) {
      sum += q[a] * q[b] * values[a][b];
      total += q[a] * q[b];
    }
  }
  return sum / total;
}

/// Largest match weight. With it, eight matches of a tile and the sum over its paths stay within
/// the bounds in scaling.h; the square of 2^64 is just beyond the floats.
constexpr double kLargestWeight = 60;

/// Largest weight of a further residue of a gap for which the scaling of tiles is tested: the
/// weight then halves within a tile. Exponents follow all values that enter a tile (scaling.h), so
/// larger weights might work as well.
constexpr double kLargestExtension = 0.917;  // 0.917^8 < 1/2

/// Stores the match weight of two codes.
/// Throws  Error{bad_input} if it is too large.
void set_weight(accord_recursion& recursion, std::size_t a, std::size_t b, double value) {
  const auto weight = static_cast<float>(value);
  if (!(weight <= kLargestWeight)) {
    throw Error(ErrorKind::bad_input,
                "the parameters give a pair of residues the weight " + std::to_string(weight) +
                    "; the largest possible weight is " +
                    std::to_string(static_cast<int>(kLargestWeight)),
                "a higher temperature, or a lower sharpness of the emissions, lowers it");
  }
  recursion.weight[a * ACCORD_SYMBOLS + b] = weight;
  recursion.weight[b * ACCORD_SYMBOLS + a] = weight;
}

/// Fills the match weights of a recursion from a matrix: factor * exp(scale * score).
void fill_weights(accord_recursion& recursion, ResidueType type, const SubstitutionMatrix& matrix,
                  double scale, double factor) {
  const auto symbols = static_cast<std::uint8_t>(symbol_count(type));
  for (std::uint8_t a = 0; a < symbols; ++a) {
    for (std::uint8_t b = 0; b <= a; ++b) {
      set_weight(recursion, a, b, matrix.weight(a, b, scale) * factor);
    }
  }
}

/// Fills the match weights of a recursion: factor * value for two residues. A code that may stand
/// for several residues gets factor * the mean of their values, weighted by the background. The
/// mean over all residues counts as 1 in every model, so that an unknown residue is neutral.
/// Entries of unused codes stay 0.
void fill_weights(accord_recursion& recursion, ResidueType type, const ResiduePairs& values,
                  double factor) {
  const std::vector<double> q = background(kind_of(type));
  const auto symbols = static_cast<std::uint8_t>(symbol_count(type));
  for (std::uint8_t a = 0; a < symbols; ++a) {
    for (std::uint8_t b = 0; b <= a; ++b) {
      const std::vector<std::uint8_t> as = residues_of_code(type, a);
      const std::vector<std::uint8_t> bs = residues_of_code(type, b);
      double value = 1;
      if (as.size() == 1 && bs.size() == 1) {
        value = values[as[0]][bs[0]];
      } else if (as.size() < q.size() && bs.size() < q.size()) {
        value = average(values, q, as, bs);
      }
      set_weight(recursion, a, b, value * factor);
    }
  }
}

/// Fills the context factors of the match weights: the odds of two classes to the power of `share`.
/// A factor is limited so that its product with the largest weight stays at most kLargestWeight.
/// Shape   log_odds(c, d): the natural logarithm of the odds of classes c and d
template <class LogOdds>
void fill_classes(accord_recursion& recursion, double share, const LogOdds& log_odds) {
  const double most = std::max(1.0, kLargestWeight / *std::ranges::max_element(recursion.weight));
  for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (std::size_t d = 0; d < ACCORD_CONTEXTS; ++d) {
      const double factor = share > 0 ? portable_exp(share * log_odds(c, d)) : 1;
      recursion.context[c * ACCORD_SYMBOLS + d] = static_cast<float>(std::min(factor, most));
    }
  }
}

/// Fills the context factors with those of contexts, or 1 without contexts.
void fill_contexts(accord_recursion& recursion, const ResidueContexts* contexts, double share) {
  fill_classes(recursion, contexts != nullptr ? share : 0,
               [&](std::size_t c, std::size_t d) { return contexts->log_odds(c, d); });
}

/// Fills the factors of opening a gap: the factors of letters and contexts to the power of `share`,
/// or 1 without contexts.
void fill_openings(accord_model& model, const ResidueContexts* contexts, double share) {
  for (int side = 0; side < 2; ++side) {
    for (std::size_t entry = 0; entry < ACCORD_ENTRIES; ++entry) {
      const double log = contexts != nullptr ? share * contexts->log_opening(side, entry) : 0;
      model.opening[side][entry] = static_cast<float>(portable_exp(log));
    }
  }
}

/// The residue codes of a family with the classes of its tracks in the upper bits.
CodedSequences with_track_classes(const SequenceSet& set, const TrackClasses& track) {
  CodedSequences coded;
  for (std::size_t x = 0; x < set.size(); ++x) {
    const std::span<const std::uint8_t> letters = set.coded().codes(x);
    std::vector<std::uint8_t> classes = track.classes(set.track(x));
    classes.resize(letters.size(), TrackClasses::kUnknown);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      classes[i] = static_cast<std::uint8_t>(letters[i] | classes[i] * ACCORD_SYMBOLS);
    }
    coded.append(classes);
  }
  return coded;
}

/// Stores a double as a sum of two floats (48 bits).
void split(double value, float (&parts)[2]) {
  parts[0] = static_cast<float>(value);
  parts[1] = static_cast<float>(value - static_cast<double>(parts[0]));
}

/// The pair-HMM divided by the emissions of all residues in insert states: inserts emit 1, and a
/// match emits odds. Transition weights are moved to the states where they cost least time (see
/// accord_recursion).
accord_recursion hmm_recursion(const PairHmm& hmm, ResidueType type, const MatrixParams& matrix) {
  const double match_match = hmm.match_match();
  accord_recursion recursion{};
  if (matrix.matrix) {
    fill_weights(recursion, type, *matrix.matrix, matrix.hmm_factor, match_match);
  } else {
    fill_weights(recursion, type, emission_odds(hmm.emissions, kind_of(type)), match_match);
  }
  for (std::size_t k = 0; k < hmm.gaps.size(); ++k) {
    const GapClass& gap = hmm.gaps[k];
    const double close = 1 - gap.stay;
    recursion.gap_scale[k] = static_cast<float>(close * gap.open / match_match);
    recursion.gap_extend[k] = static_cast<float>(gap.stay);
    recursion.forward_gap[k] = static_cast<float>(gap.start / gap.open);
    recursion.backward_gap[k] = static_cast<float>(gap.end * match_match / close);
    split(gap.end * gap.open, recursion.end_gap[k]);
  }
  recursion.forward_start = static_cast<float>(hmm.start_match / match_match);
  recursion.backward_start = static_cast<float>(hmm.end_match);
  split(hmm.end_match, recursion.end_match);
  return recursion;
}

accord_recursion partition_recursion(const PartitionFunction& partition, ResidueType type,
                                     const MatrixParams& matrix) {
  accord_recursion recursion{};
  if (matrix.matrix) {
    fill_weights(recursion, type, *matrix.matrix, matrix.partition_factor, 1.0);
  } else {
    fill_weights(recursion, type, partition_weights(partition, kind_of(type)), 1.0);
  }
  recursion.gap_scale[0] =
      static_cast<float>(portable_exp(partition.gap_open / partition.temperature));
  const double extension = portable_exp(partition.gap_extend / partition.temperature);
  if (!(extension <= kLargestExtension)) {
    throw Error(ErrorKind::bad_input,
                "the parameters give each further residue of a gap the weight " +
                    std::to_string(extension) +
                    " in the partition function; the largest possible weight is " +
                    std::to_string(kLargestExtension),
                "a lower gap_extend, or a lower temperature, lowers it");
  }
  recursion.gap_extend[0] = static_cast<float>(extension);
  recursion.forward_start = 1;
  recursion.backward_start = 1;
  return recursion;
}

constexpr std::uint32_t kUnits = ACCORD_UNITS_OF_ONE;
using PowerTable = std::vector<std::uint16_t>;

PowerTable make_table(double exponent) {
  PowerTable table(kUnits, 0);
  for (std::uint32_t units = 1; units < kUnits; ++units) {
    const double mapped = portable_pow(static_cast<double>(units) / kUnits, exponent) * kUnits;
    table[units] = static_cast<std::uint16_t>(std::clamp(mapped + 0.5, 1.0, 65535.0));
  }
  return table;
}

/// Returns the table of an exponent, made at first use. Making a table takes as long as aligning a
/// small family, and a batch has many small families.
std::shared_ptr<const PowerTable> shared_table(double exponent) {
  static std::mutex mutex;
  static std::map<double, std::shared_ptr<const PowerTable>> tables;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const PowerTable>& table = tables[exponent];
  if (!table) table = std::make_shared<const PowerTable>(make_table(exponent));
  return table;
}

}  // namespace

PosteriorModel build_posterior_model(const Parameters& parameters, ResidueType type) {
  if (parameters.residues != kind_of(type)) {
    throw Error(ErrorKind::bad_input,
                std::string(to_string(type)) + " sequences, but " + to_string(parameters.residues) +
                    " parameters",
                "take a parameter set for such sequences, or say with {type} what they are");
  }
  PosteriorModel model{};
  model.tables.hmm = hmm_recursion(parameters.hmm, type, parameters.matrix);
  model.tables.partition = partition_recursion(parameters.partition, type, parameters.matrix);
  const bool has_contexts =
      kind_of(type) == ResidueKind::protein &&
      (parameters.hmm.emissions.context_share > 0 || parameters.partition.context_share > 0 ||
       parameters.gap_openings.context_share > 0);
  if (has_contexts) model.contexts = &protein_contexts();
  fill_contexts(model.tables.hmm, model.contexts, parameters.hmm.emissions.context_share);
  fill_contexts(model.tables.partition, model.contexts, parameters.partition.context_share);
  fill_openings(model.tables, model.contexts, parameters.gap_openings.context_share);
  model.tables.hmm_share = static_cast<float>(parameters.mixture.hmm_share);
  model.tables.partition_share = 1.0f - model.tables.hmm_share;
  model.tables.square_share = static_cast<float>(parameters.mixture.square_share);
  model.tables.cutoff = parameters.cutoff;
  model.calibration = Calibration(parameters.mixture.calibration);
  return model;
}

PosteriorModel build_track_model(const Parameters& parameters, ResidueType type) {
  PosteriorModel model = build_posterior_model(parameters, type);
  const TrackParams& track = parameters.track;
  const bool is_share = track.is_share && *track.weight < 1;
  const double power = is_share ? 1 : *track.weight;
  const auto log_odds = [&](std::size_t c, std::size_t d) {
    const double log = track.classes->log_odds[c][d];
    return is_share ? portable_log(1 + *track.weight * (portable_exp(log) - 1)) : log;
  };
  fill_classes(model.tables.hmm, power * track.hmm_factor, log_odds);
  fill_classes(model.tables.partition, power * track.partition_factor, log_odds);
  for (auto& factors : model.tables.opening) {
    std::fill(factors + ACCORD_SYMBOLS, factors + ACCORD_ENTRIES, 1.0f);
  }
  model.contexts = nullptr;
  model.track = track.classes;
  return model;
}

bool has_track(const SequenceSet& set, std::size_t x, const TrackClasses& classes) {
  const std::vector<std::uint8_t> found = classes.classes(set.track(x));
  const auto unknown = std::ranges::count(found, TrackClasses::kUnknown);
  return !found.empty() && 2 * static_cast<std::size_t>(unknown) <= found.size();
}

PosteriorFamily::PosteriorFamily(const SequenceSet& family, const PosteriorModel& of_family)
    : set(family), model(of_family) {
  if (model.contexts != nullptr) with_classes_ = model.contexts->add_to(set.coded());
  if (model.track) with_classes_ = with_track_classes(set, *model.track);
}

PosteriorFamily::PosteriorFamily(const SequenceSet& family, const Parameters& parameters)
    : PosteriorFamily(family, build_posterior_model(parameters, family.type())) {
  if (!parameters.track.is_used()) return;
  for (std::size_t x = 0; x < set.size(); ++x) {
    has_track_.push_back(has_track(set, x, *parameters.track.classes));
  }
  if (std::ranges::count(has_track_, true) < 2) return;
  of_tracks_ =
      std::make_unique<const PosteriorFamily>(set, build_track_model(parameters, set.type()));
}

Calibration::Calibration(double exponent) {
  if (exponent != 1) table_ = shared_table(exponent);
}

std::vector<std::uint16_t> Calibration::table() const {
  if (table_) return *table_;
  PowerTable identity(kUnits);
  std::iota(identity.begin(), identity.end(), std::uint16_t{0});
  return identity;
}

SparseMatrix Calibration::matrix(std::uint32_t rows, std::uint32_t cols,
                                 std::span<const PosteriorCell> cells) const {
  SparseMatrix matrix(rows, cols, cells);
  if (table_) matrix.map_units([&](std::uint32_t units) { return (*this)(units); });
  return matrix;
}

}  // namespace accord
