// SPDX-License-Identifier: Apache-2.0
// What an alignment says of its structures: TM-scores of pairs, and all of them in one frame.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/files/text_sink.hpp"
#include "io/structures/structure_reader.hpp"
#include "method/structures/aligned_fit.hpp"

namespace accord::run {

/// Calls `take` with the fit of each pair of structures of an alignment, one after another, in
/// input order: first with the second, first with the third, ... The fit has no value if fewer than
/// three aligned pairs of residues have known CAs.
/// Cost    about 1 ms for a pair of 200 residues, on all threads
void for_each_fit(const SequenceSet& set, const Msa& msa,
                  const std::function<void(std::uint32_t x, std::uint32_t y,
                                           const std::optional<AlignedFit>& fit)>& take);

/// Writes the fits as tab-separated values under a header line: the names of x and y, the aligned
/// pairs of residues with known CAs, the TM-scores by the lengths of x, of y and of the shorter
/// one, with 4 decimals, and the RMSD in Å, with 2; `NA` where there is no fit.
void write_tm_scores(const SequenceSet& set, const Msa& msa, TextSink& out);

/// The format of a file of structures, by its suffix, that of a packing left out; pdb for an
/// unknown suffix. Throws  Error{usage} for the suffix of an alignment; `option` names the option.
StructureFormat structure_format(const std::string& path, const std::string& option);

/// Writes the structures that have a motion as one structure, in input order, with all of their
/// atoms, moved. All records must have their atoms.
///
/// mmcif   One model. A structure is a chain with the name of its sequence (auth_asym_id).
/// pdb     One model whose chains have the letters A to Z, a to z and 0 to 9. More than 62
///         structures, or more than 99,999 atoms, are models of their own with a chain A. REMARK
///         says which sequence a chain or a model is.
///
/// Throws  Error{bad_input} for a coordinate that a PDB file has no place for.
void write_superposed(const SequenceSet& set, const CommonFrame& frame, StructureFormat format,
                      TextSink& out);

/// Warns of the structures that have no motion, so that write_superposed() leaves them out.
void warn_of_unmoved(const SequenceSet& set, const CommonFrame& frame);

}  // namespace accord::run
