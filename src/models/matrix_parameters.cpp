// SPDX-License-Identifier: Apache-2.0
#include "models/matrix_parameters.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/portable_math.hpp"
#include "models/emissions.hpp"
#include "models/models.hpp"

namespace accord {
namespace {

/// The lambda of the scores of a partition function.
double lambda_of(const PartitionFunction& partition, ResidueKind kind) {
  const std::vector<double> p = background(kind);
  const ResiduePairs pairs = partition_scores(partition, kind);
  std::vector<std::vector<double>> scores(p.size());
  for (std::size_t a = 0; a < p.size(); ++a) {
    scores[a].assign(pairs[a].begin(), pairs[a].begin() + static_cast<std::ptrdiff_t>(p.size()));
  }
  const double near = karlin_lambda(scores, p);
  const MatrixScale implied = implied_scale(scores, near);
  return implied.background.empty() ? near : implied.lambda;
}

/// The gap class of a pair-HMM whose gaps of k residues have the weight exp(-f (open + k extend)),
/// relative to the transition from match to match.
std::vector<GapClass> gaps_of(const GapCosts& costs, double f, const PairHmm& hmm) {
  const double stay = portable_exp(-f * costs.extend);
  const double scale = portable_exp(-f * (costs.open + costs.extend));  // of the first residue
  constexpr double kMostStay = 0.917;                                   // as in parameter files
  if (!(stay <= kMostStay)) {
    throw Error(ErrorKind::bad_input,
                "each further residue of a gap has the weight " + std::to_string(stay) +
                    "; the largest possible weight is 0.917",
                "raise the second of {gap-costs}");
  }
  GapClass gap{};
  gap.stay = stay;
  gap.open = scale / (1 - stay + 2 * scale);  // scale = open (1 - stay) / (1 - 2 open)
  for (const GapClass& of_set : hmm.gaps) gap.start += of_set.start;
  return {gap};
}

}  // namespace

ParameterSet with_matrix(const ParameterSet& set, std::shared_ptr<const SubstitutionMatrix> matrix,
                         std::optional<GapCosts> costs) {
  if (set.parameters.residues != matrix->residues) {
    throw Error(ErrorKind::bad_input,
                "the matrix " + matrix->name + " has scores of " +
                    std::string(to_string(matrix->residues)) + " letters, and the sequences are " +
                    std::string(to_string(set.parameters.residues)),
                "take a matrix for such sequences, or say with {type} what they are");
  }
  ParameterSet result = set;
  result.name += "+" + matrix->name;
  result.text += matrix->text;
  Parameters& parameters = result.parameters;
  PartitionFunction& partition = parameters.partition;
  MatrixParams& scores = parameters.matrix;
  scores.hmm_factor = parameters.hmm.emissions.sharpness * matrix->lambda;
  scores.partition_factor =
      matrix->lambda / (lambda_of(partition, parameters.residues) * partition.temperature);
  scores.matrix = std::move(matrix);
  parameters.hmm.emissions.context_share = 0;
  partition.context_share = 0;
  parameters.gap_openings.context_share = 0;
  if (costs) {
    result.text += "\n" + std::to_string(costs->open) + "," + std::to_string(costs->extend);
    parameters.hmm.gaps = gaps_of(*costs, scores.hmm_factor, parameters.hmm);
    parameters.hmm = with_symmetric_ends(parameters.hmm);
    const double units = scores.partition_factor * partition.temperature;
    partition.gap_open = -units * (costs->open + costs->extend);
    partition.gap_extend = -units * costs->extend;
  }
  const bool is_protein = parameters.residues == ResidueKind::protein;
  build_posterior_model(parameters, is_protein ? ResidueType::protein : ResidueType::dna);
  return result;
}

}  // namespace accord
