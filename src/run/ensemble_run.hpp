// SPDX-License-Identifier: Apache-2.0
// Alternative alignments of one family.
#pragma once
#include <cstddef>
#include <string>

#include "core/sequence_set.hpp"
#include "method/ensemble.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/report.hpp"

namespace accord::run {

/// The noise of the guide trees of an ensemble: distances have factors from .8 to 1.2.
constexpr float kTreeSpread = 0.2f;

/// The number of parameter sets of an ensemble of a family that is not large, whose guide trees
/// have noise: the square root of the number of replicates, rounded up.
std::size_t parameter_sets(std::size_t replicates);

/// Aligns a family several times: by P parameter sets, and with each along T trees. P is
/// parameter_sets(). T is the number of replicates over P, rounded up; the last set has fewer trees
/// where P T is more than the number of replicates. A guide tree from a file, and the trees of a
/// large family, have no noise; T is then 1. The first replicate is the alignment of align().
/// Factors and noise depend on the seed and on the numbers of a replicate, so that a larger
/// ensemble need not contain a smaller one.
/// Throws  Error{usage} for no replicates, and for the local modes, whose scores have no factors;
///         as align.
/// Cost    for a family that is not large P times the posteriors and the consistency of align(),
///         and the progressive alignment and refinement once a replicate; for a large family the
///         cost of align() once a replicate.
Ensemble ensemble(const PreparedFamily& family, const EnsembleOptions& options,
                  const RunContext& context);

/// An HTML page of the replicates of an ensemble, between which a reader can switch. In place of
/// the confidence it has the agreement of each residue and column with the other replicates, as
/// ColumnAgreement has it, and a track with the share of the replicates that have the same column.
/// Rows are in the order of the guide tree of the first replicate, which the page shows. If the
/// replicates do not fit a page (fits_page), the page shows representative rows in input order, and
/// their agreement, without a tree. `run` is that of the first replicate. `report` is the report of
/// the run, which the page shows. `upper_case` shows all letters in upper case.
/// Returns  the text of the page.
/// Cost    O(R^2 N L log N) for R replicates of the N shown rows with L residues; and their texts.
std::string ensemble_page(const AlignRun& run, const Ensemble& ensemble, const std::string& report,
                          bool upper_case = false);

}  // namespace accord::run
