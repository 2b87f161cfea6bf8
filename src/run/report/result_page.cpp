// SPDX-License-Identifier: Apache-2.0
#include "run/report/result_page.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/paths.hpp"
#include "base/text.hpp"
#include "run/report/backbone_view.hpp"
#include "run/report/html_page.hpp"
#include "run/report/page_rows.hpp"

namespace accord {
namespace {

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

/// The page of representative rows of an alignment. `text` has its rows in input order.
std::string page_of_some(const AlignmentText& text, const SequenceSet& set, PageParts parts) {
  const AlignmentText shown = with_rows(text, representative_rows(set, kRepresentativePageRows));
  parts.title +=
      ": " + std::to_string(shown.rows.size()) + " of " + counted(set.size(), "sequence");
  parts.is_part = true;
  return format_page(shown, parts);
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
                    const std::string& report, const AlignSettings& settings, bool upper_case) {
  const Confidence& confidence = *result.confidence;
  const std::optional<Backbone>& backbone = result.backbone;
  PageParts parts{title, confidence.mean, &result.tree, report};
  parts.is_confidence_of_trim = !backbone && has_built_in_parameters(settings, set.type());
  if (!backbone || fits_page(set.size(), residue_count(result.msa))) {
    if (backbone) parts.groups = groups_of(*backbone, result.tree);
    return format_page(
        make_alignment_text(set, result.msa, &confidence, {upper_case, &result.tree}), parts);
  }
  const BackboneView view = backbone_view(set, result);
  parts.title += ": " + std::to_string(backbone->members.size()) + " representatives of " +
                 counted(set.size(), "sequence");
  parts.tree = &backbone->tree;
  parts.is_part = true;
  return format_page(
      make_alignment_text(view.set, view.msa, &view.confidence, {upper_case, parts.tree}), parts);
}

std::string page_of(const AlignedFamily& aligned, const Confidence* confidence,
                    const GuideTree* tree, const AlignSettings& settings) {
  const SequenceSet& set = aligned.set;
  const double mean = confidence != nullptr ? confidence->mean : std::nan("");
  PageParts parts{file_name(aligned.label), mean, tree, {}};
  parts.is_confidence_of_trim =
      confidence != nullptr && has_built_in_parameters(settings, set.type());
  const Msa msa = msa_of(aligned, std::vector<bool>(aligned.columns(), true));
  if (fits_page(set.size(), residue_count(msa))) {
    return format_page(make_alignment_text(set, msa, confidence, {false, tree}), parts);
  }
  parts.tree = nullptr;
  const AlignmentText text = make_alignment_text(set, msa, confidence);
  return page_of_some(text, set, std::move(parts));
}

std::string page_of(const GivenRun& run, const AlignmentText& text, const std::string& report) {
  const SequenceSet& set = run.given.set();
  PageParts parts{page_title(run.given.input()), run.combined.confidence->mean, nullptr, report};
  parts.is_confidence_of_trim = false;
  if (fits_page(set.size(), text.rows.residue_count())) {
    if (run.given.parts().size() == 1) parts.groups = groups_of(run);
    return format_page(text, parts);
  }
  return page_of_some(text, set, std::move(parts));
}

}  // namespace accord
