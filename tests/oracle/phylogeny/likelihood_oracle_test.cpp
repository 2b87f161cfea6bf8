// SPDX-License-Identifier: Apache-2.0
// The likelihood against enumeration of all states of inner nodes, closed forms, published values,
// finite differences, and libhmsbeagle where it is installed.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <unsupported/Eigen/MatrixFunctions>

#include "engine/host/host_backend.hpp"
#include "io/families/input_alignment.hpp"
#include "io/trees/newick.hpp"
#include "phylogeny/site_patterns.hpp"
#include "support/likelihood_cases.hpp"
#include "support/paths.hpp"
#ifdef ACCORD_HMSBEAGLE
#include "support/hmsbeagle.hpp"
#endif

using namespace accord;
using namespace accord::testing;

namespace {

Likelihood computed(const LikelihoodTask& task) {
  HostBackend host;
  return likelihoods(host, {&task, 1}).front();
}

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// exp(Q t) by Eigen's matrix exponential, of Q put together from its eigenvalues.
Matrix transition_matrix(const SubstitutionProcess& process, double time) {
  const auto states = static_cast<Eigen::Index>(process.states);
  const Eigen::Map<const Matrix> right(process.right.data(), states, states);
  const Eigen::Map<const Matrix> left(process.left.data(), states, states);
  const Eigen::Map<const Eigen::VectorXd> values(process.eigenvalues.data(), states);
  const Matrix rates = right * values.asDiagonal() * left;
  return (rates * time).exp();
}

/// The likelihood of a pattern as the sum over all states of all nodes, from the definition.
double enumerated(const LikelihoodTask& task, std::size_t pattern) {
  const auto& [patterns, process, tree, lengths, derivatives, precision] = task;
  const std::uint32_t nodes = tree.nodes(), states = process.states;
  double total = 0;
  for (std::size_t r = 0; r < process.rates.size(); ++r) {
    std::vector<Matrix> matrix;
    for (const double length : lengths) {
      matrix.push_back(transition_matrix(process, length * process.rates[r]));
    }
    std::vector<std::uint32_t> state(nodes, 0);
    while (true) {
      double product = process.frequencies[state[nodes - 1]];
      for (std::uint32_t tip = 0; tip < tree.leaves; ++tip) {
        product *= patterns.symbols[patterns.code(tip, pattern)] >> state[tip] & 1 ? 1 : 0;
      }
      for (std::uint32_t join = 0; join + 1 < tree.leaves; ++join) {
        const std::uint32_t above = state[tree.leaves + join];
        for (const std::uint32_t child : {tree.left[join], tree.right[join]}) {
          product *= matrix[child](above, state[child]);
        }
      }
      total += process.weights[r] * product;
      std::uint32_t at = 0;
      while (at < nodes && ++state[at] == states) state[at++] = 0;
      if (at == nodes) break;
    }
  }
  for (std::uint32_t s = 0; s < states; ++s) {
    if (patterns.common_states(pattern) >> s & 1) {
      total += process.invariant * process.frequencies[s];
    }
  }
  return total;
}

InputAlignment read_rows(const std::string& name) {
  FamilySource source;
  source.files = {source_dir() + "/datasets/" + name};
  return read_input_alignment(source);
}

/// The three primates as nucleotides.
struct Primates {
  InputAlignment rows = read_rows("primates.fa");
  AlignmentPatterns found =
      find_patterns(rows.rows, rows.row_of(), rows.set.type(), StateKind::nucleotide, rows.label);
  GuideTree tree = parse_newick("((human:0.1,chimp:0.1):0.1,gorilla:0.2);", "tree", rows.set);
  std::vector<double> lengths{tree.length.begin(), tree.length.end()};
};

SubstitutionProcess jukes_cantor(std::vector<double> rates) {
  const ModelSpec model = parse_model("JC");
  SubstitutionProcess process = make_process(model, {}, std::vector<double>(4, 0.25));
  process.weights.assign(rates.size(), 1.0 / static_cast<double>(rates.size()));
  process.rates = std::move(rates);
  return process;
}

}  // namespace

TEST_CASE("likelihood: equals the sum over all states of all nodes") {
  std::mt19937 random(20090815);
  for (const char* model :
       {"JC", "HKY{3}+G2{0.7}", "GTR{1,2,0.5,1.5,3}+I{0.2}", "K80{4}+G3{2}+I{0.1}"}) {
    for (const std::uint32_t tips : {2u, 3u, 4u}) {
      CAPTURE(model);
      CAPTURE(tips);
      const LikelihoodCase one(model, tips, 19, random);
      const Likelihood found = computed(one.task());
      double total = 0;
      for (std::size_t c = 0; c < one.patterns.count(); ++c) {
        const double expected = std::log(enumerated(one.task(), c));
        CHECK(found.sites[c] == doctest::Approx(expected).epsilon(1e-11));
        total += one.patterns.weights[c] * expected;
      }
      CHECK(found.total == doctest::Approx(total).epsilon(1e-11));
    }
  }
}

TEST_CASE("likelihood: published values of three primates") {
  const Primates primates;
  const auto total = [&](const SubstitutionProcess& process) {
    return computed({primates.found.patterns, process, primates.tree, primates.lengths}).total;
  };
  // The published figures have five decimal places, not all of them rounded.
  CHECK(std::abs(total(jukes_cantor({1})) - -1574.63623) < 1e-5);
  CHECK(std::abs(total(jukes_cantor({0.03338775, 0.25191592, 0.82026848, 2.89442785})) -
                 -1498.89812) < 1e-5);
  const std::vector<double> rates = gamma_rates(0.5, 4);
  const double published[] = {0.03338775, 0.25191592, 0.82026848, 2.89442785};
  for (std::size_t r = 0; r < 4; ++r) CHECK(std::abs(rates[r] - published[r]) < 6e-9);
}

TEST_CASE("likelihood: published value of unequal frequencies and two rates") {
  // The eigenvectors are those of the source, which have seven digits.
  SubstitutionProcess process;
  process.states = 4;
  process.frequencies = {0.1, 0.3, 0.2, 0.4};
  process.right = {0.9819805,  0.040022305,  0.04454354,  -0.5,  //
                   -0.1091089, -0.002488732, 0.81606029,  -0.5,  //
                   -0.1091089, -0.896939683, -0.11849713, -0.5,  //
                   -0.1091089, 0.440330814,  -0.56393254, -0.5};
  process.left = {0.9165151, -0.3533241, -0.1573578, -0.4058332,  //
                  0.0,       0.2702596,  -0.8372848, 0.5670252,   //
                  0.0,       0.8113638,  -0.2686725, -0.5426913,  //
                  -0.2,      -0.6,       -0.4,       -0.8};
  process.eigenvalues = {-1.42857105618099456, -1.42857095607719153, -1.42857087221423851, 0.0};
  process.rates = {0.14251623900062188, 1.857483760999378};
  process.weights = {0.5, 0.5};
  SitePatterns patterns;
  patterns.states = 4;
  patterns.tips = 3;
  patterns.symbols = {1, 2, 4, 8};
  patterns.weights.assign(4, 1);
  patterns.codes.assign(3 * patterns.stride(), 0);
  const char* const rows[] = {"GAGT", "GAGG", "AAAT"};
  for (std::size_t tip = 0; tip < 3; ++tip) {
    for (std::size_t c = 0; c < 4; ++c) {
      patterns.codes[tip * patterns.stride() + c] =
          static_cast<std::uint8_t>(std::string("ACGT").find(rows[tip][c]));
    }
  }
  const GuideTree tree{3, {0, 2}, {1, 3}, std::vector<double>(5)};
  const std::vector<double> lengths = {0.6, 0.6, 1.3, 0.7, 0};
  CHECK(std::abs(computed({patterns, process, tree, lengths}).total - -18.04619478977292) < 1e-6);
}

TEST_CASE("likelihood: closed forms of Jukes and Cantor for two sequences") {
  std::mt19937 random(1969);
  LikelihoodCase two("JC", 2, 40, random);
  for (auto& code : two.patterns.codes) code %= 4;
  for (const double time : {1e-8, 0.01, 0.5, 3.0, 40.0}) {
    two.state.lengths = {0.25 * time, 0.75 * time, 0};
    const double same = 0.25 + 0.75 * std::exp(-4 * time / 3);
    const double different = 0.25 - 0.25 * std::exp(-4 * time / 3);
    const Likelihood found = computed(two.task());
    for (std::size_t c = 0; c < two.patterns.count(); ++c) {
      const bool is_same = two.patterns.code(0, c) == two.patterns.code(1, c);
      // The difference of two numbers near 1/4 has lost digits if time is short.
      CHECK(found.sites[c] ==
            doctest::Approx(std::log(0.25 * (is_same ? same : different))).epsilon(1e-7));
    }
  }
}

TEST_CASE("likelihood: slopes are those of finite differences") {
  std::mt19937 random(20101);
  for (const char* model : {"HKY{3}+G4{0.5}+I{0.2}", "LG+G2{0.8}", "GY94{2,0.3}"}) {
    CAPTURE(model);
    LikelihoodCase one(model, 7, 21, random);
    const Likelihood found = computed(one.task(true));
    CHECK(found.total == computed(one.task(false)).total);
    REQUIRE(found.slope.size() == one.state.tree.nodes());
    CHECK(found.slope.back() == 0);
    for (std::uint32_t node = 0; node + 1 < one.state.tree.nodes(); ++node) {
      constexpr double kStep = 1e-5;
      double& length = one.state.lengths[node];
      const double kept = length;
      length = kept + kStep;
      const double above = computed(one.task()).total;
      length = kept - kStep;
      const double below = computed(one.task()).total;
      length = kept;
      CHECK(found.slope[node] ==
            doctest::Approx((above - below) / (2 * kStep)).epsilon(1e-5).scale(1.0));
    }
  }
}

#ifdef ACCORD_HMSBEAGLE
TEST_CASE("likelihood: equals libhmsbeagle's in double precision") {
  std::mt19937 random(20120701);
  for (const char* model : {"HKY{3}+G4{0.5}", "GTR{1,2,0.5,1.5,3}+G4{0.3}+I{0.2}", "LG+G4{0.8}",
                            "WAG+F", "JTT+G4{2}", "DAYHOFF", "GY94{2,0.3}", "GY94{4,0.1}+G3{1}"}) {
    for (const std::uint32_t tips : {2u, 5u, 40u}) {
      CAPTURE(model);
      CAPTURE(tips);
      const LikelihoodCase one(model, tips, 70, random);
      const Likelihood found = computed(one.task());
      const std::vector<double> expected = beagle_site_likelihoods(one.task());
      for (std::size_t c = 0; c < expected.size(); ++c) {
        CHECK(found.sites[c] == doctest::Approx(expected[c]).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("likelihood: equals libhmsbeagle's for alignments of the repository") {
  for (const char* name : {"close_24", "odd_letters_10", "dna_8", "dna_gaps_12", "rna_lower_6"}) {
    CAPTURE(name);
    const InputAlignment rows = read_rows("simulated/" + std::string(name) + ".true.fa");
    std::mt19937 random(7);
    TreeWithModel state;
    state.model =
        parse_model(rows.set.type() == ResidueType::protein ? "LG+G4{0.7}" : "HKY{2}+G4{0.7}");
    state.values = state.model.values();
    const AlignmentPatterns found =
        find_patterns(rows.rows, rows.row_of(), rows.set.type(), state.model.states, rows.label);
    state.frequencies = frequencies_of(state.model, found.patterns);
    state.tree = random_tree(found.patterns.tips, random);
    state.lengths = random_lengths(state.tree, random);
    const SubstitutionProcess process = state.process();
    const LikelihoodTask task{found.patterns, process, state.tree, state.lengths};
    const std::vector<double> expected = beagle_site_likelihoods(task);
    CHECK(computed(task).total ==
          doctest::Approx(weighted_sum(found.patterns.weights, expected)).epsilon(1e-9));
  }
}
#else
TEST_CASE("likelihood: libhmsbeagle is not installed, so nothing is compared with it") {
  MESSAGE("install libhmsbeagle-dev and configure again to compare");
}
#endif
