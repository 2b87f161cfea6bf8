// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likely_distances.hpp"

#include <cmath>
#include <cstddef>

#include "accord/base/error.hpp"
#include "phylogeny/ml_distances.hpp"
#include "phylogeny/ml_tree.hpp"
#include "tools/row_bits.hpp"

namespace accord {
namespace {

void check_likely(const std::string& name) {
  const ModelSpec model = [&] {
    try {
      return parse_model(name);
    } catch (const Error& error) {
      throw Error(error.kind(), error.what(),
                  "p, snps, jc, k80, tn93 or kimura; or " + error.hint());
    }
  }();
  for (const ModelParameter& parameter : model.parameters) {
    if (parameter.is_given) continue;
    throw Error(ErrorKind::usage, "model " + name + ": " + parameter.name + " has no value",
                "give all parameters in braces, as in HKY{2.5}+G4{0.5}");
  }
}

/// The distances of the largest likelihood by a model whose parameters are all given.
DistanceMatrix likely_distances(const std::string& model, const std::vector<std::string>& rows,
                                const SequenceSet& set, const std::string& label) {
  std::vector<SequenceRecord> records;
  std::vector<std::size_t> row_of(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    records.push_back({set.header(set.from_input(k)), rows[k]});
    row_of[set.from_input(k)] = k;
  }
  const LikelihoodInput input = likelihood_input(records, row_of, set.type(), model, label);
  DistanceMatrix distances =
      ml_distances(input.found.patterns, make_process(input.model, input.values, input.frequencies),
                   DistanceAccuracy::fine);
  const RowBits bits(rows, set.type());
  for (std::size_t l = 1; l < rows.size(); ++l) {
    for (std::size_t k = 0; k < l; ++k) {
      if (bits.compare(k, l).both > 0) continue;
      distances.set(set.from_input(k), set.from_input(l), std::nanf(""));
    }
  }
  return distances;
}

}  // namespace

const OtherDistanceModels& likely_distance_models() {
  static const OtherDistanceModels models = {
      "Other names are those of 'accord likelihood', such as LG or HKY{2.5}+G4{0.5}, with all "
      "parameters given; their distance is that of the largest likelihood, at most 10.",
      "LG", check_likely, likely_distances};
  return models;
}

}  // namespace accord
