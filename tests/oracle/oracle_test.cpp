// SPDX-License-Identifier: Apache-2.0
// The oracle against alignments listed one by one: if these agree, the recursions of the oracle
// are those of the models.
#include "oracle/oracle.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/residue_contexts.hpp"
#include "oracle/brute_force.hpp"
#include "support/parameter_files.hpp"
#include "support/sequences.hpp"
#include "tolerances.hpp"

namespace accord {
namespace {

using oracle::Dense;
using testing::Codes;

constexpr std::size_t kMaxLength = 4;

/// Largest |a - b| / b over all cells; cells that are 0 in b must be 0 in a.
double largest_relative_error(const Dense& a, const Dense& b) {
  double error = 0;
  for (std::size_t i = 0; i <= a.m(); ++i) {
    for (std::size_t j = 0; j <= a.n(); ++j) {
      if (a.at(i, j) != b.at(i, j))
        error = std::max(error, std::abs(a.at(i, j) - b.at(i, j)) / b.at(i, j));
    }
  }
  return error;
}

/// Random pairs of 1 to kMaxLength residues, a third of the codes ambiguous, with any contexts.
std::vector<testing::PairCase> tiny_pairs(ResidueType type) {
  testing::SequenceGenerator random(7, type);
  std::vector<testing::PairCase> pairs;
  for (std::size_t m = 1; m <= kMaxLength; ++m) {
    for (std::size_t n = 1; n <= kMaxLength; ++n) {
      for (double ambiguity : {0.0, 0.3}) {
        pairs.push_back(
            {std::to_string(m) + " x " + std::to_string(n),
             random.with_contexts(random.with_ambiguity(random.background(m), ambiguity)),
             random.with_contexts(random.with_ambiguity(random.background(n), ambiguity))});
      }
    }
  }
  return pairs;
}

constexpr ResidueType kTypes[] = {ResidueType::protein, ResidueType::dna};

TEST_CASE("oracle: pair-HMM posteriors are those of all state paths") {
  for (ResidueType type : kTypes) {
    PairHmm two = testing::published_parameters(type).hmm;
    PairHmm one = two, three = two;
    one.gaps.resize(1);
    three.gaps.push_back({0.0005, 0.985, 0.01, 0.02});
    two.emissions.context_share = three.emissions.context_share = 0.6;
    for (const PairHmm& hmm : {one, two, three}) {
      CAPTURE(hmm.gaps.size());
      for (const testing::PairCase& pair : tiny_pairs(type)) {
        CAPTURE(pair.name);
        for (const double share : {0.0, 0.9}) {
          const GapOpeningParams openings{share};
          const Dense expected =
              oracle::hmm_posteriors_by_enumeration(pair.x, pair.y, hmm, type, openings);
          const Dense found = oracle::hmm_posteriors(pair.x, pair.y, hmm, type, openings);
          CHECK(largest_relative_error(found, expected) < testing::kOracleError);
        }
      }
    }
  }
}

TEST_CASE("oracle: partition function posteriors are those of all alignments") {
  std::vector<std::pair<ResidueType, PartitionFunction>> models = {
      {ResidueType::protein, {1, -25.3549, -1.30113, 5.6007}},
      {ResidueType::protein, {0.5, -25.3549, -1.30113, 4.942, 0.6}}};
  for (ResidueType type : kTypes)
    models.push_back({type, testing::published_parameters(type).partition});
  for (const auto& [type, partition] : models) {
    for (const testing::PairCase& pair : tiny_pairs(type)) {
      CAPTURE(pair.name);
      for (const double share : {0.0, 0.9}) {
        const GapOpeningParams openings{share};
        const Dense expected =
            oracle::partition_posteriors_by_enumeration(pair.x, pair.y, partition, type, openings);
        const Dense found = oracle::partition_posteriors(pair.x, pair.y, partition, type, openings);
        CHECK(largest_relative_error(found, expected) < testing::kOracleError);
      }
    }
  }
}

TEST_CASE("oracle: expected accuracy is the best of all alignments") {
  const Parameters parameters = testing::published_parameters(ResidueType::protein);
  for (const testing::PairCase& pair : tiny_pairs(ResidueType::protein)) {
    CAPTURE(pair.name);
    const Dense posterior = oracle::posteriors(pair.x, pair.y, parameters, ResidueType::protein);
    const double best = oracle::expected_accuracy_by_enumeration(posterior);
    CHECK(oracle::expected_accuracy(posterior) == doctest::Approx(best).epsilon(1e-14));
    CHECK(oracle::distance(posterior) ==
          doctest::Approx(1 - best / static_cast<double>(std::min(pair.x.size(), pair.y.size()))));
  }
}

TEST_CASE("oracle: contexts count by their share, and no more than can be scaled") {
  const ResidueType type = ResidueType::protein;
  const ResidueContexts& contexts = protein_contexts();
  Parameters parameters = testing::published_parameters(type);
  const std::uint8_t w = encode_letter(type, 'W'), a = encode_letter(type, 'A');
  const auto with_context = [](std::uint8_t letter, std::size_t context) {
    return static_cast<std::uint8_t>(letter + 32 * context);
  };
  parameters.hmm.emissions.context_share = 1.5;
  parameters.partition.context_share = 2;
  const oracle::LogMatches hmm = oracle::log_matches(parameters.hmm, type);
  const oracle::LogMatches partition = oracle::log_matches(parameters.partition, type);
  // The largest weights are those of W with W: 38.9118 * 0.9600811 and exp(15.8 / 5).
  const double hmm_cap = std::log(60 / (38.9118 * 0.9600811)), pf_cap = std::log(60.0) - 15.8 / 5;
  int cut_off[2] = {0, 0};
  for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (std::size_t d = 0; d < ACCORD_CONTEXTS; ++d) {
      const double log_odds = contexts.log_odds(c, d);
      CHECK(hmm(with_context(w, c), with_context(a, d)) - hmm.letters[w][a] ==
            doctest::Approx(std::min(1.5 * log_odds, hmm_cap)).epsilon(1e-5));
      CHECK(partition(with_context(a, c), with_context(w, d)) - partition.letters[a][w] ==
            doctest::Approx(std::min(2 * log_odds, pf_cap)).epsilon(1e-5));
      cut_off[0] += 1.5 * log_odds > hmm_cap;
      cut_off[1] += 2 * log_odds > pf_cap;
    }
  }
  for (const int count : cut_off) {
    CHECK(count > 0);
    CHECK(count < ACCORD_CONTEXTS * ACCORD_CONTEXTS);
  }
}

TEST_CASE("oracle: one residue against one is aligned with certainty") {
  const Parameters parameters = testing::published_parameters(ResidueType::protein);
  const Dense posterior = oracle::posteriors(Codes{0}, Codes{17}, parameters, ResidueType::protein);
  CHECK(posterior.at(1, 1) == doctest::Approx(1.0).epsilon(1e-14));
}

TEST_CASE("oracle: a residue is aligned at most once") {
  testing::SequenceGenerator random(3);
  const Parameters parameters = testing::published_parameters(ResidueType::protein);
  const Codes x = random.background(60);
  const Codes y = random.relative(x);
  const Dense hmm = oracle::hmm_posteriors(x, y, parameters.hmm, ResidueType::protein);
  const Dense partition =
      oracle::partition_posteriors(x, y, parameters.partition, ResidueType::protein);
  for (const Dense& posterior : {hmm, partition}) {
    for (std::size_t i = 1; i <= x.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 1; j <= y.size(); ++j) sum += posterior.at(i, j);
      CHECK(sum < 1 + 1e-9);
    }
  }
}

TEST_CASE("oracle: emissions of an ambiguous code leave the odds of its residues' average") {
  const oracle::LogEmissions emissions = oracle::log_emissions({}, ResidueType::protein);
  const std::uint8_t b = encode_letter(ResidueType::protein, 'B');
  const std::uint8_t n = encode_letter(ResidueType::protein, 'N');
  const std::uint8_t d = encode_letter(ResidueType::protein, 'D');
  const std::uint8_t unknown = encode_letter(ResidueType::protein, 'X');
  const auto odds = [&](std::uint8_t r, std::uint8_t s) {
    return std::exp(emissions.pair[r][s] - emissions.single[r] - emissions.single[s]);
  };
  const double q_n = std::exp(emissions.single[n]), q_d = std::exp(emissions.single[d]);
  for (std::uint8_t a = 0; a < 20; ++a) {
    CHECK(odds(a, b) ==
          doctest::Approx((q_n * odds(a, n) + q_d * odds(a, d)) / (q_n + q_d)).epsilon(1e-13));
    CHECK(odds(a, unknown) == doctest::Approx(1.0).epsilon(1e-14));
  }
}

}  // namespace
}  // namespace accord
