// SPDX-License-Identifier: Apache-2.0
// HTML pages of the alignments that runs make.
#pragma once
#include <string>

#include "io/families/aligned_reader.hpp"
#include "io/families/family_reader.hpp"
#include "method/align_result.hpp"
#include "run/report/given_run.hpp"
#include "tools/trim_alignment.hpp"

namespace accord {

/// The title of a page: the names of the inputs without their directories.
std::string page_title(const FamilyInput& input);

/// Makes the HTML page of an alignment with its confidence. If a large family does not fit a page
/// (fits_page), the page shows the backbone. `result` must have a confidence. `settings` are those
/// that made the alignment. `report` is the report of the run, which the page shows.
std::string page_of(const std::string& title, const SequenceSet& set, const AlignResult& result,
                    const std::string& report, const AlignSettings& settings,
                    LetterCase letter_case = LetterCase::keep);

/// Makes the HTML page of the alignment that accord add or accord merge made. If the alignment does
/// not fit a page (fits_page), the page shows representative rows. `run` must have a confidence.
/// `text` is the alignment that the run writes. `report` is the report of the run, which the page
/// shows.
std::string page_of(const GivenRun& run, const AlignmentText& text, const std::string& report);

/// Makes the HTML page of an alignment that any program made. `confidence` is over all columns;
/// null if it is not known. `tree` orders the rows; null if there is none. `settings` are those of
/// the confidence. If the alignment does not fit a page (fits_page), the page shows representative
/// rows, without the tree.
std::string page_of(const AlignedFamily& aligned, const Confidence* confidence,
                    const GuideTree* tree, const AlignSettings& settings);

/// Formats the HTML page of a trimmed alignment, `losses`. The page shows the kept rows with all
/// columns; the removed columns are faded. `label` names the alignment in the title.
/// `is_confidence_of_trim`: whether `accord trim` without options would compute the confidence that
/// the alignment has.
std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim);

}  // namespace accord
