// SPDX-License-Identifier: Apache-2.0
// Alternative alignments: factors of parameters, noise of trees, agreement, and their texts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "base/portable_math.hpp"
#include "base/random_bits.hpp"
#include "io/files/text_sink.hpp"
#include "io/formats/efa.hpp"
#include "method/distance_noise.hpp"
#include "method/sequence_weights.hpp"
#include "method/upgma.hpp"
#include "models/models.hpp"
#include "models/parameter_set.hpp"
#include "models/perturbation.hpp"
#include "tools/ensemble_agreement.hpp"

using namespace accord;

namespace {

DistanceMatrix distances_of(std::uint32_t size) {
  DistanceMatrix distances(size);
  std::uint64_t state = 7;
  for (std::uint32_t y = 1; y < size; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      distances.set(x, y, 0.6f + 0.2f * symmetric_unit(next_random(state)));
    }
  }
  return distances;
}

double log_weight(double score, const PartitionFunction& partition) {
  return score / partition.temperature;
}

}  // namespace

TEST_CASE("random bits: splitmix64, and units in [-1, 1)") {
  std::uint64_t state = 0;
  CHECK(next_random(state) == 0xe220a8397b1dcdafu);  // of the reference program
  CHECK(next_random(state) == 0x6e789e6aa1b965f4u);
  CHECK(symmetric_unit(0) == -1.0f);
  CHECK(symmetric_unit(std::uint64_t{1} << 63) == 0.0f);
  CHECK(symmetric_unit(~std::uint64_t{0}) == 1.0f - 1.0f / 8388608);
  CHECK(random_bits_of({1, 2}) != random_bits_of({2, 1}));
}

TEST_CASE("factors of parameters: within their spread, of both signs, and the same every time") {
  const ParameterSpread spread;
  int larger = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ParameterFactors factors = draw_factors(seed);
    CHECK(std::abs(portable_log(factors.gap_open)) <= spread.gap_open);
    CHECK(std::abs(portable_log(factors.gap_extend)) <= spread.gap_extend);
    CHECK(std::abs(portable_log(factors.sharpness)) <= spread.sharpness);
    larger += factors.gap_open > 1;
    CHECK(draw_factors(seed).sharpness == factors.sharpness);
  }
  CHECK(larger > 70);
  CHECK(larger < 130);
}

TEST_CASE("factors of parameters multiply the weights of both models") {
  const Parameters before = default_parameters(ResidueType::protein);
  const ParameterFactors factors{1.5, 1.1, 0.9};
  const Parameters after = with_factors(before, factors);
  REQUIRE(after.hmm.gaps.size() == before.hmm.gaps.size());
  for (std::size_t k = 0; k < before.hmm.gaps.size(); ++k) {
    CHECK(after.hmm.gaps[k].open == doctest::Approx(1.5 * before.hmm.gaps[k].open));
    CHECK(after.hmm.gaps[k].stay ==
          doctest::Approx(std::min(0.917, 1.1 * before.hmm.gaps[k].stay)));
    CHECK(after.hmm.gaps[k].start == before.hmm.gaps[k].start);
  }
  CHECK(after.hmm.emissions.sharpness == doctest::Approx(0.9 * before.hmm.emissions.sharpness));
  CHECK(after.partition.temperature == doctest::Approx(before.partition.temperature / 0.9));
  CHECK(log_weight(after.partition.gap_open, after.partition) ==
        doctest::Approx(std::log(1.5) + log_weight(before.partition.gap_open, before.partition)));
  CHECK(log_weight(after.partition.gap_extend, after.partition) ==
        doctest::Approx(
            std::min(std::log(0.917),
                     std::log(1.1) + log_weight(before.partition.gap_extend, before.partition))));
}

TEST_CASE("factors of parameters: every draw gives a model that can be computed with") {
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Parameters drawn = with_factors(default_parameters(type), draw_factors(seed));
      CHECK_NOTHROW(build_posterior_model(drawn, type));
      CHECK(drawn.hmm.match_match() > 0);
    }
  }
}

TEST_CASE("noise of distances: factors within the spread; without noise the same tree") {
  const DistanceMatrix distances = distances_of(30);
  const DistanceMatrix noisy = with_noise(distances, {5, 0.25f});
  bool differs = false;
  for (std::uint32_t y = 1; y < 30; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      const float factor = noisy.at(x, y) / distances.at(x, y);
      CHECK(factor >= 0.7499f);
      CHECK(factor <= 1.2501f);
      differs = differs || noisy.at(x, y) != distances.at(x, y);
    }
  }
  CHECK(differs);
  CHECK(same_bytes(upgma(distances, {5, 0}), upgma(distances)));
}

TEST_CASE("noise of distances: trees differ by their seed, and children are below their parents") {
  const DistanceMatrix distances = distances_of(30);
  const GuideTree plain = upgma(distances);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const GuideTree tree = upgma(distances, {seed, 0.25f});
    CHECK(same_bytes(tree, upgma(distances, {seed, 0.25f})));
    CHECK_FALSE(tree.left == plain.left);
    for (std::size_t k = 0; k < tree.left.size(); ++k) {
      for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
        if (child < tree.leaves) continue;
        CHECK(tree.length[tree.left[child - tree.leaves]] <= tree.length[child]);
      }
    }
    CHECK(integer_sequence_weights(tree, WeightParams()).size() == 30);
  }
}

TEST_CASE("agreement of an ensemble: columns, pairs, dispersion, the best") {
  // x AB-C   x ABC   x ABC-
  // y A-BC   y ABC   y -ABC
  const Msa apart{4, {{0, 1, 3}, {0, 2, 3}}};
  const Msa whole{3, {{0, 1, 2}, {0, 1, 2}}};
  const Msa moved{4, {{0, 1, 2}, {1, 2, 3}}};
  const EnsembleAgreement found = agreement_of({&apart, &whole, &moved});
  const float third = 1.0f / 3, two_thirds = 2.0f / 3;
  CHECK(found.column_confidence ==
        std::vector<std::vector<float>>{{two_thirds, third, third, two_thirds},
                                        {two_thirds, third, two_thirds},
                                        {third, third, third, third}});
  // Shared pairs: 2 of 2 and 3; 0; 0.
  CHECK(found.agreement[0] == doctest::Approx(0.4));
  CHECK(found.agreement[1] == doctest::Approx(0.4));
  CHECK(found.agreement[2] == 0);
  CHECK(found.dispersion == doctest::Approx(1));
  CHECK(found.best == 0);
}

TEST_CASE("agreement of an ensemble: one replicate, equal ones, and other families") {
  const Msa one{2, {{0, 1}, {0, 1}, {1}}};
  const EnsembleAgreement alone = agreement_of({&one});
  CHECK(alone.column_confidence == std::vector<std::vector<float>>{{1, 1}});
  CHECK(alone.agreement == std::vector<double>{1});
  CHECK(alone.dispersion == 0);
  const EnsembleAgreement twice = agreement_of({&one, &one});
  CHECK(twice.agreement == std::vector<double>{1, 1});
  CHECK(twice.dispersion == 0);
  const Msa longer{2, {{0, 1}, {0, 1}, {0, 1}}};
  CHECK_THROWS_AS(agreement_of({&one, &longer}), const Error&);
}

TEST_CASE("texts of an ensemble: EFA, and one alignment of all columns") {
  AlignmentText first;
  first.columns = 3;
  first.headers = {"a one", "b"};
  first.names = {"a", "b"};
  first.rows = GappedRows(3);
  first.rows.push_back("AC-");
  first.rows.push_back("-CG");
  AlignmentText second = first;
  second.columns = 2;
  second.rows = GappedRows(2);
  second.rows.push_back("AC");
  second.rows.push_back("CG");
  const std::string efa = written_text([&](TextSink& out) {
    write_efa({"p0.t0", "p0.t1"}, {first, second}, std::nullopt, out);
  });
  CHECK(efa == "<p0.t0\n>a one\nAC-\n>b\n-CG\n<p0.t1\n>a one\nAC\n>b\nCG\n");
  const AlignmentText joined = concatenated({first, second});
  CHECK(joined.columns == 5);
  CHECK(joined.rows == std::vector<std::string>{"AC-AC", "-CGCG"});
  CHECK(joined.headers == first.headers);
}
