// SPDX-License-Identifier: Apache-2.0
// The texts of an ensemble of alignments, in one file.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/files/text_sink.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// Writes alignments as Ensemble FASTA (EFA): before each alignment a line with `<` and its name,
/// then the alignment as aligned FASTA. `wrap` as in format_alignment().
/// Reference  www.drive5.com/muscle5/manual/efa_file_format.html
void write_efa(const std::vector<std::string>& names, const std::vector<AlignmentText>& alignments,
               std::optional<std::size_t> wrap, TextSink& out);

/// One alignment with the columns of all alignments, one after the other. The alignments, at least
/// one, must have the same rows in the same order; their confidence and markup are left out.
AlignmentText concatenated(const std::vector<AlignmentText>& alignments);

}  // namespace accord
