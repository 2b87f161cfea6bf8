// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/host/host_backend.hpp"
#include "engine/scheduler.hpp"
#include "method/folding/base_pair_track.hpp"
#include "method/folding/base_pairs.hpp"
#include "method/folding/loop_weights.hpp"
#include "method/large/family_plan.hpp"
#include "method/large/large_family.hpp"
#include "method/structures/pair_support.hpp"
#include "method/track_weight.hpp"
#include "models/track_table.hpp"
#include "support/align_cases.hpp"

namespace accord::testing {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;  // of a structure, by their ends

/// All structures of a sequence without pseudoknots, one after the other, and their weights from
/// their loops.
class AllStructures {
 public:
  explicit AllStructures(std::vector<std::uint8_t> bases, std::vector<double> factors)
      : bases_(std::move(bases)), factors_(std::move(factors)) {
    partner_.assign(bases_.size(), kNone);
    extend(0);
  }

  /// The share of the weight of all structures that those with each pair have.
  std::map<std::pair<std::size_t, std::size_t>, double> probabilities() const {
    auto found = sums_;
    for (auto& [pair, sum] : found) sum /= total_;
    return found;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// Adds all structures that have the pairs so far among the bases before i.
  void extend(std::size_t i) {
    if (i == bases_.size()) return add();
    if (partner_[i] == kNone) {
      for (std::size_t j = i + 1; j < bases_.size(); ++j) {
        if (partner_[j] != kNone) break;  // the end of a pair around both
        if (!LoopWeights::can_pair(bases_, i, j)) continue;
        partner_[i] = j;
        partner_[j] = i;
        extend(i + 1);
        partner_[i] = partner_[j] = kNone;
      }
    }
    extend(i + 1);
  }

  void add() {
    double weight = 1;
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      if (partner_[i] == kNone || partner_[i] < i) continue;
      weight *= loop_of(i, partner_[i]);
      if (!factors_.empty()) weight *= factors_[i * bases_.size() + partner_[i]];
    }
    for (const auto& [i, j] : branches_between(0, bases_.size())) {
      weight *= loop_weights().stem(bases_, i, j);
    }
    total_ += weight;
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      if (partner_[i] != kNone && partner_[i] > i) sums_[{i, partner_[i]}] += weight;
    }
  }

  /// The outermost pairs of the bases from `first` to the one before `end`.
  Pairs branches_between(std::size_t first, std::size_t end) const {
    Pairs found;
    for (std::size_t i = first; i < end; ++i) {
      if (partner_[i] == kNone) continue;
      found.emplace_back(i, partner_[i]);
      i = partner_[i];
    }
    return found;
  }

  /// The weight of the loop that a pair closes.
  double loop_of(std::size_t i, std::size_t j) const {
    const LoopWeights& weights = loop_weights();
    const Pairs inside = branches_between(i + 1, j);
    if (inside.empty()) return weights.hairpin(bases_, i, j);
    if (inside.size() == 1) {
      return weights.interior(bases_, i, j, inside[0].first, inside[0].second);
    }
    double weight = weights.multiloop(bases_, i, j);
    for (const auto& [k, l] : inside) weight *= weights.branch(bases_, k, l);
    return weight;
  }

  std::vector<std::uint8_t> bases_;
  std::vector<double> factors_;
  std::vector<std::size_t> partner_;
  double total_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, double> sums_;
};

void check_probabilities(const std::string& letters, const std::vector<double>& factors) {
  CAPTURE(letters);
  const std::vector<std::uint8_t> bases = bases_of(letters);
  std::map<std::pair<std::size_t, std::size_t>, double> found;
  for (const BasePair& pair : base_pair_probabilities(bases, factors)) {
    found[{pair.first, pair.second}] = pair.probability;
  }
  const auto expected = AllStructures(bases, factors).probabilities();
  for (const auto& [pair, probability] : found) {
    REQUIRE(expected.count(pair) == 1);
    CHECK(probability == doctest::Approx(expected.at(pair)).epsilon(1e-4));
  }
  for (const auto& [pair, probability] : expected) {
    if (probability > 1.01 * kLeastPairProbability) CHECK(found.count(pair) == 1);
  }
}

/// Hairpins of one shape whose stems have other bases in each sequence.
std::vector<SequenceRecord> hairpins() {
  return {{"a", "GGCAUCGAAAAGAUGCCAA"},
          {"b", "CCGUAGGAAAACUACGGAA"},
          {"c", "GACUGCGAAAAGCAGUCAA"},
          {"d", "CUGACGGAAAACGUCAGAA"}};
}

AlignResult aligned(const SequenceSet& set, const AlignSettings& settings) {
  HostBackend host;
  Scheduler scheduler(host);
  return align_sequences(set, settings, plan_family(set, settings), scheduler, {});
}

TEST_CASE("folding: probabilities are those of all structures one by one") {
  std::mt19937 random(3);
  for (int k = 0; k < 12; ++k) {
    std::string letters;
    for (int i = 0; i < 17; ++i) letters += "ACGUGC"[random() % 6];
    check_probabilities(letters, {});
    std::vector<double> factors;
    for (std::size_t i = 0; i < letters.size() * letters.size(); ++i) {
      factors.push_back(static_cast<double>(1 + random() % 8));
    }
    check_probabilities(letters, factors);
  }
  check_probabilities("GCGAAAGCACGAAAGUCGC", {});  // a multiloop
  check_probabilities("GGNNAAANNCC", {});
  check_probabilities("ACG", {});
}

TEST_CASE("folding: the strongest helix of 500 bases stays within the numbers") {
  std::string letters(248, 'G');
  letters.append(4, 'A').append(248, 'C');
  const std::vector<BasePair> pairs = base_pair_probabilities(bases_of(letters));
  std::vector<double> paired(letters.size());
  for (const BasePair& pair : pairs) {
    paired[pair.first] += pair.probability;
    paired[pair.second] += pair.probability;
  }
  CHECK(paired[100] == doctest::Approx(1).epsilon(1e-3));
  for (const double probability : paired) CHECK(probability <= 1 + 1e-9);
}

TEST_CASE("folding: bases get the letters of the pairs that the family has") {
  const SequenceSet set(hairpins(), ResidueType::rna);
  const AlignSettings settings = make_settings({}, ResidueType::rna);
  REQUIRE(can_fold(set, settings));
  const AlignResult result = aligned(set, settings);
  REQUIRE(result.facts.base_pairs.size() == 4);
  for (const std::string& letters : result.facts.base_pairs) {
    CHECK(letters.substr(0, 6) == "LLLLLL");
    CHECK(letters.substr(11, 6) == "RRRRRR");
    CHECK(letters[8] == 'u');
  }
  CHECK(result.msa.columns == 19);
  REQUIRE(result.facts.track.has_value());
  CHECK(result.facts.track->agreement.value_or(0) >= kLeastAgreement);
  std::vector<SequenceRecord> turned = hairpins();
  std::reverse(turned.begin(), turned.end());
  {
    const ThreadCount one(1);
    CHECK(aligned(SequenceSet(turned, ResidueType::rna), settings).msa == result.msa);
  }
  AlignSettings never = settings;
  never.folds = false;
  CHECK(aligned(set, never).facts.base_pairs.empty());
}

TEST_CASE("folding: partners that are aligned support their bases") {
  // Two hairpins, and an unpaired base at each end. The pair (1, 6) of x may also be (2, 6).
  std::vector<SequenceRecord> records = {{"x", "AGCAAACA"}, {"y", "AGGAAGCA"}};
  records[0].base_pairs = {{1, 6, 0.7}, {2, 6, 0.25}};
  records[1].base_pairs = {{1, 6, 0.9}, {2, 5, 0.8}};
  const SequenceSet set(records, ResidueType::rna);
  std::vector<std::vector<double>> p(8, std::vector<double>(8));
  const std::vector<PosteriorCell> cells = {{0, 0, 0.9F}, {1, 1, 0.5F}, {1, 2, 0.3F}, {2, 2, 0.4F},
                                            {4, 4, 0.6F}, {6, 6, 0.8F}, {6, 5, 0.1F}, {7, 7, 0.9F}};
  PosteriorSet posteriors(2);
  posteriors.at(0, 1) = SparseMatrix(8, 8, cells);
  const auto read = [&] {
    std::vector<std::vector<double>> values(8, std::vector<double>(8));
    for (std::uint32_t i = 0; i < 8; ++i) {
      posteriors.at(0, 1).for_each_in_row(
          i, [&](std::uint32_t j, std::uint32_t units) { values[i][j] = units / 65536.0; });
    }
    return values;
  };
  p = read();
  const auto both_ways = [&](std::size_t x, std::size_t i, std::size_t k) {
    double found = 0;
    for (const BasePair& pair : set.record(x).base_pairs) {
      if ((pair.first == i && pair.second == k) || (pair.first == k && pair.second == i)) {
        found = pair.probability;
      }
    }
    return found;
  };
  // The formula of the header, over all bases.
  for (const double share : {0.5, 0.5}) {
    auto after = p;
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        double paired_x = 0, paired_y = 0, of_partners = 0;
        for (std::size_t k = 0; k < 8; ++k) {
          paired_x += both_ways(0, i, k);
          paired_y += both_ways(1, j, k);
          for (std::size_t l = 0; l < 8; ++l) {
            if ((i < k) == (j < l))
              of_partners += both_ways(0, i, k) * both_ways(1, j, l) * p[k][l];
          }
        }
        after[i][j] = (1 - share * paired_x * paired_y) * p[i][j] + share * of_partners;
        if (p[i][j] == 0 && after[i][j] < 0.05) after[i][j] = 0;
      }
    }
    p = after;
  }
  TrackParams track;
  track.weight = 1;
  const std::size_t supported = support_by_base_pairs(set, track, 0.05, posteriors);
  const auto found = read();
  std::size_t expected = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(found[i][j] == doctest::Approx(p[i][j]).epsilon(1e-3));
      const bool pairs = (i == 1 || i == 2 || i == 6) && (j == 1 || j == 2 || j == 5 || j == 6);
      expected += pairs && p[i][j] > 0;
    }
  }
  CHECK(found[1][1] > 0.5);  // (6, 6) supports it
  CHECK(found[4][4] == doctest::Approx(0.6).epsilon(1e-4));
  CHECK(supported == expected);

  const PosteriorSet before = posteriors;
  track.weight = 0;
  support_by_base_pairs(set, track, 0.05, posteriors);
  CHECK(posteriors.at(0, 1) == before.at(0, 1));
}

TEST_CASE("folding: known base pairs support each other as predicted ones do") {
  std::vector<SequenceRecord> records = hairpins();
  for (SequenceRecord& record : records) record.track = "((((((.....))))))..";
  const SequenceSet letters_alone(records, ResidueType::rna);
  for (SequenceRecord& record : records) {
    for (std::uint32_t i = 0; i < 6; ++i) record.base_pairs.push_back({i, 16 - i, 1});
  }
  const SequenceSet with_pairs(records, ResidueType::rna);
  AlignSettings settings = make_settings({}, ResidueType::rna);
  set_track_table(std::make_shared<const TrackTable>(built_in_track_table("rna")), 1, settings);
  const auto has_stage = [](const AlignResult& result) {
    return std::ranges::any_of(result.stages,
                               [](const StageRecord& stage) { return stage.name == "base pairs"; });
  };
  CHECK_FALSE(has_stage(aligned(letters_alone, settings)));
  CHECK(has_stage(aligned(with_pairs, settings)));
  settings.parameters.track.weight = 0;  // tracks that say nothing
  CHECK_FALSE(has_stage(aligned(with_pairs, settings)));
}

TEST_CASE("folding: a family whose base pairs do not agree stays as it is") {
  std::mt19937 random(11);
  std::string ancestor;
  for (int i = 0; i < 120; ++i) ancestor += "ACGU"[random() % 4];
  std::vector<SequenceRecord> records;
  for (int k = 0; k < 6; ++k) {
    std::string letters = ancestor;
    for (int change = 0; change < 60; ++change) letters[random() % 120] = "ACGU"[random() % 4];
    records.push_back({"s" + std::to_string(k), letters});
  }
  const SequenceSet set(records, ResidueType::rna);
  const AlignSettings settings = make_settings({}, ResidueType::rna);
  REQUIRE(can_fold(set, settings));
  CHECK(aligned(set, settings).facts.base_pairs.empty());
}

TEST_CASE("folding: only RNA without tracks, aligned by posteriors, that is not alike") {
  const AlignSettings settings = make_settings({}, ResidueType::rna);
  CHECK_FALSE(can_fold(SequenceSet(hairpins(), ResidueType::dna), settings));
  CHECK_FALSE(can_fold(SequenceSet({hairpins().front()}, ResidueType::rna), settings));
  MethodOptions local;
  local.set("mode", "local", "--mode");
  CHECK_FALSE(
      can_fold(SequenceSet(hairpins(), ResidueType::rna), make_settings(local, ResidueType::rna)));
  std::vector<SequenceRecord> with_long = hairpins();
  with_long.push_back({"long", std::string(kLongestFolded + 1, 'A')});
  CHECK_FALSE(can_fold(SequenceSet(with_long, ResidueType::rna), settings));
  const std::vector<SequenceRecord> alike(3, hairpins().front());
  const SequenceSet same(alike, ResidueType::rna);
  REQUIRE(can_fold(same, settings));
  CHECK(aligned(same, settings).facts.base_pairs.empty());
}

}  // namespace
}  // namespace accord::testing
