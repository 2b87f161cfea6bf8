// SPDX-License-Identifier: Apache-2.0
// The stage that improves a tree locally: branch lengths one after another, and what each
// nearest-neighbour interchange would bring.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/guide_tree.hpp"
#include "engine/stage_request.hpp"
#include "stages/likelihood/call.hpp"

namespace accord {

/// Two subtrees that change places: one of the two nearest-neighbour interchanges at a branch.
struct Interchange {
  std::uint32_t branch;         ///< the node below the branch
  std::uint32_t first, second;  ///< a child of it, and a neighbour of the branch's other end
};

/// Both interchanges at each inner branch of the unrooted tree.
/// Shape   2 (leaves - 3) for at least four leaves, else none.
std::vector<Interchange> interchanges_of(const GuideTree& tree);

/// A tree that is to be improved, with what it explains.
struct LocalFitTask {
  const SitePatterns& patterns;
  const SubstitutionProcess& process;
  const GuideTree& tree;            ///< the shape alone; at least four leaves
  std::span<const double> lengths;  ///< branch above each node; that of the root is not used
  double shortest, longest;         ///< range of lengths
  int sweeps = 1;                   ///< through all branches
  bool tries_interchanges = true;
};

/// What an interchange brings if the five branches around it are fitted, all others kept.
struct FittedInterchange {
  Interchange interchange;
  double total;                        ///< the logarithm of the likelihood
  std::array<std::uint32_t, 5> nodes;  ///< below the branch in the middle, and the four around it
  std::array<double, 5> lengths;       ///< the sum of both for a child of the root
};

/// Units   natural logarithms.
struct LocalFit {
  double total = 0;                             ///< of the tree with its new lengths
  std::vector<double> lengths;                  ///< of the branch above each node
  std::vector<FittedInterchange> interchanges;  ///< those that were worth fitting, by branch
};

/// Fits each branch in turn, by Newton's method, while all others stay; then, if that is wanted, of
/// the tree that this gives, tries every interchange with the four partial likelihoods around its
/// branch alone: first with another length in its middle, then, if that is not far below, with all
/// five. Double precision; computed by the host alone. Errors  Error{out_of_memory}. Source
/// quartets with stored partials: Guindon & Gascuel 2003, Syst Biol 52:696.
struct LocalFitCall {
  static constexpr BackendStage stage = BackendStage::local_fit;
  /// Units   multiplications.
  static constexpr SharePolicy policy{1e8, 0.05, 0.5, false};

  std::span<const LocalFitTask> tasks;
  std::span<LocalFit> results;  ///< out: one per task

  /// Only the host computes it, so there is nothing to compare.
  static std::string self_test(Backend&, Backend&) { return {}; }
};

/// Bytes that a local fit takes: partial likelihoods on both sides of each inner branch, and those
/// of `quartets` that are tried side by side.
double local_fit_bytes(const SitePatterns& patterns, std::size_t categories, int quartets);

/// Local fits of a request; the items are tasks.
class LocalFitRequest : public StageRequest {
 public:
  /// What the tasks refer to must outlive this.
  explicit LocalFitRequest(std::span<const LocalFitTask> tasks)
      : tasks_(tasks), results_(tasks.size()) {}

  BackendStage stage() const override { return LocalFitCall::stage; }
  const SharePolicy& policy() const override { return LocalFitCall::policy; }
  std::size_t items() override { return tasks_.size(); }
  double work(std::size_t item) const override;
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  std::vector<LocalFit> result() { return std::move(results_); }

 private:
  std::span<const LocalFitTask> tasks_;
  std::vector<LocalFit> results_;
};

}  // namespace accord
