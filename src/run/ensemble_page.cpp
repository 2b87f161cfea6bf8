// SPDX-License-Identifier: Apache-2.0
#include "run/ensemble_page.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "run/comparison_page.hpp"
#include "run/report/html_page.hpp"
#include "run/report/page_rows.hpp"
#include "run/report/result_page.hpp"

namespace accord::run {
namespace {

/// The shown rows of the replicates. The place of the confidence of columns has their confidence in
/// the ensemble.
struct ShownRows {
  std::vector<AlignmentText> texts;  ///< of each replicate
  bool are_all = true;               ///< whether they are all rows of the family
};

ShownRows shown_rows(const AlignRun& run, const Ensemble& ensemble, bool upper_case) {
  const SequenceSet& set = run.family.set();
  const std::size_t count = ensemble.replicates.size(), residues = residue_count(run.result.msa);
  ShownRows shown;
  shown.are_all = fits_page(set.size(), count * residues);
  std::vector<std::size_t> some;
  if (!shown.are_all) {
    constexpr std::size_t kLeast = 2;
    const std::size_t fitting =
        kMostPageResidues * set.size() / std::max<std::size_t>(1, count * residues);
    some = representative_rows(set, std::clamp(fitting, kLeast, kRepresentativePageRows));
  }
  const RowStyle style{upper_case, shown.are_all ? &run.result.tree : nullptr};
  for (std::size_t r = 0; r < count; ++r) {
    AlignmentText text =
        make_alignment_text(set, ensemble.replicates[r].aligned.msa, nullptr, style);
    text.column_confidence = ensemble.agreement.column_confidence[r];
    shown.texts.push_back(shown.are_all ? std::move(text) : with_rows(std::move(text), some));
  }
  return shown;
}

/// The agreement of each replicate with the others.
std::vector<Comparison> agreements(const std::vector<AlignmentText>& texts) {
  std::vector<AlignedRows> others;
  for (const AlignmentText& text : texts) others.push_back({text.names, text.rows.texts(), {}, {}});
  AlignedRows one = std::move(others.front());
  others.erase(others.begin());
  const std::vector<std::string> labels(others.size());
  std::vector<Comparison> found;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    found.push_back(compare(one, others, labels, {.marks = true}));
    if (r < others.size()) std::swap(one, others[r]);  // the others stay in order
  }
  return found;
}

/// A replicate as the page has it: its agreement is in the place of the confidence.
PageAlternative shown_replicate(const Ensemble& ensemble, std::size_t r, AlignmentText text,
                                const Comparison& found) {
  PageAlternative shown;
  shown.name = ensemble.replicates[r].name();
  if (r == ensemble.agreement.best) shown.name += " (best)";
  shown.mean = found.summary.mean();
  shown.tracks = {{"same column", std::exchange(text.column_confidence, {})}};
  put_agreement(text, *found.marks);
  shown.alignment = std::move(text);
  return shown;
}

}  // namespace

std::string ensemble_page(const AlignRun& run, const Ensemble& ensemble, const std::string& report,
                          bool upper_case) {
  ShownRows rows = shown_rows(run, ensemble, upper_case);
  const std::vector<Comparison> found = agreements(rows.texts);
  std::vector<PageAlternative> replicates;
  for (std::size_t r = 0; r < found.size(); ++r) {
    replicates.push_back(shown_replicate(ensemble, r, std::move(rows.texts[r]), found[r]));
  }
  PageAlternative& first = replicates.front();
  PageParts parts{page_title(run.family.input) + ": ensemble", first.mean,
                  rows.are_all ? &run.result.tree : nullptr, report};
  parts.measure = {
      "agreement", std::move(first.tracks),
      "Agreement is the share of the aligned pairs that the other replicates have, in "
      "the mean over them: of a residue of its pairs, of a column of all of its pairs. "
      "The bars of the same column are the share of the replicates that have a column "
      "of the same residues. The tree is that of the first replicate."};
  parts.name = std::move(first.name);
  parts.is_part = !rows.are_all;
  parts.is_confidence_of_trim = false;
  if (parts.is_part) {
    parts.title += ", " + std::to_string(first.alignment.rows.size()) + " of " +
                   counted(run.family.set().size(), "sequence");
  }
  const AlignmentText shown = std::move(first.alignment);
  replicates.erase(replicates.begin());
  parts.others = std::move(replicates);
  return format_page(shown, parts);
}

}  // namespace accord::run
