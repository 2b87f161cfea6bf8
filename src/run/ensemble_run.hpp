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

/// Aligns a family several times: with each of P parameter sets, along each of T guide trees.
/// - If guide trees have noise, P is parameter_sets(), and T is the number of replicates divided by
///   P, rounded up. The last parameter set has fewer trees if P T exceeds the number of replicates.
/// - A guide tree from a file has no noise, nor have the guide trees of a large family. Then T is
///   1, and P is the number of replicates.
///
/// The first replicate is the alignment of align(). The seed, and the numbers of a replicate's
/// parameter set and tree, determine its factors and noise. P and T depend on the number of
/// replicates, so that a larger ensemble need not contain a smaller one.
/// Throws  Error{usage} for no replicates, and for the local modes, whose scores have no factors;
///         as align.
/// Cost    for a family that is not large P times the posteriors and the consistency of align(),
///         and the progressive alignment and refinement once a replicate; for a large family the
///         cost of align() once a replicate.
Ensemble ensemble(const PreparedFamily& family, const EnsembleOptions& options,
                  const RunContext& context);

/// An HTML page of the replicates of an ensemble, between which a reader can switch. In place of
/// the confidence, it shows the agreement of each residue and column with the other replicates (see
/// ColumnAgreement), and for each column the share of the replicates that have the same column.
/// Rows are in the order of the guide tree of the first replicate, which the page shows. If the
/// replicates do not fit a page (fits_page), the page shows representative rows in input order, and
/// their agreement, without a tree. `run` is that of the first replicate. `report` is the report of
/// the run, which the page shows.
/// Returns  the text of the page.
/// Cost    O(R^2 N L log N) for R replicates of the N shown rows with L residues; and their texts.
std::string ensemble_page(const AlignRun& run, const Ensemble& ensemble, const std::string& report,
                          LetterCase letter_case = LetterCase::keep);

}  // namespace accord::run
