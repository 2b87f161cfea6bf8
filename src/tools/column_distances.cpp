// SPDX-License-Identifier: Apache-2.0
#include "tools/column_distances.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// Refuses a model that is none of differences in columns and none of others.
void check_other(const ColumnDistances& wanted) {
  if (wanted.others != nullptr) return wanted.others->check(wanted.model);
  throw Error(ErrorKind::usage, "model " + wanted.model + ": there is no such distance",
              "use p, snps, jc, k80, tn93 or kimura");
}

/// Names the pairs without a distance: NaN, or infinite if they differ too much.
void warn_of_pairs_without_distance(const DistanceMatrix& distances, const SequenceSet& set) {
  std::size_t unknown = 0, infinite = 0;
  std::string first_unknown, first_infinite;
  for (std::size_t l = 1; l < set.size(); ++l) {  // in the order of the input
    for (std::size_t k = 0; k < l; ++k) {
      const std::size_t x = set.from_input(k), y = set.from_input(l);
      const float distance = distances.at(x, y);
      if (std::isfinite(distance)) continue;
      const auto names = [&] { return quote(set.name(x)) + " and " + quote(set.name(y)); };
      if (std::isnan(distance)) {
        if (++unknown == 1) first_unknown = names();
      } else if (++infinite == 1) {
        first_infinite = names();
      }
    }
  }
  if (unknown > 0) {
    log_warning("NA: " + counted(unknown, "pair of rows has", "pairs of rows have") +
                    " no column to compare, such as " + first_unknown,
                "leave one of them out for programs that take numbers only");
  }
  if (infinite == 0) return;
  log_warning("NA: " + counted(infinite, "pair of rows differs", "pairs of rows differ") +
                  " more than the model can tell, such as " + first_infinite,
              "{model=p} has a number for them");
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// -ln x; infinite if x <= 0, where a model has no distance.
double minus_log(double x) { return x > 0 ? -std::log(x) : kInfinite; }

double k80_distance(double transitions, double transversions) {
  return 0.5 * minus_log(1 - 2 * transitions - transversions) +
         0.25 * minus_log(1 - 2 * transversions);
}

double tn93_distance(double purines, double pyrimidines, double transversions,
                     const std::array<double, 4>& bases) {
  const auto [a, c, g, t] = bases;
  const double r = a + g, y = c + t;
  const double of_purines = 2 * a * g / r, of_pyrimidines = 2 * c * t / y;
  const double of_both = 2 * (r * y - a * g * y / r - c * t * r / y);
  return of_purines * minus_log(1 - purines / of_purines - transversions / (2 * r)) +
         of_pyrimidines * minus_log(1 - pyrimidines / of_pyrimidines - transversions / (2 * y)) +
         of_both * minus_log(1 - transversions / (2 * r * y));
}

/// 1 - identity, rounded as identities are.
double p_distance(const PairCounts& counts, IdentityOver over) {
  const std::uint64_t more = over == IdentityOver::aligned ? 0
                             : over == IdentityOver::shorter
                                 ? std::min(counts.only_x, counts.only_y)
                                 : counts.only_x + counts.only_y;
  const auto all = static_cast<double>(counts.both + more);
  if (all == 0) return kUnknown;
  return 1.0f - static_cast<float>(static_cast<double>(counts.both - counts.differ) / all);
}

/// The distance of two rows, in substitutions per site, or in differences for snps. NaN if no
/// column can be compared; infinite if the rows differ too much for the model. `bases` is used by
/// TN93 only.
/// Reference  Jukes & Cantor 1969; Kimura 1980, J Mol Evol 16:111, equation 10; Tamura & Nei 1993,
///         Mol Biol Evol 10:512, equation 3; Kimura 1983, The neutral theory, page 75.
double model_distance(const PairCounts& counts, const DistanceSettings& settings,
                      const std::array<double, 4>& bases) {
  if (settings.model == DistanceModel::p) return p_distance(counts, settings.over);
  if (counts.both == 0) return kUnknown;
  if (settings.model == DistanceModel::snps) return static_cast<double>(counts.differ);
  if (counts.differ == 0) return 0;
  const auto share = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(counts.both);
  };
  const double p = share(counts.differ), transversions = share(counts.transversions);
  switch (settings.model) {
    case DistanceModel::jc:
      return 0.75 * minus_log(1 - 4 * p / 3);
    case DistanceModel::k80:
      return k80_distance(p - transversions, transversions);
    case DistanceModel::tn93:
      return tn93_distance(share(counts.purine_transitions), share(counts.pyrimidine_transitions()),
                           transversions, bases);
    default:
      return minus_log(1 - p - 0.2 * p * p);  // kimura
  }
}

}  // namespace

void check_column_distances(const ColumnDistances& wanted) {
  const std::optional<DistanceModel> model = wanted.in_columns();
  if (!model) check_other(wanted);
  if (wanted.over && model != DistanceModel::p) {
    throw Error(ErrorKind::usage,
                "model " + wanted.model + " is no share of anything that could be chosen",
                "leave out {identity-over}, or use {model=p}");
  }
  if (wanted.counts_unknown && model != DistanceModel::p && model != DistanceModel::snps) {
    throw Error(ErrorKind::usage, "unknown letters count in differences alone",
                "use {model=p} or {model=snps}, or leave out {unknown=count}");
  }
}

DistanceMatrix column_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                                const ColumnDistances& wanted, const std::string& label) {
  const std::optional<DistanceModel> model = wanted.in_columns();
  if (model && !is_of(*model, set.type())) {
    throw Error(ErrorKind::usage,
                "model " + wanted.model + " is not for " + std::string(to_string(set.type())),
                set.type() != ResidueType::protein ? "use p, snps, jc, k80 or tn93"
                : wanted.others != nullptr
                    ? "use p, kimura, or a model such as " + wanted.others->example
                    : "use p or kimura");
  }
  DistanceMatrix distances =
      model ? model_distances(
                  rows, set,
                  {*model, wanted.over.value_or(IdentityOver::aligned), wanted.counts_unknown})
            : wanted.others->distances(wanted.model, rows, set, label);
  warn_of_pairs_without_distance(distances, set);
  return distances;
}

std::optional<DistanceModel> distance_model_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, DistanceModel>, 8> kModels = {
      {{"p", DistanceModel::p},
       {"snps", DistanceModel::snps},
       {"jc", DistanceModel::jc},
       {"jc69", DistanceModel::jc},
       {"k80", DistanceModel::k80},
       {"k2p", DistanceModel::k80},
       {"tn93", DistanceModel::tn93},
       {"kimura", DistanceModel::kimura}}};
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const auto& [word, model] : kModels) {
    if (word == lower) return model;
  }
  return std::nullopt;
}

bool is_of(DistanceModel model, ResidueType type) {
  if (model == DistanceModel::p || model == DistanceModel::snps) return true;
  return (model == DistanceModel::kimura) == (type == ResidueType::protein);
}

std::array<double, 4> base_shares(const std::vector<std::string>& rows) {
  std::array<std::uint64_t, 256> counts{};
  for (const std::string& row : rows) {
    for (const char c : row) ++counts[static_cast<unsigned char>(c)];
  }
  constexpr std::string_view kBases = "ACGT";
  std::array<double, 4> shares{};
  double sum = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const std::size_t base = kBases.find(compared_letter(ResidueType::dna, static_cast<char>(c)));
    if (base == kBases.npos) continue;
    shares[base] += static_cast<double>(counts[c]);
    sum += static_cast<double>(counts[c]);
  }
  for (double& share : shares) share /= sum;
  return shares;
}

DistanceMatrix model_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                               const DistanceSettings& settings) {
  constexpr std::size_t kBlock = 8;  // rows that are compared with a row while the cache holds it
  const RowBits bits(rows, set.type(), settings.counts_unknown);
  const std::array<double, 4> bases =
      settings.model == DistanceModel::tn93 ? base_shares(rows) : std::array<double, 4>{};
  DistanceMatrix distances(rows.size());
  const std::size_t blocks = (rows.size() + kBlock - 1) / kBlock;
  parallel_for(blocks, [&](std::size_t index, int) {
    const std::size_t first = (blocks - 1 - index) * kBlock;  // long rows first
    const std::size_t end = std::min(rows.size(), first + kBlock);
    for (std::size_t k = 0; k + 1 < end; ++k) {
      for (std::size_t l = std::max(first, k + 1); l < end; ++l) {
        const double distance = model_distance(bits.compare(k, l), settings, bases);
        distances.set(set.from_input(k), set.from_input(l), static_cast<float>(distance));
      }
    }
  });
  return distances;
}

}  // namespace accord
