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
#include "core/letter_case.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/formats/stockholm_markup.hpp"

namespace accord {

/// An alignment ready for writing, in the order of the output: the data that the formats need.
///
/// Invariant  the rows have `columns` columns; names are different, not empty and without white
///            space; `residue_codes` has an element for each row or is empty.
struct AlignmentText {
  ResidueType type = ResidueType::protein;
  std::size_t columns = 0;
  /// Headers as in the input, except that the element of `names` replaces a name with blanks.
  std::vector<std::string> headers;
  std::vector<std::string> names;  ///< see unique_names
  /// See whole_names, for formats that allow blanks in names; empty if equal to `names`.
  std::vector<std::string> whole_names;
  GappedRows rows;
  /// For each row, the confidence of its residues, a character for each residue (see
  /// posterior_code); not set if unknown.
  std::vector<std::optional<std::string>> residue_codes;
  std::string column_codes;  ///< confidence of each column, in the same code; empty if unknown
  /// The match columns of a2m, a3m and stockholm (RF); if empty, the default that
  /// format_alignment() describes.
  std::vector<bool> match_columns;
  std::vector<float> column_confidence;  ///< of each column, in [0, 1]; NaN if unknown
  StockholmMarkup markup;                ///< of an alignment that was read

  /// The name of a row, including blanks.
  const std::string& whole_name(std::size_t r) const {
    return whole_names.empty() ? names[r] : whole_names[r];
  }
  /// The header of a row with whole_name() as the name, including blanks.
  std::string whole_header(std::size_t r) const;
  /// The first row whose whole or other name is `name`; the number of rows if there is none.
  std::size_t row_named(const std::string& name) const;
  /// Whether the confidence of the row's residues is known.
  bool has_codes(std::size_t r) const {
    return !residue_codes.empty() && residue_codes[r] && columns > 0;
  }
  /// The codes of a row, for each column, with `.` where the row has a gap. The row must have
  /// codes.
  std::string posterior_codes(std::size_t r) const;
};

/// How rows are written.
struct RowStyle {
  LetterCase letter_case = LetterCase::keep;
  const GuideTree* order = nullptr;  ///< orders rows as the leaves of this tree; null: input order
};

/// Prepares the alignment `msa` of `set` for writing, without match columns and markup.
/// `confidence` may be null; the confidence is then unknown.
/// Throws  Error{internal} if the alignment does not have the rows and residues of `set`.
AlignmentText make_alignment_text(const SequenceSet& set, const Msa& msa,
                                  const Confidence* confidence = nullptr, RowStyle style = {});

/// Sets column_codes from column_confidence, which must have a value for each column. A column
/// whose confidence is NaN gets the code of its residue from residue_codes, or `.` if there is no
/// such code.
void set_column_codes(AlignmentText& text);

/// The leaves of a tree (canonical indices), from left to right.
std::vector<std::uint32_t> leaves_in_order(const GuideTree& tree);

/// Names for formats that identify a row by its name and allow blanks. Control characters become
/// `_`, and an empty name becomes `seqN` with N from 1. A name that an earlier sequence has gets
/// `_2`, `_3`, ... The names are in the order of the input.
std::vector<std::string> whole_names(const SequenceSet& set);
/// The same names in canonical order.
std::vector<std::string> canonical_names(const SequenceSet& set);
/// Names for formats without blanks in names: blanks become `_`, and names that become equal are
/// numbered. The names are in the order of the input.
std::vector<std::string> unique_names(const SequenceSet& set);

/// The texts as UTF-8 (see as_utf8), for formats that require it.
std::vector<std::string> utf8_texts(const std::vector<std::string>& texts);

}  // namespace accord
