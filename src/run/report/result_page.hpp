// SPDX-License-Identifier: Apache-2.0
// HTML pages of the alignments that runs make.
#pragma once
#include <string>

#include "io/family_reader.hpp"
#include "method/pipeline.hpp"
#include "run/report/given_run.hpp"

namespace accord {

/// The title of a page: the names of the inputs without their directories.
std::string page_title(const FamilyInput& input);

/// The page of an alignment with confidence. If a large family does not fit a page (fits_page), the
/// page shows the backbone. `result` must have a confidence; `report`: the text about the run on
/// the page.
std::string page_of(const std::string& title, const SequenceSet& set, const AlignResult& result,
                    const std::string& report, const AlignSettings& settings,
                    bool upper_case = false);

/// The page of the alignment that accord add or accord merge made, with its confidence. `text`: the
/// alignment as it is written. If it does not fit a page (fits_page), the page shows representative
/// rows.
std::string page_of(const GivenRun& run, const AlignmentText& text, const std::string& report);

}  // namespace accord
