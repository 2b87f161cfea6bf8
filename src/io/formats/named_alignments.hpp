// SPDX-License-Identifier: Apache-2.0
// Several alignments in one text: Ensemble FASTA (EFA), or alignments of Stockholm one behind
// another.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// An alignment of a text.
struct NamedAlignment {
  /// EFA: as in EfaReplicate. Stockholm: the first word of `#=GF ID`, else of `#=GF AC`, before the
  /// first row; else its number in the text, from 1.
  std::string name;
  std::string_view text;  ///< a part of the whole text
};

/// The alignments of EFA, or of Stockholm if there are several, in their order; none of any other
/// text. The views are into `text`.
std::vector<NamedAlignment> alignments_in(std::string_view text);

/// Such as "16 alignments (p0.t0, p0.t1, p0.t2, ...)"
std::string counted_names(const std::vector<NamedAlignment>& alignments);

/// A text, and its name in messages.
struct LabelledText {
  std::string label;
  std::string_view text;
};

/// Finds the alignment of alignments_in() whose name is `name`; else the one whose number, from 1,
/// is `name`. An empty name takes the only alignment. The label of the result is "LABEL:NAME", and
/// line numbers in messages start at the first line of the alignment. A text in which
/// alignments_in() finds none stays as it is.
/// Throws  Error{bad_input} for several alignments if the name is empty, for a name that no
///         alignment has or several have, and for a name if alignments_in() finds no alignment.
LabelledText text_of_alignment(std::string_view text, const std::string& label,
                               const std::string& name);

}  // namespace accord
