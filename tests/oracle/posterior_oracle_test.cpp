// SPDX-License-Identifier: Apache-2.0
// Posteriors of the host backend against the double-precision oracle and against the bits of an
// independent implementation of the same arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "core/sparse_matrix.hpp"
#include "models/models.hpp"
#include "oracle/oracle.hpp"
#include "stages/posteriors/expected_accuracy.hpp"
#include "support/pair_posteriors.hpp"
#include "support/parameter_files.hpp"
#include "support/reference_hashes.hpp"
#include "support/sequences.hpp"
#include "tolerances.hpp"

namespace accord {
namespace {

using oracle::Dense;
using testing::Codes;
using testing::PairCase;

/// Where sparse posteriors differ from the oracle.
struct Difference {
  double largest_error = 0;   ///< over cells that either side keeps
  std::size_t cells = 0;      ///< cells that were kept
  std::size_t missing = 0;    ///< cells clearly above the cutoff that were not kept
  double distance_error = 0;  ///< of the distance that is found from the kept cells
};

Difference compare(const std::vector<PosteriorCell>& cells, const Dense& expected, double cutoff) {
  Difference difference;
  difference.cells = cells.size();
  const SparseMatrix matrix(static_cast<std::uint32_t>(expected.m()),
                            static_cast<std::uint32_t>(expected.n()), cells);
  difference.distance_error = std::abs(static_cast<double>(expected_accuracy_distance(matrix)) -
                                       oracle::distance(expected));
  Dense kept(expected.m(), expected.n(), 0);
  for (const PosteriorCell& cell : cells)
    kept.at(cell.row + 1, cell.column + 1) = static_cast<double>(cell.probability);
  for (std::size_t i = 1; i <= expected.m(); ++i) {
    for (std::size_t j = 1; j <= expected.n(); ++j) {
      if (kept.at(i, j) > 0) {
        difference.largest_error =
            std::max(difference.largest_error, std::abs(kept.at(i, j) - expected.at(i, j)));
      } else if (expected.at(i, j) >= cutoff + testing::kPosteriorError) {
        ++difference.missing;
      }
    }
  }
  return difference;
}

/// The pairs with their residues' contexts, if the model has any.
std::vector<PairCase> add_contexts(std::vector<PairCase> pairs, const PosteriorModel& model) {
  if (model.contexts == nullptr) return pairs;
  for (PairCase& pair : pairs) {
    for (Codes* codes : {&pair.x, &pair.y}) {
      CodedSequences one;
      one.append(*codes);
      const CodedSequences with_contexts = model.contexts->add_to(one);
      codes->assign(with_contexts.codes(0).begin(), with_contexts.codes(0).end());
    }
  }
  return pairs;
}

/// Compares every pair, the oracle on all threads; returns the largest error.
double check_pairs(const std::vector<PairCase>& plain, const Parameters& parameters,
                   ResidueType type = ResidueType::protein) {
  const PosteriorModel model = build_posterior_model(parameters, type);
  const std::vector<PairCase> pairs = add_contexts(plain, model);
  std::vector<std::vector<PosteriorCell>> cells;
  for (const PairCase& pair : pairs)
    cells.push_back(testing::pair_posteriors(pair.x, pair.y, model.tables));

  std::vector<Difference> differences(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t k, int) {
    const Dense expected = oracle::posteriors(pairs[k].x, pairs[k].y, parameters, type);
    differences[k] = compare(cells[k], expected, static_cast<double>(parameters.cutoff));
  });
  double largest = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    CAPTURE(pairs[k].name);
    CHECK(differences[k].largest_error <= testing::kPosteriorError);
    CHECK(differences[k].missing == 0);
    CHECK(differences[k].distance_error <= testing::kDistanceError);
    CHECK(differences[k].cells > 0);
    largest = std::max(largest, differences[k].largest_error);
  }
  return largest;
}

Parameters protein_defaults() { return default_parameters(ResidueType::protein); }

Parameters vtml_parameters() {
  Parameters parameters = protein_defaults();
  parameters.partition = {1, -25.3549, -1.30113, 5.6007, 0.4};
  return parameters;
}

TEST_CASE("posteriors: unrelated to identical pairs agree with the oracle") {
  MESSAGE("largest error ",
          check_pairs(testing::ordinary_pairs({50, 100, 200, 400, 800, 1200}), protein_defaults()));
}

TEST_CASE("posteriors: repeats, swaps, long gaps and low complexity agree with the oracle") {
  MESSAGE("largest error ", check_pairs(testing::hard_pairs(), protein_defaults()));
}

TEST_CASE("posteriors: a pair of 3000 residues, and others of 1000, agree with the oracle") {
  std::vector<PairCase> pairs = testing::long_pairs(1000);
  pairs[1] = testing::long_pairs(3000)[1];  // related: most of its cells are far from 0 and 1
  MESSAGE("largest error ", check_pairs(pairs, protein_defaults()));
}

TEST_CASE("posteriors: other parameters agree with the oracle") {
  const auto pairs = testing::ordinary_pairs({60, 300});
  check_pairs(pairs, vtml_parameters());
  Parameters more_cells = protein_defaults();
  more_cells.cutoff = 0.001f;
  check_pairs(pairs, more_cells);
  for (const double share : {0.0, 1.0}) {
    CAPTURE(share);
    Parameters contexts = protein_defaults();
    contexts.hmm.emissions.context_share = share;
    contexts.partition.context_share = 1.5 * share;  // the largest factors are cut off
    contexts.gap_openings.context_share = 1 - share;
    check_pairs(pairs, contexts);
  }
}

TEST_CASE("posteriors: ambiguous and unknown residues agree with the oracle") {
  testing::SequenceGenerator random(21);
  std::vector<PairCase> pairs;
  for (double fraction : {0.05, 0.3, 1.0}) {
    const Codes x = random.background(150);
    pairs.push_back({"ambiguous", random.with_ambiguity(x, fraction),
                     random.with_ambiguity(random.relative(x), fraction)});
  }
  const std::uint8_t unknown = encode_letter(ResidueType::protein, 'X');
  pairs.push_back({"all X", testing::homopolymer(unknown, 90), testing::homopolymer(unknown, 40)});
  check_pairs(pairs, protein_defaults());
}

TEST_CASE("posteriors: nucleotides agree with the oracle") {
  testing::SequenceGenerator random(22, ResidueType::dna);
  std::vector<PairCase> pairs;
  for (std::size_t length : {20, 100, 500}) {
    const Codes x = random.background(length);
    pairs.push_back({testing::numbered("dna", length), x, random.mutate(x, 0.5, 0.01, 0.1)});
    pairs.push_back({testing::numbered("dna ambiguous", length), random.with_ambiguity(x, 0.1),
                     random.with_ambiguity(random.relative(x), 0.1)});
  }
  check_pairs(pairs, default_parameters(ResidueType::dna), ResidueType::dna);
}

/// Two sequences with a long insertion each, at different places between parts that they share.
PairCase inserted_in_both(testing::SequenceGenerator& random, std::size_t insertion) {
  const Codes first = random.background(100), middle = random.background(300),
              last = random.background(100);
  const auto joined = [](std::initializer_list<Codes> parts) {
    Codes codes;
    for (const Codes& part : parts) codes.insert(codes.end(), part.begin(), part.end());
    return codes;
  };
  return {testing::numbered("insertions of ", insertion),
          joined({first, random.background(insertion), middle, last}),
          joined({first, middle, random.background(insertion), last})};
}

TEST_CASE("posteriors: gaps that fall by many bits in a tile agree with the oracle") {
  testing::SequenceGenerator bases(25, ResidueType::dna), residues(26);
  check_pairs({inserted_in_both(bases, 400), inserted_in_both(bases, 700)},
              default_parameters(ResidueType::dna), ResidueType::dna);
  check_pairs({inserted_in_both(residues, 2400)}, protein_defaults());
}

TEST_CASE("posteriors: any contexts beside each other agree with the oracle") {
  testing::SequenceGenerator random(24);
  Parameters parameters = protein_defaults();
  parameters.hmm.emissions.context_share = 0.5;
  parameters.partition.context_share = 0.7;
  parameters.gap_openings.context_share = 2;  // the largest and smallest factors are cut off
  const PosteriorModel model = build_posterior_model(parameters, ResidueType::protein);
  for (std::size_t length : {5, 60, 250}) {
    CAPTURE(length);
    const Codes root = random.background(length);
    const Codes x = random.with_contexts(root), y = random.with_contexts(random.relative(root));
    const Dense expected = oracle::posteriors(x, y, parameters, ResidueType::protein);
    const Difference difference = compare(testing::pair_posteriors(x, y, model.tables), expected,
                                          static_cast<double>(parameters.cutoff));
    CHECK(difference.largest_error <= testing::kPosteriorError);
    CHECK(difference.missing == 0);
    CHECK(difference.cells > 0);
  }
}

TEST_CASE("posteriors: pairs of a few residues and around tile borders agree with the oracle") {
  testing::SequenceGenerator random(23);
  std::vector<PairCase> pairs;
  for (std::size_t m : {1, 2, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
    for (std::size_t n : {1, 2, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
      pairs.push_back({testing::numbered(testing::numbered("short", m), n), random.background(m),
                       random.background(n)});
    }
  }
  check_pairs(pairs, protein_defaults());
}

TEST_CASE("posteriors: bits are those of the reference") {
  for (const testing::ReferencePair& pair : testing::reference_hash_inputs()) {
    for (int k = 0; k < 2; ++k) {
      Parameters parameters = testing::published_parameters(ResidueType::protein);
      parameters.hmm = testing::probcons_pair_hmm();
      parameters.cutoff = testing::kReferenceCutoffs[k];
      const PosteriorModel model = build_posterior_model(parameters, ResidueType::protein);
      const auto cells = testing::pair_posteriors(pair.x, pair.y, model.tables);
      const auto dense = testing::dense_with_border(cells, pair.x.size(), pair.y.size());
      CAPTURE(pair.x.size());
      CAPTURE(parameters.cutoff);
      CHECK(testing::posterior_hash(dense) == pair.kept[k]);
    }
  }
}

}  // namespace
}  // namespace accord
