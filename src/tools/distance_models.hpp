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

/// How a distance is computed from the columns in which two rows differ.
enum class DistanceModel {
  p,       ///< their share
  snps,    ///< their number
  jc,      ///< nucleotides; all changes alike
  k80,     ///< nucleotides; transitions and transversions
  tn93,    ///< nucleotides; also two kinds of transitions, and the frequencies of the bases
  kimura,  ///< proteins; from the share
};

/// The model with a name, in upper or lower case: p, snps, jc or jc69, k80 or k2p, tn93, kimura.
std::optional<DistanceModel> distance_model_named(std::string_view name);

/// Whether a model applies to sequences of a type.
bool is_of(DistanceModel model, ResidueType type);

/// How distances are computed.
struct DistanceSettings {
  DistanceModel model = DistanceModel::p;
  IdentityOver over = IdentityOver::aligned;  ///< divisor of identical pairs, for p only
  bool counts_unknown = false;                ///< compares unknown letters; for p and snps only
};

/// The shares of A, C, G and T, in this order, among the bases of all rows; NaN if there are no
/// bases.
std::array<double, 4> base_shares(const std::vector<std::string>& rows);

/// The distance of two rows, in substitutions per site, or in differences for snps. NaN if no
/// column can be compared; infinite if the rows differ too much for the model. `bases` is used by
/// TN93 only.
/// Reference  Jukes & Cantor 1969; Kimura 1980, J Mol Evol 16:111, equation 10; Tamura & Nei 1993,
///         Mol Biol Evol 10:512, equation 3; Kimura 1983, The neutral theory, page 75.
double model_distance(const PairCounts& counts, const DistanceSettings& settings,
                      const std::array<double, 4>& bases);

/// The distances of all pairs of rows. TN93 uses the shares of the bases in all rows.
/// Shape   rows in input order, of one length, gaps as `-`; distances in the canonical order of
///         `set`.
/// Cost    O(rows^2 x columns / 64); uses thread_count() threads.
DistanceMatrix model_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                               const DistanceSettings& settings);

}  // namespace accord
