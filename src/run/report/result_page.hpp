// SPDX-License-Identifier: Apache-2.0
// The pages of the alignments that runs make.
#pragma once
#include <string>

#include "io/family_reader.hpp"
#include "method/pipeline.hpp"
#include "run/report/given_run.hpp"

namespace accord {

/// The inputs without their directories: the title of a page.
std::string page_title(const FamilyInput& input);

/// The page (HTML) of an alignment that was made with its confidence; of a large family that does
/// not fit (fits_page) that of the backbone. `report` is the text that the page shows of the run.
std::string page_of(const std::string& title, const SequenceSet& set, const AlignResult& result,
                    const std::string& report, const AlignSettings& settings,
                    bool upper_case = false);

/// The page (HTML) of an alignment that sequences were added to, or of merged ones, with its
/// confidence; `text` is the alignment as it is written. Of one that does not fit (fits_page) the
/// page has the rows that represent it.
std::string page_of(const GivenRun& run, const AlignmentText& text, const std::string& report);

}  // namespace accord
