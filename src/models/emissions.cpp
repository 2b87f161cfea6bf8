// SPDX-License-Identifier: Apache-2.0
#include "models/emissions.hpp"

#include <cstdint>
#include <span>

#include "base/portable_math.hpp"
#include "models/model_tables.hpp"

namespace accord {
namespace {

/// Entry (a, b) of a symmetric table stored as a lower triangle.
template <class Integer>
double triangle_at(std::span<const Integer> table, std::size_t a, std::size_t b) {
  return a < b ? table[b * (b + 1) / 2 + a] : table[a * (a + 1) / 2 + b];
}

double vtml200(std::size_t a, std::size_t b) {
  return triangle_at<std::int16_t>(tables::kVtml200, a, b);
}

/// Joint probability that the match state emits two residues. Nucleotides: 0.12 for equal and 0.044
/// for different bases, divided by their total (Edgar 2022, Nat Commun 13:6968).
double pair_emission(ResidueKind kind, std::size_t a, std::size_t b) {
  if (kind == ResidueKind::nucleotide) return (a == b ? 0.12 : 0.044) / 1.008;
  return triangle_at<std::int32_t>(tables::kProteinPairEmission, a, b) / 1e8;
}

double substitution_score(const PartitionFunction& partition, ResidueKind kind, std::size_t a,
                          std::size_t b) {
  if (kind == ResidueKind::nucleotide) return triangle_at<std::int16_t>(tables::kHoxd70, a, b);
  const double gonnet = triangle_at<std::int16_t>(tables::kGonnet160, a, b) / 10.0;
  if (partition.vtml200_share == 0) return gonnet;
  return (1 - partition.vtml200_share) * gonnet + partition.vtml200_share * vtml200(a, b);
}

/// Calls value(a, b) for every pair of canonical residues.
template <class Value>
ResiduePairs pairs_of(ResidueKind kind, Value&& value) {
  const std::size_t residues = background(kind).size();
  ResiduePairs pairs{};
  for (std::size_t a = 0; a < residues; ++a) {
    for (std::size_t b = 0; b < residues; ++b) pairs[a][b] = value(a, b);
  }
  return pairs;
}

}  // namespace

std::vector<double> background(ResidueKind kind) {
  if (kind == ResidueKind::nucleotide) return {0.25, 0.25, 0.25, 0.25};
  std::vector<double> q;
  for (std::int32_t units : tables::kProteinEmission) q.push_back(units / 1e8);
  return q;
}

ResiduePairs emission_odds(const EmissionParams& emissions, ResidueKind kind) {
  constexpr double kVtml200Log = 0.2319;  // log odds per unit of score
  const std::vector<double> q = background(kind);
  const double share = emissions.vtml200_share, sharpness = emissions.sharpness;
  return pairs_of(kind, [&](std::size_t a, std::size_t b) {
    const double odds = pair_emission(kind, a, b) / (q[a] * q[b]);
    if (share == 0) return portable_pow(odds, sharpness);
    const double mixed = (1 - share) * portable_log(odds) + share * kVtml200Log * vtml200(a, b);
    return portable_exp(sharpness * mixed);
  });
}

ResiduePairs partition_scores(const PartitionFunction& partition, ResidueKind kind) {
  return pairs_of(kind, [&](std::size_t a, std::size_t b) {
    return substitution_score(partition, kind, a, b);
  });
}

ResiduePairs partition_weights(const PartitionFunction& partition, ResidueKind kind) {
  return pairs_of(kind, [&](std::size_t a, std::size_t b) {
    return portable_exp(substitution_score(partition, kind, a, b) / partition.temperature);
  });
}

}  // namespace accord
