// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
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
