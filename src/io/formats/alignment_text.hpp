// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/alphabet.hpp"
#include "core/confidence.hpp"
#include "core/gapped_rows.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/formats/stockholm_markup.hpp"

namespace accord {

/// An alignment ready to be written: what every format needs, in the order of the output.
///
/// Invariant  `columns` are those of the rows; names different from each other, never empty,
/// without
///         white space; residue codes either for each row or none at all.
struct AlignmentText {
  ResidueType type = ResidueType::protein;
  std::size_t columns = 0;
  /// As in the input; but a name with blanks is that of `names`.
  std::vector<std::string> headers;
  std::vector<std::string> names;  ///< see unique_names
  /// See whole_names, for formats that have blanks in names; empty if they are the same.
  std::vector<std::string> whole_names;
  GappedRows rows;
  /// Confidence of each residue of a row in HMMER's code; none where it is not known.
  std::vector<std::optional<std::string>> residue_codes;
  std::string column_codes;  ///< confidence of each column
  /// The match columns of a2m, a3m and stockholm (RF); if it is empty, those that
  /// format_alignment() says.
  std::vector<bool> match_columns;
  std::vector<float> column_confidence;  ///< the same, in [0, 1]; NaN where there is none
  StockholmMarkup markup;                ///< of an alignment that was read

  /// The name of a row, with its blanks.
  const std::string& whole_name(std::size_t r) const {
    return whole_names.empty() ? names[r] : whole_names[r];
  }
  /// The header of a row as in the input.
  std::string whole_header(std::size_t r) const;
  /// Whether the confidence of a row's residues is known.
  bool has_codes(std::size_t r) const {
    return !residue_codes.empty() && residue_codes[r] && columns > 0;
  }
  /// The codes of a row that has some in its columns, `.` where there is no residue.
  std::string posterior_codes(std::size_t r) const;
};

/// How rows are written.
struct RowStyle {
  bool upper_case = false;           ///< else as in the input
  const GuideTree* order = nullptr;  ///< rows in the order of its leaves; else that of the input
};

/// The alignment with its rows; `confidence` may be null.
/// Throws  Error{internal} if the alignment does not have the rows and residues of `set`.
AlignmentText make_alignment_text(const SequenceSet& set, const Msa& msa,
                                  const Confidence* confidence = nullptr, RowStyle style = {});

/// Sets the codes of the columns from their confidence and the codes of the rows.
void set_column_codes(AlignmentText& text);

/// The leaves of a tree (canonical indices) in the order in which they are met from left to right.
std::vector<std::uint32_t> leaves_in_order(const GuideTree& tree);

/// Names for formats that know a row by its name, and can have blanks in it: control characters
/// become `_`, an empty name `seqN`, N from 1, and where several sequences share a name, all but
/// the first get `_2`, `_3`, ... Input order.
std::vector<std::string> whole_names(const SequenceSet& set);
/// The same in canonical order.
std::vector<std::string> canonical_names(const SequenceSet& set);
/// The same for formats without blanks in names, which become `_`; names that are then shared are
/// numbered.
std::vector<std::string> unique_names(const SequenceSet& set);

/// Texts as UTF-8 (see as_utf8), for formats that can hold nothing else.
std::vector<std::string> utf8_texts(const std::vector<std::string>& texts);

}  // namespace accord
