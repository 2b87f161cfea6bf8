// SPDX-License-Identifier: Apache-2.0
#include "tools/distance_models.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "core/compared_letter.hpp"

namespace accord {
namespace {

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

}  // namespace

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
