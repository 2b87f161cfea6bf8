// SPDX-License-Identifier: Apache-2.0
// Ensemble FASTA (EFA): several alignments of one family in one text.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/text_sink.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// Whether a text is EFA: the first line that is not blank is `<` and a name, and the next such
/// line a header of FASTA. A text of XML, whose first line may begin with `<`, is not.
bool is_efa(std::string_view text);

/// A named alignment.
struct EfaReplicate {
  std::string_view name;  ///< the line behind `<`, without white space at its ends
  std::string_view rows;  ///< FASTA
};

/// The alignments of a text, in order; none if it is not EFA. The views are into `text`.
/// Reference  www.drive5.com/muscle5/manual/efa_file_format.html
std::vector<EfaReplicate> efa_replicates(std::string_view text);

/// Writes alignments as Ensemble FASTA (EFA): before each alignment a line with `<` and its name,
/// then the alignment as aligned FASTA. `wrap` as in format_alignment().
/// Reference  www.drive5.com/muscle5/manual/efa_file_format.html
void write_efa(const std::vector<std::string>& names, const std::vector<AlignmentText>& alignments,
               std::optional<std::size_t> wrap, TextSink& out);

/// One alignment with the columns of all alignments, one after the other. The alignments, at least
/// one, must have the same rows in the same order; their confidence and markup are left out.
AlignmentText concatenated(const std::vector<AlignmentText>& alignments);

}  // namespace accord
