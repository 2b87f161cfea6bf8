// SPDX-License-Identifier: Apache-2.0
#include "models/models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "oracle/oracle.hpp"
#include "support/parameter_files.hpp"
#include "support/paths.hpp"
#include "support/reference_hashes.hpp"
#include "support/residue_tables.hpp"

namespace accord {
namespace {

constexpr ResidueType kTypes[] = {ResidueType::protein, ResidueType::dna, ResidueType::rna};

accord_model default_tables(ResidueType type) {
  return build_posterior_model(testing::published_parameters(type), type).tables;
}

float weight(const accord_recursion& recursion, std::size_t a, std::size_t b) {
  return recursion.weight[a * ACCORD_SYMBOLS + b];
}

float factor(const accord_recursion& recursion, std::size_t c, std::size_t d) {
  return recursion.context[c * ACCORD_SYMBOLS + d];
}

std::uint8_t code(char letter) { return encode_letter(ResidueType::protein, letter); }

/// Distance of a float from a real number, in units of the float's last place.
double ulps(float value, long double exact) {
  const float next = std::nextafter(value, std::numeric_limits<float>::infinity());
  return static_cast<double>(std::abs(value - exact) / (next - value));
}

double sum_of(const float (&parts)[2]) {
  return static_cast<double>(parts[0]) + static_cast<double>(parts[1]);
}

TEST_CASE("models: the emissions are those that the simulator reads") {
  std::ifstream table(source_dir() + "/datasets/parameters/protein_pairs.tsv");
  std::string line;
  std::size_t row = 0;
  std::getline(table, line);
  while (line.starts_with('#')) std::getline(table, line);  // the last of them is the header
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string residue, text;
    fields >> residue;
    CHECK(code(residue[0]) == row);
    for (std::size_t column = 0; column <= row; ++column) {
      REQUIRE((fields >> text));
      CHECK(std::stod(text) == testing::pair_emission(ResidueType::protein, row, column));
    }
    ++row;
  }
  CHECK(row == 20);
}

TEST_CASE("models: weights are symmetric, positive for codes in use and 0 for all others") {
  for (ResidueType type : kTypes) {
    const accord_model tables = default_tables(type);
    for (const accord_recursion* recursion : {&tables.hmm, &tables.partition}) {
      for (std::size_t a = 0; a < ACCORD_SYMBOLS; ++a) {
        for (std::size_t b = 0; b < ACCORD_SYMBOLS; ++b) {
          const bool in_use = a < symbol_count(type) && b < symbol_count(type);
          CHECK(weight(*recursion, a, b) == weight(*recursion, b, a));
          CHECK((weight(*recursion, a, b) > 0) == in_use);
        }
      }
    }
    CHECK(symbol_count(type) <= ACCORD_BORDER_SYMBOL);
  }
}

TEST_CASE("models: emissions are distributions") {
  for (ResidueType type : {ResidueType::protein, ResidueType::dna}) {
    double single = 0, pair = 0;
    for (std::size_t a = 0; a < residue_count(type); ++a) {
      double row = 0;
      for (std::size_t b = 0; b < residue_count(type); ++b)
        row += testing::pair_emission(type, a, b);
      CHECK(row == doctest::Approx(testing::single_emission(type, a)).epsilon(2e-6));
      single += testing::single_emission(type, a);
      pair += row;
    }
    CHECK(single == doctest::Approx(1).epsilon(1e-12));
    CHECK(pair == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("models: odds average to 1 over the background") {
  for (ResidueType type : {ResidueType::protein, ResidueType::dna}) {
    const accord_model tables = default_tables(type);
    const auto unknown = static_cast<std::uint8_t>(symbol_count(type) - 1);
    const double match_match = weight(tables.hmm, unknown, unknown);
    for (std::size_t a = 0; a < symbol_count(type); ++a) {
      double average = 0;
      for (std::size_t b = 0; b < residue_count(type); ++b)
        average += testing::single_emission(type, b) * weight(tables.hmm, a, b) / match_match;
      CHECK(average == doctest::Approx(1).epsilon(2e-6));
    }
  }
}

TEST_CASE("models: an unknown residue is neutral in both models") {
  for (ResidueType type : kTypes) {
    const accord_model tables = default_tables(type);
    const std::size_t unknown = encode_letter(type, type == ResidueType::protein ? 'X' : 'N');
    for (std::size_t a = 0; a < symbol_count(type); ++a) {
      CHECK(weight(tables.hmm, unknown, a) == 0.9600811172f);
      CHECK(weight(tables.partition, unknown, a) == 1.0f);
    }
  }
}

TEST_CASE("models: constants of the pair-HMM have the published digits") {
  Parameters published = testing::published_parameters(ResidueType::protein);
  published.hmm = testing::probcons_pair_hmm();
  const accord_recursion hmm = build_posterior_model(published, ResidueType::protein).tables.hmm;
  CHECK(hmm.gap_scale[0] == 7.5113499727e-3f);
  CHECK(hmm.gap_scale[1] == 8.4350808799e-4f);
  CHECK(hmm.gap_extend[0] == 0.3965826333f);
  CHECK(hmm.gap_extend[1] == 0.8988758326f);
  CHECK(hmm.forward_start == 0.70981054275f);
  CHECK(hmm.forward_gap[0] == 7.2088219027e-3f);
  CHECK(hmm.forward_gap[1] == 19.876287200f);
  CHECK(hmm.backward_start == 0.6814756989f);
  CHECK(hmm.backward_gap[0] == 1.3707635237e-4f);
  CHECK(hmm.backward_gap[1] == 1.5112296057f);
  CHECK(sum_of(hmm.end_match) == doctest::Approx(0.6814756989).epsilon(1e-14));
  CHECK(sum_of(hmm.end_gap[0]) == doctest::Approx(1.0296284556e-6).epsilon(1e-10));
  CHECK(sum_of(hmm.end_gap[1]) == doctest::Approx(1.2747343952e-3).epsilon(1e-10));
  CHECK(weight(hmm, code('W'), code('W')) / 0.9600811172f ==
        doctest::Approx(38.9118).epsilon(1e-6));
  CHECK(weight(hmm, code('A'), code('A')) / 0.9600811172f ==
        doctest::Approx(3.86968766).epsilon(1e-7));
}

TEST_CASE("models: with symmetric ends a gap weighs the same at both ends") {
  const accord_recursion hmm = default_tables(ResidueType::protein).hmm;
  for (int k = 0; k < 2; ++k) {
    // From the start: the injected gap and its closing; at the end: its opening and end weight.
    const double at_start = double{hmm.forward_gap[k]} * hmm.gap_scale[k] / hmm.forward_start;
    const double at_end = sum_of(hmm.end_gap[k]) / sum_of(hmm.end_match);
    CHECK(at_start == doctest::Approx(at_end).epsilon(1e-6));
    const double backward = double{hmm.backward_gap[k]} * hmm.gap_scale[k] / hmm.backward_start;
    CHECK(backward == doctest::Approx(at_end).epsilon(1e-6));
  }
}

TEST_CASE("models: constants of the partition function have the published digits") {
  struct Expected {
    ResidueType type;
    PartitionFunction partition;
    double open, extend;
  };
  const Expected cases[] = {
      {ResidueType::protein, {0, -22, -1, 5}, 0.0122773399, 0.8187307531},
      {ResidueType::protein, {1, -25.3549, -1.30113, 5.6007}, 0.01081204134, 0.7926959063},
      {ResidueType::dna, {0, -414, -27, 100}, 0.0159228515, 0.7633794943},
  };
  for (const Expected& expected : cases) {
    Parameters parameters = testing::published_parameters(expected.type);
    parameters.partition = expected.partition;
    const accord_recursion tables =
        build_posterior_model(parameters, expected.type).tables.partition;
    CHECK(tables.gap_scale[0] == doctest::Approx(expected.open).epsilon(1e-7));
    CHECK(tables.gap_extend[0] == doctest::Approx(expected.extend).epsilon(1e-7));
    CHECK(tables.forward_start == 1);
    CHECK(tables.backward_start == 1);
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      CHECK((k == 0 || tables.gap_scale[k] == 0));
      CHECK((k == 0 || tables.gap_extend[k] == 0));
      CHECK(tables.forward_gap[k] == 0);
      CHECK(tables.backward_gap[k] == 0);
      CHECK(tables.end_gap[k][0] == 0);
    }
  }
}

TEST_CASE("models: substitution scores are those of the published matrices") {
  const auto gonnet = [](const char* pair) {
    return testing::gonnet160(code(pair[0]), code(pair[1]));
  };
  const auto vtml = [](const char* pair) { return testing::vtml200(code(pair[0]), code(pair[1])); };
  CHECK(gonnet("AA") == 4.6);
  CHECK(gonnet("WW") == 15.8);
  CHECK(gonnet("WD") == -7.8);
  CHECK(gonnet("VI") == 4.0);
  CHECK(gonnet("CR") == -3.5);
  CHECK(vtml("AA") == 4);
  CHECK(vtml("WW") == 15);
  CHECK(vtml("ED") == 3);
  CHECK(vtml("WY") == 4);
  CHECK(testing::hoxd70(3, 3) == 91);
  CHECK(testing::hoxd70(1, 2) == -125);
}

TEST_CASE("models: weights are exponentials of scores, right to the last place") {
  std::vector<std::pair<ResidueType, PartitionFunction>> models = {
      {ResidueType::protein, {1, -25.3549, -1.30113, 5.6007}},
      {ResidueType::protein, {0, -22, -1, 4}}};
  for (ResidueType type : {ResidueType::protein, ResidueType::dna})
    models.push_back({type, testing::published_parameters(type).partition});
  for (const auto& [type, partition] : models) {
    Parameters parameters = testing::published_parameters(type);
    parameters.partition = partition;
    const accord_recursion tables = build_posterior_model(parameters, type).tables.partition;
    const auto exponential = [&, t = partition.temperature](double score) {
      return std::exp(static_cast<long double>(score / t));
    };
    CHECK(ulps(tables.gap_scale[0], exponential(partition.gap_open)) <= 0.5001);
    CHECK(ulps(tables.gap_extend[0], exponential(partition.gap_extend)) <= 0.5001);
    for (std::size_t a = 0; a < residue_count(type); ++a) {
      for (std::size_t b = 0; b < residue_count(type); ++b) {
        const double score = testing::substitution_score(partition, type, a, b);
        CHECK(ulps(weight(tables, a, b), exponential(score)) <= 0.5001);
      }
    }
  }
}

TEST_CASE("models: weights of ambiguous codes are the averages of the oracle") {
  for (ResidueType type : kTypes) {
    const Parameters parameters = testing::published_parameters(type);
    const accord_model tables = build_posterior_model(parameters, type).tables;
    const oracle::LogEmissions emissions = oracle::log_emissions(parameters.hmm.emissions, type);
    const oracle::LogTable weights = oracle::log_match_weights(parameters.partition, type);
    for (std::size_t a = 0; a < symbol_count(type); ++a) {
      for (std::size_t b = 0; b < symbol_count(type); ++b) {
        const double log_odds = emissions.pair[a][b] - emissions.single[a] - emissions.single[b];
        CHECK(weight(tables.hmm, a, b) ==
              doctest::Approx(0.9600811172 * std::exp(log_odds)).epsilon(1e-7));
        CHECK(weight(tables.partition, a, b) ==
              doctest::Approx(std::exp(weights[a][b])).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("models: without contexts all of their factors are 1") {
  for (ResidueType type : kTypes) {
    const PosteriorModel model = build_posterior_model(testing::published_parameters(type), type);
    CHECK(model.contexts == nullptr);
    for (const accord_recursion* recursion : {&model.tables.hmm, &model.tables.partition}) {
      for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
        for (std::size_t d = 0; d < ACCORD_CONTEXTS; ++d) CHECK(factor(*recursion, c, d) == 1);
      }
    }
    for (const auto& side : model.tables.opening) {
      for (const float opening : side) CHECK(opening == 1);
    }
  }
}

/// Checks the factors of a recursion, right to the last place; returns how many were cut off.
int check_factors(const accord_recursion& recursion, double share) {
  const long double most = 60.0L / *std::ranges::max_element(recursion.weight);
  int cut_off = 0;
  for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (std::size_t d = 0; d < ACCORD_CONTEXTS; ++d) {
      const long double wanted =
          std::exp(static_cast<long double>(share * protein_contexts().log_odds(c, d)));
      CHECK(ulps(factor(recursion, c, d), std::min(wanted, most)) <= 0.5001);
      cut_off += wanted > most;
    }
  }
  return cut_off;
}

TEST_CASE("models: factors of contexts are their odds to the power of the share") {
  Parameters parameters = testing::published_parameters(ResidueType::protein);
  for (const std::pair<double, double>& shares :
       {std::pair(0.2, 0.4), std::pair(0.0, 0.3), std::pair(0.1, 0.0), std::pair(2.0, 2.0)}) {
    const double hmm_share = shares.first, partition_share = shares.second;
    CAPTURE(hmm_share);
    CAPTURE(partition_share);
    parameters.hmm.emissions.context_share = hmm_share;
    parameters.partition.context_share = partition_share;
    const PosteriorModel model = build_posterior_model(parameters, ResidueType::protein);
    CHECK(model.contexts == &protein_contexts());
    const bool large = hmm_share == 2;
    CHECK((check_factors(model.tables.hmm, hmm_share) > 0) == large);
    CHECK((check_factors(model.tables.partition, partition_share) > 0) == large);
  }
}

TEST_CASE("models: factors of opening a gap are those of contexts to the power of the share") {
  Parameters parameters = testing::published_parameters(ResidueType::protein);
  for (const double share : {0.7, 2.0}) {
    CAPTURE(share);
    parameters.gap_openings.context_share = share;
    const PosteriorModel model = build_posterior_model(parameters, ResidueType::protein);
    CHECK(model.contexts == &protein_contexts());
    for (int side = 0; side < 2; ++side) {
      for (std::size_t entry = 0; entry < ACCORD_ENTRIES; ++entry) {
        const long double log = share * protein_contexts().log_opening(side, entry);
        CHECK(ulps(model.tables.opening[side][entry], std::exp(log)) <= 0.5001);
      }
    }
    CHECK(check_factors(model.tables.hmm, 0) == 0);  // matches are as they were
  }
}

TEST_CASE("models: a gap falls by a bit in a tile, as the exponents of tiles do") {
  const auto falls = [](const accord_recursion& tables) {
    for (const float extension : tables.gap_extend) {
      CHECK(std::pow(static_cast<double>(extension), ACCORD_TILE) <= 0.5);
    }
  };
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna}) {
    for (const Parameters& known :
         {default_parameters(type), testing::published_parameters(type)}) {
      const PosteriorModel model = build_posterior_model(known, type);
      falls(model.tables.hmm);
      falls(model.tables.partition);
    }
  }
  Parameters slow = default_parameters(ResidueType::protein);
  slow.partition.gap_extend = -0.08 * slow.partition.temperature;
  CHECK_THROWS_WITH_AS(build_posterior_model(slow, ResidueType::protein),
                       doctest::Contains("further residue of a gap"), Error);
}

TEST_CASE("models: no weight with its factor is larger than what can be scaled") {
  Parameters parameters = testing::published_parameters(ResidueType::protein);
  parameters.partition.gap_extend = -2;
  // The weight of W with W is exp(15.8 / T): 52 at 4, and 2.2 at 20, where nothing is cut off.
  for (const double temperature : {4.0, 5.0, 20.0}) {
    for (const double share : {0.5, 2.0}) {
      CAPTURE(temperature);
      CAPTURE(share);
      parameters.partition.temperature = temperature;
      parameters.hmm.emissions.context_share = parameters.partition.context_share = share;
      const accord_model tables = build_posterior_model(parameters, ResidueType::protein).tables;
      for (const accord_recursion* recursion : {&tables.hmm, &tables.partition}) {
        const double weight = *std::ranges::max_element(recursion->weight);
        const double largest = *std::ranges::max_element(recursion->context);
        CHECK(weight * largest <= 60 * (1 + 1e-7));
        CHECK(largest >= 1);
      }
    }
  }
}

TEST_CASE("models: tables have the same bytes on every platform") {
  // All but the factors of contexts.
  const auto hash_of = [](const accord_recursion& recursion) {
    std::vector<float> values(sizeof recursion / sizeof(float));
    std::memcpy(values.data(), &recursion, sizeof recursion);
    const auto contexts = values.begin() + offsetof(accord_recursion, context) / sizeof(float);
    values.erase(contexts, contexts + std::size(recursion.context));
    return testing::posterior_hash(values);
  };
  const accord_model protein = default_tables(ResidueType::protein);
  CHECK(hash_of(protein.hmm) == 0xb98c11eeb2b129d1);
  CHECK(hash_of(protein.partition) == 0x4f2ae4d08b7cb75c);
  const accord_model dna = default_tables(ResidueType::dna);
  CHECK(hash_of(dna.hmm) == 0x7a52b7a940239ffd);
  CHECK(hash_of(dna.partition) == 0x6b11f5ae0eddf2c5);
  Parameters parameters = testing::published_parameters(ResidueType::protein);
  parameters.partition = {1, -25.3549, -1.30113, 5.6007};
  const accord_model vtml = build_posterior_model(parameters, ResidueType::protein).tables;
  CHECK(hash_of(vtml.partition) == 0x9178e99116510e1a);
}

TEST_CASE("models: a model keeps the cells that its parameters ask for") {
  for (ResidueType type : kTypes) {
    Parameters parameters = default_parameters(type);
    const PosteriorModel usual = build_posterior_model(parameters, type);
    CHECK(parameters.cutoff == 0.01f);
    CHECK(usual.tables.cutoff == 0.01f);
    parameters.cutoff = 0.001f;
    const PosteriorModel more = build_posterior_model(parameters, type);
    CHECK(more.tables.cutoff == 0.001f);
    CHECK(std::memcmp(&usual.tables.hmm, &more.tables.hmm, sizeof usual.tables.hmm) == 0);
  }
}

TEST_CASE("models: parameters for other residues are errors") {
  const Parameters protein = testing::published_parameters(ResidueType::protein);
  const Parameters dna = testing::published_parameters(ResidueType::dna);
  CHECK_THROWS_AS(build_posterior_model(protein, ResidueType::dna), Error);
  CHECK_THROWS_AS(build_posterior_model(dna, ResidueType::protein), Error);
}

}  // namespace
}  // namespace accord
