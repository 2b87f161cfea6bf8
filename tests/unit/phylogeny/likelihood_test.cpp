// SPDX-License-Identifier: Apache-2.0
// What the likelihood must not depend on, large trees, models, patterns, fitting.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "phylogeny/ml_distances.hpp"
#include "phylogeny/site_patterns.hpp"
#include "phylogeny/summary.hpp"
#include "support/likelihood_cases.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

Likelihood computed(const LikelihoodTask& task, const host::Kernels* kernels = nullptr) {
  HostBackend host(kernels);
  return likelihoods(host, {&task, 1}).front();
}

FitResult fitted(const LikelihoodCase& one, FitTarget target) {
  HostBackend host;
  Scheduler scheduler(host);
  return fit(one.state, one.patterns, target, scheduler);
}

AlignmentPatterns patterns_of(const std::vector<std::string>& rows, ResidueType type,
                              StateKind states) {
  std::vector<SequenceRecord> records;
  std::vector<std::size_t> row_of;
  for (const std::string& row : rows) {
    row_of.push_back(records.size());
    records.push_back({"row" + std::to_string(records.size()), row});
  }
  return find_patterns(records, row_of, type, states, "a.fa");
}

}  // namespace

TEST_CASE("likelihood: does not depend on where the root is on its branch") {
  std::mt19937 random(1);
  LikelihoodCase one("GTR{1,2,0.5,1.5,3}+G4{0.5}+I{0.1}", 12, 50, random);
  const double total = computed(one.task()).total;
  double& left = one.state.lengths[one.state.tree.left.back()];
  double& right = one.state.lengths[one.state.tree.right.back()];
  const double sum = left + right;
  for (const double share : {0.0, 0.3, 1.0}) {
    left = share * sum;
    right = sum - left;
    CHECK(computed(one.task()).total == doctest::Approx(total).epsilon(1e-12));
  }
}

TEST_CASE("likelihood: does not depend on the order of the tips") {
  std::mt19937 random(2);
  LikelihoodCase one("WAG+G4{0.5}", 15, 33, random);
  const double total = computed(one.task()).total;
  std::vector<std::uint32_t> place(15);
  std::iota(place.begin(), place.end(), 0u);
  std::shuffle(place.begin(), place.end(), random);
  LikelihoodCase other = one;
  const std::size_t stride = one.patterns.stride();
  for (std::uint32_t tip = 0; tip < 15; ++tip) {
    std::copy_n(&one.patterns.codes[tip * stride], stride,
                &other.patterns.codes[place[tip] * stride]);
    other.state.lengths[place[tip]] = one.state.lengths[tip];
  }
  for (auto* children : {&other.state.tree.left, &other.state.tree.right}) {
    for (std::uint32_t& child : *children) child = child < 15 ? place[child] : child;
  }
  CHECK(computed(other.task()).total == doctest::Approx(total).epsilon(1e-12));
}

TEST_CASE("likelihood: a pattern counts as often as its weight says") {
  std::mt19937 random(3);
  LikelihoodCase one("LG+G4{0.5}", 6, 20, random);
  const Likelihood once = computed(one.task(true));
  for (double& weight : one.patterns.weights) weight *= 2;
  const Likelihood twice = computed(one.task(true));
  CHECK(twice.total == 2 * once.total);
  CHECK(twice.sites == once.sites);
  for (std::size_t k = 0; k < once.slope.size(); ++k) CHECK(twice.slope[k] == 2 * once.slope[k]);
}

TEST_CASE("likelihood: 5,000 tips do not underflow, and scaling changes nothing") {
  std::mt19937 random(4);
  LikelihoodCase large("JC+G2{1}", 5000, 3, random, 2.0);
  const Likelihood found = computed(large.task(true));
  REQUIRE(std::isfinite(found.total));
  CHECK(found.total < -5000);  // far below the smallest double, e^-745
  for (const double slope : found.slope) CHECK(std::isfinite(slope));
  // A tree of which the halves, far apart, do not know of each other: what needs scaling together
  // needs none alone.
  LikelihoodCase half("JC", 300, 3, random, 2.0);
  LikelihoodCase both = half;
  const std::size_t stride = half.patterns.stride();
  both.patterns.tips = both.state.tree.leaves = 600;
  both.patterns.codes.insert(both.patterns.codes.end(), half.patterns.codes.begin(),
                             half.patterns.codes.end());
  CHECK(both.patterns.codes.size() == 600 * stride);
  GuideTree& tree = both.state.tree;
  tree.left.clear();
  tree.right.clear();
  both.state.lengths.assign(1199, 0.0);
  for (std::uint32_t copy = 0; copy < 2; ++copy) {
    const auto node_of = [&](std::uint32_t node) {
      return node < 300 ? 300 * copy + node : 600 + 299 * copy + node - 300;
    };
    for (std::uint32_t join = 0; join < 299; ++join) {
      tree.left.push_back(node_of(half.state.tree.left[join]));
      tree.right.push_back(node_of(half.state.tree.right[join]));
    }
    for (std::uint32_t node = 0; node < 599; ++node) {
      both.state.lengths[node_of(node)] = node < 598 ? half.state.lengths[node] : 1e3;
    }
  }
  tree.left.push_back(600 + 298);
  tree.right.push_back(600 + 299 + 298);
  CHECK(computed(both.task()).total ==
        doctest::Approx(2 * computed(half.task()).total).epsilon(1e-12));
}

TEST_CASE("likelihood: every instruction set and number of threads gives the same bytes") {
  std::mt19937 random(5);
  for (const char* model : {"HKY{3}+G4{0.5}", "LG+G2{0.5}", "GY94{2,0.3}"}) {
    const LikelihoodCase one(model, 9, 40, random);
    const Likelihood expected = computed(one.task(true));
    for (const host::Kernels* kernels : host::available_kernels()) {
      CAPTURE(kernels->name);
      const Likelihood found = computed(one.task(true), kernels);
      CHECK(found.sites == expected.sites);
      CHECK(found.slope == expected.slope);
    }
    const LocalThreadCount scope(3);
    CHECK(computed(one.task(true)).slope == expected.slope);
  }
}

TEST_CASE("likelihood: single precision stays within its bound, with the same bits everywhere") {
  std::mt19937 random(19);
  for (const char* model : {"HKY{3}+G4{0.5}+I{0.1}", "JC", "LG+G2{0.5}", "GY94{2,0.3}"}) {
    for (const auto& tree : {std::pair{2u, 0.5}, {9u, 0.05}, {200u, 2.0}, {90u, 0.011}}) {
      const auto tips = tree.first;
      const double longest = tree.second;
      CAPTURE(model);
      CAPTURE(tips);
      const LikelihoodCase one(model, tips, 40, random, longest);
      LikelihoodTask task = one.task(true);
      const Likelihood exact = computed(task);
      task.precision = Precision::float32;
      const Likelihood expected = computed(task);
      const double bound = rounding_bound(task);
      CHECK(bound < 0.003);
      double columns = 0, largest = 0, steepest = 0;
      for (std::size_t c = 0; c < exact.sites.size(); ++c) {
        largest = std::max(largest, std::abs(expected.sites[c] - exact.sites[c]));
        columns += one.patterns.weights[c];
      }
      CHECK(largest <= bound);
      CHECK(largest > 0);  // it is single precision
      CHECK(std::abs(expected.total - exact.total) <= bound * columns);
      for (const double slope : exact.slope) steepest = std::max(steepest, std::abs(slope));
      for (std::size_t node = 0; node < exact.slope.size(); ++node) {
        CHECK(std::abs(expected.slope[node] - exact.slope[node]) <= 1e-4 * steepest);
      }
      for (const host::Kernels* kernels : host::available_kernels()) {
        CAPTURE(kernels->name);
        const Likelihood found = computed(task, kernels);
        CHECK(found.sites == expected.sites);
        CHECK(found.slope == expected.slope);
      }
    }
  }
}

TEST_CASE("likelihood: what cannot be is minus infinity") {
  std::mt19937 random(6);
  LikelihoodCase one("JC", 2, 4, random);
  one.patterns.codes.assign(one.patterns.codes.size(), 0);
  one.patterns.codes[0] = 1;
  one.state.lengths.assign(3, 0.0);
  const Likelihood found = computed(one.task(true));
  CHECK(found.sites[0] == -std::numeric_limits<double>::infinity());
  CHECK(found.sites[1] == doctest::Approx(std::log(0.25)));
  CHECK(std::isinf(found.total));
}

TEST_CASE("models: names and their parts") {
  const ModelSpec model = parse_model("hky{2.5}+f+g{0.5}+i{0.25}");
  CHECK(model.name == "HKY");
  CHECK(model.frequencies == FrequencySource::counted);
  CHECK(model.categories == 4);
  CHECK(model.values() == std::vector<double>{2.5, 0.5, 0.25});
  CHECK(parse_model("LG+G8").categories == 8);
  CHECK(parse_model("GTR").parameters.size() == 5);
  // Those of RAxML.
  const ModelSpec raxml = parse_model("ASC_PROTGAMMALGF");
  CHECK(raxml.text == "ASC_PROTGAMMALGF");
  CHECK(raxml.name == "LG");
  CHECK(raxml.frequencies == FrequencySource::counted);
  CHECK(raxml.categories == 4);
  CHECK(raxml.is_ascertained);
  CHECK(!raxml.has_invariant);
  CHECK(parse_model("PROTGAMMAIWAG").has_invariant);
  CHECK(parse_model("PROTGAMMADAYHOFF").frequencies == FrequencySource::published);
  CHECK(parse_model("PROTGAMMADAYHOFFF").frequencies == FrequencySource::counted);
  CHECK(parse_model("GTR+FC+IO").has_invariant);
  // Free rates have a weight and a rate less than categories, which fix their sums.
  CHECK(parse_model("JC+R4").parameters.size() == 6);
  for (const char* text :
       {"",         "XX",       "LG+",          "LG+Q",          "LG+G1",   "LG+G4+G4",
        "HKY{1,2}", "HKY{x}",   "HKY{2",        "LG+I{2}",       "LG+F+FQ", "LG+F3X4",
        "LG G4",    "K80{-1}",  "GTRCAT",       "PROTGAMMAAUTO", "LG+R1",   "LG+R11",
        "LG+G4+R4", "LG+I+ASC", "LG+R2{1,2,3}", "LG+R2{1,2,0,3}"}) {
    CAPTURE(text);
    CHECK(error_of([&] { parse_model(text); }).kind() == ErrorKind::usage);
  }
}

TEST_CASE("models: one substitution is expected in a unit of time") {
  for (const char* name : {"JC", "K80{4}", "GTR{1,2,0.5,1.5,3}+G4{0.3}+I{0.2}",
                           "TIM2{1,2,3}+R3+I{0.1}", "LG", "WAG", "JTT", "DAYHOFF", "GY94{2,0.3}"}) {
    CAPTURE(name);
    const ModelSpec model = parse_model(name);
    const std::size_t states = state_count(model.states);
    std::vector<double> frequencies(states, 1.0 / static_cast<double>(states));
    const SubstitutionProcess process = make_process(model, model.values(), frequencies);
    double rate = 0, mean = 0;
    for (std::size_t s = 0; s < states; ++s) {
      double row = 0;
      for (std::size_t j = 0; j < states; ++j) {
        double q = 0;
        for (std::size_t k = 0; k < states; ++k) {
          q +=
              process.right[s * states + k] * process.eigenvalues[k] * process.left[k * states + j];
        }
        row += q;
        if (s == j) rate -= frequencies[s] * q;
      }
      CHECK(std::abs(row) < 1e-10);
    }
    CHECK(rate == doctest::Approx(1).epsilon(1e-10));
    for (std::size_t r = 0; r < process.rates.size(); ++r) {
      mean += process.rates[r] * process.weights[r];
    }
    CHECK(mean == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("codons: 61 of them, and who codes for what") {
  const std::vector<Codon> codons = sense_codons();
  REQUIRE(codons.size() == 61);
  CHECK(sense_codons(2).size() == 60);   // TGA is W; AGA and AGG are stops
  CHECK(sense_codons(27).size() == 64);  // all stops are read as amino acids
  const auto amino_acid = [&](std::uint8_t a, std::uint8_t b, std::uint8_t c) {
    for (const Codon& codon : codons) {
      if (codon.base[0] == a && codon.base[1] == b && codon.base[2] == c) return codon.amino_acid;
    }
    return '*';
  };
  CHECK(amino_acid(0, 3, 2) == 'M');                                // ATG
  CHECK(amino_acid(3, 2, 2) == 'W');                                // TGG
  CHECK(amino_acid(1, 0, 1) == 'H');                                // CAC
  CHECK(amino_acid(2, 0, 0) == 'E');                                // GAA
  for (std::uint8_t c : {0, 2}) CHECK(amino_acid(3, 0, c) == '*');  // TAA, TAG
  CHECK(amino_acid(3, 2, 0) == '*');                                // TGA
}

TEST_CASE("patterns: columns, gaps, ambiguous letters, codons") {
  const AlignmentPatterns bases =
      patterns_of({"ACGTA-", "ACGUAN", "RCGTR-"}, ResidueType::dna, StateKind::nucleotide);
  CHECK(bases.pattern_of == std::vector<std::uint32_t>{0, 1, 2, 3, 0, 4});
  CHECK(bases.patterns.weights == std::vector<double>{2, 1, 1, 1, 1});
  CHECK(bases.patterns.symbols[bases.patterns.code(2, 0)] == 0b0101);
  CHECK(bases.patterns.symbols[bases.patterns.code(0, 4)] == 0b1111);
  CHECK(bases.patterns.common_states(0) == 0b0001);
  const AlignmentPatterns protein =
      patterns_of({"AB-", "RXU"}, ResidueType::protein, StateKind::amino_acid);
  CHECK(protein.patterns.symbols[protein.patterns.code(0, 1)] == 0b1100);  // N or D
  CHECK(protein.patterns.code(0, 2) == protein.patterns.code(1, 1));
  const AlignmentPatterns codons =
      patterns_of({"ATGAANTAA", "ATG---TTT"}, ResidueType::dna, StateKind::codon);
  CHECK(codons.pattern_of.size() == 3);
  CHECK(std::popcount(codons.patterns.symbols[codons.patterns.code(0, 1)]) == 4);
  CHECK(std::popcount(codons.patterns.symbols[codons.patterns.code(0, 2)]) == 61);
  const auto message = [&](const std::vector<std::string>& rows) {
    return std::string(
        error_of([&] { patterns_of(rows, ResidueType::dna, StateKind::codon); }).what());
  };
  CHECK(message({"ATGA", "ATGC"}).find("no multiple of three") != std::string::npos);
  CHECK(message({"TAAATG", "TTTATG"}) ==
        "a.fa: row \"row0\" has the stop codon TAA in columns 1 to 3");
}

TEST_CASE("fit: lengths and parameters end where no small step is uphill") {
  std::mt19937 random(8);
  const LikelihoodCase one("HKY+G4", 8, 60, random);
  const double start = computed(one.task()).total;
  const FitResult lengths = fitted(one, FitTarget::lengths), all = fitted(one, FitTarget::all);
  CHECK(lengths.likelihood.total > start);
  CHECK(lengths.fitted.values == one.state.values);
  CHECK(all.likelihood.total > lengths.likelihood.total);
  // The likelihood that is told is that of the state that is told.
  const auto total_of = [&](const TreeWithModel& state) {
    const SubstitutionProcess process = state.process();
    return computed({one.patterns, process, state.tree, state.lengths}).total;
  };
  CHECK(total_of(all.fitted) == doctest::Approx(all.likelihood.total).epsilon(1e-13));
  for (std::size_t k = 0; k < all.fitted.lengths.size() + all.fitted.values.size(); ++k) {
    for (const double factor : {0.95, 1.05}) {
      TreeWithModel moved = all.fitted;
      (k < moved.lengths.size() ? moved.lengths[k] : moved.values[k - moved.lengths.size()]) *=
          factor;
      CHECK(total_of(moved) < all.likelihood.total + 1e-3);
    }
  }
}

TEST_CASE("fit: branches that are as short as may be get going") {
  std::mt19937 random(12);
  LikelihoodCase one("LG+G4", 9, 60, random);
  const double expected = fitted(one, FitTarget::all).likelihood.total;
  one.state.lengths.assign(one.state.lengths.size(), kShortestBranch);
  CHECK(fitted(one, FitTarget::all).likelihood.total == doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("fit: given parameters stay, and nothing changes without a target") {
  std::mt19937 random(9);
  const LikelihoodCase one("HKY{3}+G4", 5, 30, random);
  const FitResult all = fitted(one, FitTarget::all), none = fitted(one, FitTarget::none);
  CHECK(all.fitted.values[0] == 3);
  CHECK(all.fitted.values[1] != one.state.values[1]);
  CHECK(none.fitted.lengths == one.state.lengths);
  CHECK(none.likelihood.total == computed(one.task()).total);
  CHECK(free_parameters(one.state) == 7 + 1 + 3);
}

TEST_CASE("distances: the most likely ones of pairs") {
  std::mt19937 random(10);
  LikelihoodCase one("JC", 3, 40, random);
  for (auto& code : one.patterns.codes) code %= 4;
  const DistanceMatrix distances = ml_distances(one.patterns, one.process);
  for (std::size_t x = 0; x < 3; ++x) {
    for (std::size_t y = x + 1; y < 3; ++y) {
      double different = 0, all = 0;
      for (std::size_t c = 0; c < one.patterns.count(); ++c) {
        all += one.patterns.weights[c];
        if (one.patterns.code(x, c) != one.patterns.code(y, c)) {
          different += one.patterns.weights[c];
        }
      }
      REQUIRE(different / all < 0.7);
      const double closed_form = -0.75 * std::log(1 - different / all * 4 / 3);
      CHECK(distances.at(x, y) == doctest::Approx(closed_form).epsilon(0.01));
    }
  }
  one.patterns.codes.assign(one.patterns.codes.size(), 2);
  CHECK(ml_distances(one.patterns, one.process).at(0, 2) == 0);
}
