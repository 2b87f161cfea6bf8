// SPDX-License-Identifier: Apache-2.0
#include "models/perturbation.hpp"

#include <algorithm>

#include "base/portable_math.hpp"
#include "base/random_bits.hpp"

namespace accord {
namespace {

constexpr double kMostStay = 0.917;  // as in parameter files

PairHmm with_factors(PairHmm hmm, const ParameterFactors& factors) {
  constexpr double kMostOpens = 0.45;  // of all classes, so that a match can follow a match
  double opens = 0;
  for (const GapClass& gap : hmm.gaps) opens += gap.open;
  const double open = std::min(factors.gap_open, kMostOpens / opens);
  for (GapClass& gap : hmm.gaps) {
    gap.open *= open;
    gap.stay = std::min(gap.stay * factors.gap_extend, std::max(gap.stay, kMostStay));
  }
  hmm.emissions.sharpness *= factors.sharpness;
  return with_symmetric_ends(std::move(hmm));
}

PartitionFunction with_factors(PartitionFunction partition, const ParameterFactors& factors) {
  // The score s has the weight exp(s / temperature).
  const double before = partition.temperature;
  const double after = before / factors.sharpness;
  const double most_extend = std::max(partition.gap_extend / before, portable_log(kMostStay));
  partition.temperature = after;
  partition.gap_open = after * (partition.gap_open / before + portable_log(factors.gap_open));
  partition.gap_extend =
      after *
      std::min(partition.gap_extend / before + portable_log(factors.gap_extend), most_extend);
  return partition;
}

}  // namespace

ParameterFactors draw_factors(std::uint64_t seed, const ParameterSpread& spread) {
  const auto draw = [&](double of_one) {
    return portable_exp(of_one * static_cast<double>(symmetric_unit(next_random(seed))));
  };
  ParameterFactors factors;
  factors.gap_open = draw(spread.gap_open);
  factors.gap_extend = draw(spread.gap_extend);
  factors.sharpness = draw(spread.sharpness);
  return factors;
}

Parameters with_factors(Parameters parameters, const ParameterFactors& factors) {
  parameters.hmm = with_factors(std::move(parameters.hmm), factors);
  parameters.partition = with_factors(parameters.partition, factors);
  parameters.matrix.hmm_factor *= factors.sharpness;
  parameters.matrix.partition_factor *= factors.sharpness;
  return parameters;
}

}  // namespace accord
