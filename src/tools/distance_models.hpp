// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "tools/identity.hpp"
#include "tools/row_bits.hpp"

namespace accord {

/// How a distance follows from the columns in which two rows differ.
enum class DistanceModel {
  p,       ///< their share
  snps,    ///< their number
  jc,      ///< of nucleotides, all changes alike
  k80,     ///< of nucleotides, transitions and transversions
  tn93,    ///< of nucleotides, also both kinds of transitions, with the frequencies of the bases
  kimura,  ///< of proteins, of their share
};

/// The model of a name, in letters of either case: p, snps, jc or jc69, k80 or k2p, tn93, kimura.
std::optional<DistanceModel> distance_model_named(std::string_view name);

/// Whether a model is of nucleotides, or of proteins, alone.
bool is_of(DistanceModel model, ResidueType type);

struct DistanceSettings {
  DistanceModel model = DistanceModel::p;
  IdentityOver over = IdentityOver::aligned;  ///< what identical pairs are divided by, of p alone
  bool counts_unknown = false;                ///< of p and snps, see RowBits
};

/// The shares of A, C, G and T among the bases of all rows; NaN if there are none.
std::array<double, 4> base_shares(const std::vector<std::string>& rows);

/// The distance of two rows, in substitutions per site but for snps: NaN if there is nothing to
/// compare, infinite if they differ more than the model can tell. `bases` are of TN93 alone.
/// Reference  Jukes & Cantor 1969; Kimura 1980, J Mol Evol 16:111, equation 10; Tamura & Nei 1993,
///         Mol Biol Evol 10:512, equation 3; Kimura 1983, The neutral theory, page 75.
double model_distance(const PairCounts& counts, const DistanceSettings& settings,
                      const std::array<double, 4>& bases);

/// The distances of each two rows. The bases of TN93 are those of all rows.
/// Shape   rows in input order; distances in the canonical order of `set`.
/// Cost    O(rows^2 x columns / 64); uses thread_count() threads.
DistanceMatrix model_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                               const DistanceSettings& settings);

}  // namespace accord
