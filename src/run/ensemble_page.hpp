// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "method/ensemble.hpp"
#include "run/report/report.hpp"

namespace accord::run {

/// An HTML page of the replicates of an ensemble, between which a reader can switch. In place of
/// the confidence, it shows the agreement of each residue and column with the other replicates (see
/// ColumnAgreement), and for each column the share of the replicates that have the same column.
/// Rows are in the order of the guide tree of the first replicate, which the page shows. If the
/// replicates do not fit a page (fits_page), the page shows representative rows in input order, and
/// their agreement, without a tree. `run` is that of the first replicate. `report` is the report of
/// the run, which the page shows. `upper_case` shows all letters in upper case.
/// Returns  the text of the page.
/// Cost    O(R^2 N L log N) for R replicates of the N shown rows with L residues; and their texts.
std::string ensemble_page(const AlignRun& run, const Ensemble& ensemble, const std::string& report,
                          bool upper_case = false);

}  // namespace accord::run
