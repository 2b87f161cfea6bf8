// SPDX-License-Identifier: Apache-2.0
// HTML pages of the alignments that runs make.
#pragma once
#include <string>

#include "io/families/aligned_reader.hpp"
#include "io/families/family_reader.hpp"
#include "method/align_result.hpp"
#include "run/report/given_run.hpp"
#include "run/report/html_page.hpp"
#include "tools/trim_alignment.hpp"

namespace accord {

/// The title of a page: the names of the inputs without their directories.
std::string page_title(const FamilyInput& input);

/// Makes the HTML page of an alignment with its confidence. If a large family does not fit a page
/// (fits_page), the page shows the backbone. `result` must have a confidence. `settings` are those
/// that made the alignment. `report` is the report of the run, which the page shows. `track_tag` is
/// the tag of the lines that show the tracks of the sequences (see track_tag()); empty: they are
/// not shown.
std::string page_of(const std::string& title, const SequenceSet& set, const AlignResult& result,
                    const std::string& report, const AlignSettings& settings,
                    LetterCase letter_case = LetterCase::keep, const std::string& track_tag = {});

/// Makes the HTML page of the alignment that accord add or accord merge made. If the alignment does
/// not fit a page (fits_page), the page shows representative rows. `run` must have a confidence.
/// `text` is the alignment that the run writes. `report` is the report of the run, which the page
/// shows.
std::string page_of(const GivenRun& run, const AlignmentText& text, const std::string& report);

/// Makes the data (page_data) of the page of an alignment: of all rows, or, if it does not fit a
/// page (fits_page), of representative rows, without the tree of `parts`. `text` has the rows of
/// `set`, in input order unless it fits.
std::string data_of(AlignmentText text, const SequenceSet& set, PageParts parts);
/// Makes the page.
std::string page_of(AlignmentText text, const SequenceSet& set, PageParts parts);

/// An alignment that any program made, with its markup, as pages and figures show it. `confidence`
/// is over all columns; if null, the confidence in the file, if it has one. `tree` orders the rows;
/// null: input order.
AlignmentText text_to_show(const AlignedFamily& aligned, const Confidence* confidence,
                           const GuideTree* tree);

/// Makes the data of the page of such an alignment, by text_to_show() with the tree of `parts`.
/// `settings` are those of the confidence, of which the function sets what `parts` say. The rows
/// named in `marked` are marked.
std::string data_of(const AlignedFamily& aligned, const Confidence* confidence,
                    const AlignSettings& settings, PageParts parts,
                    const std::vector<std::string>& marked);

/// Formats the HTML page of a trimmed alignment, `losses`. The page shows the kept rows with all
/// columns; the removed columns are faded. `label` names the alignment in the title.
/// `is_confidence_of_trim`: whether `accord trim` without options would compute the confidence that
/// the alignment has.
std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim);

}  // namespace accord
