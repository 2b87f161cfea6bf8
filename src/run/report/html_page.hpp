// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The page without data, made of the files of src/run/report/html/. page_of_data() puts the policy
/// in place of "@POLICY@" and the data in place of "@DATA@".
std::string_view alignment_page();

/// A track of bars above the columns of a page.
struct PageTrack {
  std::string name;
  std::vector<float> values;  ///< of each column, in [0, 1]; NaN: no bar
};

/// The measure of columns and residues that a page shows, such as the confidence or the agreement.
/// Its values stand in the places of the confidence in AlignmentText.
struct PageMeasure {
  std::string name = "confidence";
  std::vector<PageTrack> tracks = {};  ///< tracks besides that of the measure; eight fit the page
  std::string meaning = {};  ///< a paragraph that defines it; empty: that of the confidence
};

/// Two kinds of rows that a page marks, such as the backbone of a large family and the placed
/// sequences.
struct PageGroups {
  std::string core, rest;     ///< the names of the two kinds
  std::vector<bool> is_core;  ///< of each row
  bool are_shown = false;     ///< whether a page of some rows has all of the core
};

/// Another alignment of the same rows, in the same order, to which a reader can switch.
struct PageAlternative {
  std::string name;
  AlignmentText alignment;
  double mean = 0;                     ///< of the measure over the alignment; NaN: none
  std::vector<PageTrack> tracks = {};  ///< tracks besides that of the measure
};

/// The parts of a page besides the alignment.
struct PageParts {
  std::string title;
  double mean = 0;                  ///< mean of the measure over the alignment; NaN: none
  const GuideTree* tree = nullptr;  ///< leaves in the order of the rows; null: no tree
  std::string report = {};          ///< report of the run, JSON or a table; may be empty
  PageMeasure measure = {};
  std::optional<PageGroups> groups = {};
  std::string name = {};  ///< name of the shown alignment, if there are others
  std::vector<PageAlternative> others = {};
  /// What stands below codons when the page opens: the number of a genetic code; "own" for the code
  /// that the header of each row names; empty for nothing.
  std::string translation = {};
  bool is_part = false;  ///< whether rows are left out; the page then has no trim preview
  /// Whether `accord trim` without options would compute the same confidence. It would not for a
  /// large family or added sequences, whose confidence is over some pairs only, or for a run with
  /// other parameters.
  bool is_confidence_of_trim = true;
};

/// The number of residues of all alignments of a page that opens quickly.
constexpr std::size_t kMostPageResidues = 20'000'000;

/// The number of residues of all alignments of a page above which the page holds them packed.
constexpr std::size_t kMostPlainResidues = 1'000'000;

/// Whether a page of an alignment with this number of rows and residues opens quickly. Pages of
/// larger families show only some of the rows.
constexpr bool fits_page(std::size_t rows, std::size_t residues) {
  return rows <= 10'000 && residues <= kMostPageResidues;
}

/// What a page shows of an alignment, JSON that cannot end the element in which it stands. In its
/// rows, a number stands for that number of gaps. Above kMostPlainResidues the JSON has "title",
/// and in "packed" the rest: JSON as gzip, in base64. That has columns in the place of rows, which
/// pack better.
std::string page_data(const AlignmentText& alignment, const PageParts& parts);

/// A page that shows alignments in a browser, in one file without references to others: rows with
/// residue colours faded by confidence, names, ruler, guide tree, conservation, confidence, search,
/// trim preview, and the report of the run. `data`: page_data() of each alignment; of several, the
/// reader chooses one.
std::string page_of_data(const std::vector<std::string>& data);

/// The page of one alignment.
inline std::string format_page(const AlignmentText& alignment, const PageParts& parts) {
  return page_of_data({page_data(alignment, parts)});
}

/// Returns a page with its Content-Security-Policy in place of "@POLICY@": no address is loaded or
/// sent to, and only the scripts and styles that the page has now run, by their checksums. Names
/// and texts of the input come into the page afterwards. They are escaped; if an escape ever
/// failed, the browser would still run nothing of theirs.
/// Throws  Error{internal} if the page has no such place.
std::string with_content_policy(std::string page);

/// The number of representative rows on the page of an alignment that does not fit (fits_page).
constexpr std::size_t kRepresentativePageRows = 1000;

/// Residues of all columns and rows of an alignment.
std::size_t residue_count(const Msa& msa);

/// Chooses `count` rows that represent a family, or all if there are no more, by
/// select_representatives().
/// Returns  indices of rows in input order, increasing.
std::vector<std::size_t> representative_rows(const SequenceSet& set, std::size_t count);

/// Leaves the values of the given rows, in their order; an empty list stays empty.
template <class Value>
void take_places(std::vector<Value>& values, const std::vector<std::size_t>& places) {
  if (values.empty()) return;
  std::vector<Value> taken;
  for (const std::size_t place : places) taken.push_back(std::move(values[place]));
  values = std::move(taken);
}

/// Leaves the given rows of an alignment, in their order; its markup stays as it is.
void take_rows(AlignmentText& text, const std::vector<std::size_t>& rows);

/// The given rows of an alignment, without the columns that they leave empty. `text` has its rows
/// in input order, and no markup of rows. `rows`: increasing indices, at least one.
AlignmentText with_rows(AlignmentText text, const std::vector<std::size_t>& rows);

}  // namespace accord
