// SPDX-License-Identifier: Apache-2.0
#include "run/report/result_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/paths.hpp"
#include "base/text.hpp"
#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/families/track_writer.hpp"
#include "run/report/html_page.hpp"

namespace accord {
namespace {

/// The rows of the backbone of a large family, without the columns that are empty in these rows. A
/// page shows them in place of an alignment that is too large.
struct BackboneView {
  SequenceSet set;  ///< the sequences of the backbone
  Msa msa;          ///< the rows of `set`
  /// The values of these rows and columns, computed in the whole alignment. The mean and the number
  /// of pairs are those of the whole alignment.
  Confidence confidence;
};

/// The backbone rows of `result`, the alignment of `set`. `result` must have a backbone and a
/// confidence.
BackboneView backbone_view(const SequenceSet& set, const AlignResult& result) {
  const std::vector<std::uint32_t>& members = result.backbone->members;
  const Confidence& confidence = *result.confidence;
  std::vector<bool> is_shown(result.msa.columns, false);
  for (const std::uint32_t x : members) {
    for (const std::uint32_t c : result.msa.column_of[x]) is_shown[c] = true;
  }
  BackboneView view{set.subset(members), {}, {}};
  view.confidence.mean = confidence.mean;
  view.confidence.pairs = confidence.pairs;
  std::vector<std::uint32_t> shown(result.msa.columns, 0);
  for (std::uint32_t c = 0; c < result.msa.columns; ++c) {
    if (!is_shown[c]) continue;
    shown[c] = view.msa.columns++;
    view.confidence.column.push_back(confidence.column[c]);
    view.confidence.column_residues.push_back(confidence.column_residues[c]);
  }
  for (const std::uint32_t x : members) {
    std::vector<std::uint32_t>& row = view.msa.column_of.emplace_back();
    for (const std::uint32_t c : result.msa.column_of[x]) row.push_back(shown[c]);
    view.confidence.residue.push_back(confidence.residue[x]);
  }
  return view;
}

/// Marks the leaves of a tree, in the order of the rows, that are members of the backbone.
PageGroups groups_of(const Backbone& backbone, const GuideTree& tree) {
  PageGroups groups{"backbone", "placed", {}};
  for (const std::uint32_t leaf : leaves_in_order(tree)) {
    groups.is_core.push_back(std::ranges::binary_search(backbone.members, leaf));
  }
  return groups;
}

/// Marks the rows, in input order, of the alignment that sequences are added to.
PageGroups groups_of(const GivenRun& run) {
  const SequenceSet& set = run.given.set();
  const std::vector<std::uint32_t>& given = run.given.parts().front().members;
  PageGroups groups{"given", "added", {}};
  for (std::size_t k = 0; k < set.size(); ++k) {
    groups.is_core.push_back(std::ranges::binary_search(given, set.from_input(k)));
  }
  return groups;
}

/// The rows of an alignment that the names mark; a name that it does not have marks none.
PageGroups marked_rows(const AlignmentText& text, const std::vector<std::string>& names) {
  PageGroups groups{"marked", "others", std::vector<bool>(text.rows.size()), true};
  for (const std::string& name : names) {
    const std::size_t r = text.row_named(name);
    if (r < groups.is_core.size()) groups.is_core[r] = true;
  }
  return groups;
}

/// Rows, and those of the core, in increasing order.
std::vector<std::size_t> with_core(std::vector<std::size_t> rows, const PageGroups& groups) {
  for (std::size_t r = 0; r < groups.is_core.size(); ++r) {
    if (groups.is_core[r]) rows.push_back(r);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<float> as_track(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::string page_title(const FamilyInput& input) {
  if (input.source.files.empty()) return input.label.substr(input.label.find_last_of('/') + 1);
  FamilySource names;
  for (const FileDigest& file : input.files) {
    names.files.push_back(file.path.substr(file.path.find_last_of('/') + 1));  // npos + 1 is 0
  }
  return family_label(names);
}

std::string page_of(const std::string& title, const SequenceSet& set, const AlignResult& result,
                    const std::string& report, const AlignSettings& settings,
                    LetterCase letter_case, const std::string& track_tag) {
  const Confidence& confidence = *result.confidence;
  const std::optional<Backbone>& backbone = result.backbone;
  PageParts parts{title, confidence.mean, &result.tree, report};
  parts.is_confidence_of_trim = !backbone && has_built_in_parameters(settings, set.type());
  if (!backbone || fits_page(set.size(), residue_count(result.msa))) {
    if (result.lddt) parts.measure.tracks.push_back({"lDDT", result.lddt->column});
    if (backbone) parts.groups = groups_of(*backbone, result.tree);
    AlignmentText text =
        make_alignment_text(set, result.msa, &confidence, {letter_case, &result.tree});
    if (!track_tag.empty()) add_track_lines(text, set, result.msa, track_tag, &result.tree);
    return format_page(text, parts);
  }
  const BackboneView view = backbone_view(set, result);
  parts.title += ": " + std::to_string(backbone->members.size()) + " representatives of " +
                 counted(set.size(), "sequence");
  parts.tree = &backbone->tree;
  parts.is_part = true;
  return format_page(
      make_alignment_text(view.set, view.msa, &view.confidence, {letter_case, parts.tree}), parts);
}

std::string data_of(AlignmentText text, const SequenceSet& set, PageParts parts) {
  if (fits_page(set.size(), text.rows.residue_count())) return page_data(text, parts);
  text.markup.of_residues.clear();
  std::vector<std::size_t> rows = representative_rows(set, kRepresentativePageRows);
  if (parts.groups && parts.groups->are_shown) rows = with_core(std::move(rows), *parts.groups);
  text = with_rows(std::move(text), rows);
  parts.title += ": " + std::to_string(text.rows.size()) + " of " + counted(set.size(), "sequence");
  parts.tree = nullptr;
  if (parts.groups) take_places(parts.groups->is_core, rows);
  parts.is_part = true;
  return page_data(text, parts);
}

std::string page_of(AlignmentText text, const SequenceSet& set, PageParts parts) {
  return page_of_data({data_of(std::move(text), set, std::move(parts))});
}

AlignmentText text_to_show(const AlignedFamily& aligned, const Confidence* confidence,
                           const GuideTree* tree) {
  AlignmentText text = text_of(aligned, {}, confidence);
  if (tree == nullptr) return text;
  std::vector<std::size_t> input(aligned.set.size()), rows;
  for (std::size_t k = 0; k < input.size(); ++k) input[aligned.set.from_input(k)] = k;
  for (const std::uint32_t leaf : leaves_in_order(*tree)) rows.push_back(input[leaf]);
  take_rows(text, rows);
  return text;
}

std::string data_of(const AlignedFamily& aligned, const Confidence* confidence,
                    const AlignSettings& settings, PageParts parts,
                    const std::vector<std::string>& marked) {
  const SequenceSet& set = aligned.set;
  parts.mean = confidence != nullptr ? confidence->mean : std::nan("");
  parts.is_confidence_of_trim =
      confidence != nullptr && has_built_in_parameters(settings, set.type());
  if (!fits_page(set.size(), set.coded().all_codes().size())) parts.tree = nullptr;
  AlignmentText text = text_to_show(aligned, confidence, parts.tree);
  if (!marked.empty()) parts.groups = marked_rows(text, marked);
  return data_of(std::move(text), set, std::move(parts));
}

std::string page_of(const GivenRun& run, const AlignmentText& text, const std::string& report) {
  PageParts parts{page_title(run.given.input()), run.combined.confidence->mean, nullptr, report};
  parts.is_confidence_of_trim = false;
  if (run.given.parts().size() == 1) parts.groups = groups_of(run);
  return page_of(text, run.given.set(), std::move(parts));
}

std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim) {
  AlignmentText text = losses.whole;
  const std::vector<bool> kept = kept_columns(losses.columns);
  PageMeasure measure{"kept",
                      {{"gaps", as_track(gap_shares(text))}},
                      "Columns that are kept have the value 1; those that go have 0, and their "
                      "residues are faded."};
  if (!text.column_confidence.empty()) {
    measure.tracks.push_back({"confidence", text.column_confidence});
  }
  if (!losses.consistency.empty()) {
    measure.tracks.push_back({"consistency", as_track(losses.consistency)});
  }
  text.column_confidence.assign(kept.begin(), kept.end());
  text.residue_codes.clear();
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    std::string codes;
    for (const std::uint32_t c : text.rows.column_of(r)) codes += kept[c] ? '*' : '0';
    text.residue_codes.push_back(std::move(codes));
  }
  const auto count = static_cast<double>(std::count(kept.begin(), kept.end(), true));
  PageParts parts{label + ": kept columns",
                  count / static_cast<double>(std::max<std::size_t>(1, kept.size())), nullptr,
                  format_left_out(losses.rows, losses.columns), std::move(measure)};
  parts.is_part = !losses.rows.empty();
  parts.is_confidence_of_trim = is_confidence_of_trim;
  return format_page(text, parts);
}

}  // namespace accord
