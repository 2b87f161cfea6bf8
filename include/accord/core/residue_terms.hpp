// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "accord/core/posterior_set.hpp"

namespace accord {

/// First residue of each intermediate sequence when the residues of all of them are counted
/// through, and their number at the end.
std::vector<std::uint32_t> term_offsets(const PosteriorSet& set,
                                        std::span<const std::uint32_t> intermediates);

/// The number of posterior cells that each residue of x has against the intermediates other than x.
std::vector<std::uint32_t> count_residue_terms(const PosteriorSet& set,
                                               std::span<const std::uint32_t> intermediates,
                                               std::uint32_t x);

/// Writes the term list of each residue i of x: its posterior cells against the residues of the
/// intermediates other than x. Entry t of the list has the residue, as term_offsets() counts them,
/// in index[t], increasing, and the probability in value[t].
/// Shape   the list of residue i is [begin[i], begin[i + 1]) of index and value.
void fill_residue_terms(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                        std::span<const std::uint32_t> offsets, std::uint32_t x,
                        std::span<const std::uint32_t> begin, std::uint32_t* index, float* value);

}  // namespace accord
