// SPDX-License-Identifier: Apache-2.0
// Local improvements of a tree: branch lengths one after another, and the gains of
// nearest-neighbour interchanges and regrafts. The host alone computes them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"
#include "engine/host/kernels.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord {

/// Two subtrees that change places: one of the two nearest-neighbour interchanges at a branch.
struct Interchange {
  std::uint32_t branch;         ///< the node below the branch
  std::uint32_t first, second;  ///< a child of it, and a neighbour of the branch's other end
};

/// Both interchanges at each inner branch of the unrooted tree.
/// Shape   2 (leaves - 3) for at least four leaves, else none.
std::vector<Interchange> interchanges_of(const GuideTree& tree);

/// A tree to improve, with the alignment and process it is fitted to.
struct LocalFitTask {
  const SitePatterns& patterns;
  const SubstitutionProcess& process;
  const GuideTree& tree;            ///< the topology alone; at least four leaves
  std::span<const double> lengths;  ///< branch above each node; that of the root is not used
  double shortest, longest;         ///< range of lengths
  int sweeps = 1;                   ///< through all branches
  bool tries_interchanges = true;
  std::uint32_t regraft_radius = 0;  ///< branches between places of a subtree; 0: no regrafts
  bool keeps_sites = false;          ///< fit every interchange, and return values of sites
  /// For each node, whether changes of the shape are tried there: interchanges at its branches, and
  /// other places for the subtrees around it. Empty: at all nodes.
  std::span<const std::uint8_t> is_tried = {};

  bool tries_at(std::uint32_t node) const { return is_tried.empty() || is_tried[node] != 0; }
};

/// An interchange after a fit of the five branches around it; all other lengths are kept.
struct FittedInterchange {
  Interchange interchange;
  double total;                        ///< the logarithm of the likelihood
  std::array<std::uint32_t, 5> nodes;  ///< below the branch in the middle, and the four around it
  std::array<double, 5> lengths;       ///< the sum of both for a child of the root
  std::vector<double> sites;           ///< if wanted, the logarithms of the patterns
};

/// A subtree that moves to another branch of the unrooted tree, in which the root is no node.
struct Regraft {
  std::uint32_t node, subtree;         ///< the branch that moves, with all beyond `subtree`
  std::array<std::uint32_t, 2> sides;  ///< the ends of the branch in which `node` gets its place
  std::array<double, 3> lengths;       ///< from `node` there to `subtree` and to both sides
  double gain;                         ///< of the logarithm of the likelihood
};

/// Units   natural logarithms.
struct LocalFit {
  double total = 0;                             ///< of the tree with its new lengths
  std::vector<double> lengths;                  ///< of the branch above each node
  std::vector<FittedInterchange> interchanges;  ///< the fitted ones, by branch
  std::vector<double> sites;      ///< if wanted, the logarithms of the patterns of the tree
  std::vector<Regraft> regrafts;  ///< if wanted, the best of each subtree that raises the total
};

/// Fits the branches one after another by Newton's method while all others stay. Then, if wanted,
/// tries every interchange of that tree with the four partial likelihoods around its branch: first
/// with another length of the middle branch alone, then, if that is not far below, with all five.
/// A subtree is tried in the middle of every branch within the radius, and the three branches
/// around it are fitted where that is not far below; what it leaves becomes one branch.
/// Double precision; thread_count() threads. The result is the same for any `kernels`.
/// Throws  Error{internal} for fewer than four leaves; Error{out_of_memory}.
/// Reference  quartets with stored partials: Guindon & Gascuel 2003, Syst Biol 52:696; regrafts
///         within a radius: Stamatakis, Ludwig & Meier 2005, Bioinformatics 21:456.
LocalFit fit_locally(const LocalFitTask& task,
                     const host::Kernels& kernels = *host::available_kernels().front());

/// Nodes on a path from the root at which a local fit keeps messages.
constexpr std::uint32_t kPartialTreeLevels = 32;

/// Bytes that a local fit takes: partial likelihoods on both sides of each inner branch, messages
/// on a path of nodes, and those of `quartets`, or regrafts within the radius, that are tried side
/// by side, for regrafts beside messages across all branches and to their middles.
double local_fit_bytes(const SitePatterns& patterns, std::size_t categories, int quartets,
                       std::uint32_t regraft_radius = 0);

}  // namespace accord
