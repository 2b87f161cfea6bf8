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
  std::uint32_t branch;  ///< the node below the branch
  /// The nodes of the subtrees that change places: a child of `branch`, and a neighbour of the
  /// other end of the branch.
  std::uint32_t first, second;
};

/// Both interchanges at each inner branch of the unrooted tree.
/// Shape   2 (leaves - 3) for at least four leaves, else none.
std::vector<Interchange> interchanges_of(const GuideTree& tree);

/// A tree to improve, with the alignment and process it is fitted to.
struct LocalFitTask {
  const SitePatterns& patterns;
  const SubstitutionProcess& process;
  const GuideTree& tree;  ///< the topology alone; at least four leaves
  /// [node]: length of the branch above the node; the length of the root is not used.
  std::span<const double> lengths;
  double shortest, longest;  ///< range of lengths
  int sweeps = 1;            ///< number of times that all branches are fitted
  bool tries_interchanges = true;
  std::uint32_t regraft_radius = 0;  ///< most branches that a regraft crosses; 0: no regrafts
  bool keeps_sites = false;          ///< fit every interchange, and return values of sites
  /// [node]: whether changes of the shape are tried there, which are interchanges at the branches
  /// of the node and other places for the subtrees around it. Empty: at all nodes.
  std::span<const std::uint8_t> is_tried = {};

  bool tries_at(std::uint32_t node) const { return is_tried.empty() || is_tried[node] != 0; }
};

/// An interchange after a fit of the five branches around it; all other lengths are kept.
struct FittedInterchange {
  Interchange interchange;
  double total;  ///< the logarithm of the likelihood of the changed tree
  /// The nodes below the five branches: the branch in the middle, then the four around it.
  std::array<std::uint32_t, 5> nodes;
  /// The lengths of these branches. Both branches at the root count as one: for a child of the
  /// root, the length is the sum of both.
  std::array<double, 5> lengths;
  std::vector<double> sites;  ///< if keeps_sites, the logarithms of the patterns
};

/// A subtree that moves to another branch of the unrooted tree, in which the root is no node.
struct Regraft {
  /// The ends of the branch that moves. `node` leaves its place; `subtree` and all nodes beyond it
  /// move along.
  std::uint32_t node, subtree;
  std::array<std::uint32_t, 2> sides;  ///< the ends of the branch into which `node` moves
  std::array<double, 3> lengths;       ///< from `node` to `subtree`, sides[0] and sides[1]
  double gain;                         ///< increase of the logarithm of the likelihood
};

/// The result of fit_locally().
/// Units   natural logarithms.
struct LocalFit {
  double total = 0;                             ///< log likelihood with the new lengths
  std::vector<double> lengths;                  ///< [node]: length of the branch above the node
  std::vector<FittedInterchange> interchanges;  ///< those worth fitting, in order of their branches
  std::vector<double> sites;      ///< if keeps_sites, the logarithms of the patterns of the tree
  std::vector<Regraft> regrafts;  ///< the best one of each subtree, if it raises the total
};

/// Improves a tree, as `task` asks. First, the function fits the branches one after another by
/// Newton's method, while all other branches stay.
/// Then it tries each interchange of the fitted tree, from the four partial likelihoods around the
/// branch: it fits the length of the middle branch alone, and, if the likelihood is then not far
/// below that of the tree, all five lengths.
/// It also tries each subtree in the middle of every branch within the radius, and fits the three
/// branches around the new place if the likelihood is not far below. The two branches between which
/// the subtree was become one.
/// Double precision; thread_count() threads. The result is the same for any `kernels`.
/// Throws  Error{internal} for fewer than four leaves; Error{out_of_memory}.
/// Reference  quartets with stored partials: Guindon & Gascuel 2003, Syst Biol 52:696; regrafts
///         within a radius: Stamatakis, Ludwig & Meier 2005, Bioinformatics 21:456.
LocalFit fit_locally(const LocalFitTask& task,
                     const host::Kernels& kernels = *host::available_kernels().front());

/// The number of nodes on a path, from the root down, at which a local fit keeps messages.
constexpr std::uint32_t kPartialTreeLevels = 32;

/// Bytes of memory that a local fit takes. It keeps partial likelihoods on both sides of each inner
/// branch, messages on a path of nodes, and working memory for the interchanges, or regrafts, that
/// are tried side by side. For regrafts it also keeps messages across all branches and to their
/// middles. `categories`: number of rate categories. `quartets`: number of interchanges or regrafts
/// side by side.
double local_fit_bytes(const SitePatterns& patterns, std::size_t categories, int quartets,
                       std::uint32_t regraft_radius = 0);

}  // namespace accord
