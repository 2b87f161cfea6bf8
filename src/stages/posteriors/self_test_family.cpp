// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/self_test_family.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "engine/backend.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord {
namespace {

/// A descendant of a sequence: substitutions, deletions, insertions, and a piece from `begin`.
std::string descendant(const std::string& ancestor, std::size_t begin, std::size_t length,
                       SelfTestNumbers& numbers) {
  constexpr std::string_view kLetters = "ACDEFGHIKLMNPQRSTVWYX";
  std::string letters;
  for (std::size_t k = begin; k < ancestor.size() && letters.size() < length; ++k) {
    const std::uint32_t event = numbers.below(16);
    if (event == 0) continue;
    letters += event < 5 ? kLetters[numbers.below(21)] : ancestor[k];
    if (event == 5) letters += kLetters[numbers.below(21)];
  }
  return letters;
}

SequenceSet make_long_set() {
  SelfTestNumbers numbers;
  const std::string ancestor = descendant(std::string(1300, 'A'), 0, 1300, numbers);
  return SequenceSet({{"0", descendant(ancestor, 0, 1020, numbers)},
                      {"1", descendant(ancestor, 20, 1000, numbers)}},
                     ResidueType::protein);
}

SequenceSet make_short_set() {
  SelfTestNumbers numbers;
  const std::string ancestor = descendant(std::string(150, 'A'), 0, 150, numbers);
  std::vector<SequenceRecord> records;
  for (const std::size_t length : {100, 90, 71, 70, 50, 20, 3}) {
    records.push_back({std::to_string(records.size()), descendant(ancestor, 5, length, numbers)});
  }
  return SequenceSet(std::move(records), ResidueType::protein);
}

SequenceSet make_set() {
  SelfTestNumbers numbers;
  std::string ancestor(150, 'A');
  ancestor = descendant(ancestor, 0, 150, numbers);
  for (int k = 0; k < 3; ++k) ancestor += ancestor.substr(20, 50);  // repeats
  std::vector<SequenceRecord> records;
  const auto add = [&](std::size_t begin, std::size_t length) {
    records.push_back(
        {std::to_string(records.size()), descendant(ancestor, begin, length, numbers)});
  };
  for (const std::size_t length : {290, 264, 257, 65, 64, 33, 17, 16, 9, 8, 7, 2, 1})
    add(5, length);
  for (std::size_t k = 0; k < 8; ++k) add(3 * k, 40 + k);
  return SequenceSet(std::move(records), ResidueType::protein);
}

std::vector<PosteriorModel> make_models() {
  const PosteriorModel usual =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
  PosteriorModel rich = usual;
  use_everything(rich.tables);
  PosteriorModel hmm = rich, partition = rich;
  hmm.tables.hmm_share = partition.tables.partition_share = 1;
  hmm.tables.partition_share = partition.tables.hmm_share = 0;
  partition.tables.cutoff = 1e-6f;
  return {usual, hmm, partition, rich};
}

}  // namespace

void use_everything(accord_model& model) {
  model.hmm.gap_scale[2] = 7.8e-6f;
  model.hmm.gap_extend[2] = 0.985f;
  model.hmm.forward_gap[2] = 12.0f;
  model.hmm.backward_gap[2] = 11.5f;
  model.hmm.end_gap[2][0] = 9.0e-5f;
  model.hmm.end_gap[2][1] = 1.0e-13f;
  model.hmm_share = 0.375f;
  model.partition_share = 0.625f;
  model.square_share = 0.4f;
  for (int c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (int d = 0; d < ACCORD_CONTEXTS; ++d) {
      const float step = static_cast<float>(ACCORD_CONTEXTS * std::min(c, d) + std::max(c, d)) / 80;
      model.hmm.context[c * ACCORD_SYMBOLS + d] = 0.7f + step;
      model.partition.context[c * ACCORD_SYMBOLS + d] = 1.5f - step;
    }
  }
  for (int entry = 0; entry < ACCORD_ENTRIES; ++entry) {
    model.opening[0][entry] = 0.6f + static_cast<float>(entry) / 64;
    model.opening[1][entry] = 1.3f - static_cast<float>(entry) / 80;
  }
}

SelfTestFamily::SelfTestFamily(SequenceSet set)
    : set_(std::move(set)),
      with_contexts_(protein_contexts().add_to(set_.coded())),
      models_(make_models()) {}

SelfTestFamily::SelfTestFamily() : SelfTestFamily(make_set()) {}

SelfTestFamily SelfTestFamily::long_pair() { return SelfTestFamily(make_long_set()); }
SelfTestFamily SelfTestFamily::short_pairs() { return SelfTestFamily(make_short_set()); }

std::vector<std::pair<SparseMatrix, std::uint64_t>> SelfTestFamily::matrices(
    Backend& backend, const PosteriorModel& model, std::size_t most_task_bytes) const {
  std::vector<std::pair<SparseMatrix, std::uint64_t>> matrices(set_.size() * (set_.size() - 1) / 2);
  const PosteriorSink sink = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    const std::uint64_t accuracy = pair.accuracy ? *pair.accuracy : expected_accuracy(pair.matrix);
    matrices[std::size_t{y} * (y - 1) / 2 + x] = {std::move(pair.matrix), accuracy};
  };
  const std::vector<PairBlock> blocks = plan_pair_blocks(set_.lengths());
  backend.compute(PosteriorCall{with_contexts_, blocks, model, sink, most_task_bytes});
  return matrices;
}

std::string SelfTestFamily::first_difference(
    const std::function<bool(std::size_t)>& is_same) const {
  std::size_t pair = 0;
  for (std::uint32_t y = 1; y < set_.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x, ++pair) {
      if (is_same(pair)) continue;
      return "of sequences with " + std::to_string(set_.length(x)) + " and " +
             counted(set_.length(y), "residue");
    }
  }
  return {};
}

}  // namespace accord
