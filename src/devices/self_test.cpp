// SPDX-License-Identifier: Apache-2.0
#include "accord/devices/self_test.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/core/expected_accuracy.hpp"
#include "accord/core/models.hpp"
#include "accord/host/host_backend.hpp"
#include "accord/opencl/disk_cache.hpp"
#include "accord/opencl_stages/opencl_backend.hpp"

namespace accord {
namespace {

/// Raise it when the tasks change: results of other tasks are then worth nothing.
constexpr const char* kTasks = "self-test 3\n";

/// Numbers that are the same with every compiler (Knuth's MMIX generator).
class Numbers {
 public:
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_ = 20240229;
};

/// A descendant of a sequence: substitutions, deletions, insertions, and a piece from `begin`.
std::string descendant(const std::string& ancestor, std::size_t begin, std::size_t length,
                       Numbers& numbers) {
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

/// Lengths around the sizes of tiles (8), lanes (8, 16) and strips of a work-group (256).
SequenceSet make_family() {
  Numbers numbers;
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

/// The defaults; the same with what they leave unused: a third gap class, unequal shares of the
/// models, and a blend of their mean and root mean square; and each model alone.
std::vector<PosteriorModel> make_models() {
  const PosteriorModel usual = build_posterior_model(
      default_parameters(ResidueType::protein, "default"), ResidueType::protein);
  PosteriorModel rich = usual;
  accord_model& tables = rich.tables;
  tables.hmm.gap_scale[2] = 8e-6f;
  tables.hmm.gap_extend[2] = 0.985f;
  tables.hmm.forward_gap[2] = tables.hmm.backward_gap[2] = 12.0f;
  tables.hmm.end_gap[2][0] = 9e-5f;
  tables.hmm_share = 0.375f;
  tables.partition_share = 0.625f;
  tables.square_share = 0.4f;
  PosteriorModel hmm = rich, partition = rich;
  hmm.tables.hmm_share = partition.tables.partition_share = 1;
  hmm.tables.partition_share = partition.tables.hmm_share = 0;
  return {usual, hmm, partition, rich};
}

/// What a backend makes of the family.
struct Answers {
  using Cells = std::vector<PosteriorCell>;
  std::vector<Cells> cells;  // of pair (x, y) at place y * (y - 1) / 2 + x, by row, then column
  std::vector<SparseMatrix> relaxed;
};

std::vector<Answers::Cells> compute_cells(Backend& backend, const SequenceSet& set,
                                          const PosteriorModel& model, BackendLimits limits) {
  std::vector<Answers::Cells> cells(set.size() * (set.size() - 1) / 2);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, std::span<const PosteriorCell> found) {
    Answers::Cells& sorted = cells[std::size_t{y} * (y - 1) / 2 + x];
    sorted.assign(found.begin(), found.end());
    std::sort(sorted.begin(), sorted.end(), [](const PosteriorCell& a, const PosteriorCell& b) {
      return std::pair(a.row, a.column) < std::pair(b.row, b.column);
    });
  };
  for (const PairBatch& batch : plan_pair_batches(set.lengths(), limits)) {
    backend.posteriors(set.coded(), batch, model.tables, keep);
  }
  return cells;
}

std::vector<SparseMatrix> compute_relaxed(Backend& backend, const SequenceSet& set,
                                          const PosteriorModel& model,
                                          const std::vector<Answers::Cells>& cells) {
  PosteriorSet posteriors(set.size());
  RelaxBatch batch;
  std::vector<float> weights;
  for (std::uint32_t y = 0; y < set.size(); ++y) {
    weights.push_back(static_cast<float>(1 + y % 7) / 8.0f);
    for (std::uint32_t x = 0; x < y; ++x) {
      const std::uint32_t rows = set.length(x), columns = set.length(y);
      posteriors.at(x, y) = SparseMatrix(
          rows, columns,
          limit_cells(cells[std::size_t{y} * (y - 1) / 2 + x], rows, columns, model.sparsity));
      batch.pairs.push_back({x, y});
    }
  }
  const ConsistencyParams params;
  std::vector<std::uint32_t> intermediates;  // two of three, for the others a transform has as well
  for (std::uint32_t z = 0; z < set.size(); ++z) {
    if (z % 3 != 1) intermediates.push_back(z);
  }
  std::vector<SparseMatrix> relaxed(batch.pairs.size());
  backend.relax(posteriors, batch, {weights, params.self_weight_for(set.size()), intermediates},
                params.cutoff,
                [&](std::size_t k, SparseMatrix matrix) { relaxed[k] = std::move(matrix); });
  return relaxed;
}

std::string pair_text(const SequenceSet& set, std::uint32_t x, std::uint32_t y) {
  return "of sequences with " + std::to_string(set.length(x)) + " and " +
         std::to_string(set.length(y)) + " residues";
}

/// The first pair whose results differ, in words.
template <class Result, class Same>
std::string first_difference(const SequenceSet& set, const std::vector<Result>& expected,
                             const std::vector<Result>& found, Same same) {
  std::size_t k = 0;
  for (std::uint32_t y = 1; y < set.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x, ++k) {
      if (!same(expected[k], found[k])) return pair_text(set, x, y);
    }
  }
  return {};
}

bool same_bits(const Answers::Cells& a, const Answers::Cells& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

/// The first pair whose posteriors are not those expected, in one band or in several, in words.
std::string compare_posteriors(Backend& backend, const SequenceSet& set,
                               const PosteriorModel& model,
                               const std::vector<Answers::Cells>& expected) {
  BackendLimits in_bands = backend.limits();
  in_bands.task_bytes = std::size_t{1} << 20;
  for (const BackendLimits& limits : {backend.limits(), in_bands}) {
    std::string where =
        first_difference(set, expected, compute_cells(backend, set, model, limits), same_bits);
    if (!where.empty()) return where;
  }
  return {};
}

/// Few different distances, so that ties decide; the largest is for the whole device.
std::vector<DistanceMatrix> make_matrices() {
  Numbers numbers;
  std::vector<DistanceMatrix> matrices;
  for (const std::uint32_t leaves : {2u, 3u, 17u, 260u, 1100u}) {
    DistanceMatrix& matrix = matrices.emplace_back(leaves);
    for (std::uint32_t y = 1; y < leaves; ++y) {
      for (std::uint32_t x = 0; x < y; ++x) {
        const std::uint32_t near = x / 8 == y / 8 ? 0 : 32;
        matrix.set(x, y, static_cast<float>(16 + near + numbers.below(16)) / 64.0f);
      }
    }
  }
  return matrices;
}

std::string test_key(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  return kTasks + ocl::kernel_identity(device, settings);
}

}  // namespace

std::string compare_with_host(Backend& backend) {
  const SequenceSet set = make_family();
  HostBackend host;
  std::vector<Answers::Cells> expected;
  for (const PosteriorModel& model : make_models()) {
    expected = compute_cells(host, set, model, host.limits());
    const std::string where = compare_posteriors(backend, set, model, expected);
    if (!where.empty()) return "wrong posteriors " + where;
  }
  const PosteriorModel model = make_models().back();
  const std::string where =
      first_difference(set, compute_relaxed(host, set, model, expected),
                       compute_relaxed(backend, set, model, expected),
                       [](const SparseMatrix& a, const SparseMatrix& b) { return a == b; });
  if (!where.empty()) return "wrong consistency " + where;
  const std::vector<DistanceMatrix> matrices = make_matrices();
  const std::vector<GuideTree> trees = host.join(matrices), found = backend.join(matrices);
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    if (same_bytes(trees[k], found[k])) continue;
    return "wrong guide tree of " + std::to_string(matrices[k].size()) + " sequences";
  }
  return "";
}

bool has_passed_self_test(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  return ocl::read_cache(test_key(device, settings)).has_value();
}

std::string run_self_test(Backend& backend, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings) {
  try {
    std::string problem = compare_with_host(backend);
    if (problem.empty()) ocl::write_cache(test_key(device, settings), "passed");
    return problem;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace accord
