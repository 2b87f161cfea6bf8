// SPDX-License-Identifier: Apache-2.0
#include "io/families/track_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/formats/dot_bracket.hpp"
#include "models/track_table.hpp"

namespace accord {
namespace {

/// The track of sequence x, with the letters of pseudoknots.
std::string written_track(const SequenceSet& set, std::size_t x) {
  const SequenceRecord& record = set.record(x);
  return written_dot_bracket({record.track, record.base_pairs});
}

}  // namespace

std::string track_tag(const TrackSource& source) {
  if (!source.tag.empty() && !source.is_of_columns) return source.tag;
  if (source.table == nullptr || source.table->takes_dssp() || source.table->has_dot_brackets()) {
    return "SS";
  }
  const std::vector<std::string>& built_in = built_in_track_tables();
  const bool is_built_in = std::ranges::find(built_in, source.table->name) != built_in.end();
  return is_built_in ? source.table->name : "TR";
}

AlignmentText track_rows(const SequenceSet& set, const Msa& msa, const GuideTree* order) {
  AlignmentText text = make_alignment_text(set, msa, nullptr, {.order = order});
  const std::vector<std::uint32_t> leaves =
      order != nullptr ? leaves_in_order(*order) : std::vector<std::uint32_t>();
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    const std::span<char> residues = text.rows.residues(r);
    const std::string track = written_track(set, order != nullptr ? leaves[r] : set.from_input(r));
    if (track.empty()) {
      std::ranges::fill(residues, kUnknownTrackLetter);
    } else {
      std::ranges::copy(track, residues.begin());
    }
  }
  return text;
}

void add_track_lines(AlignmentText& text, const SequenceSet& set, const Msa& msa,
                     const std::string& tag, const GuideTree* order) {
  std::unordered_set<std::string> marked;  // names of rows
  for (const StockholmMarkup::Columns& line : text.markup.of_residues) {
    if (line.tag == tag) marked.insert(line.name);
  }
  const std::vector<std::uint32_t> leaves =
      order != nullptr ? leaves_in_order(*order) : std::vector<std::uint32_t>();
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    const std::string track = written_track(set, order != nullptr ? leaves[r] : set.from_input(r));
    if (track.empty() || marked.contains(text.names[r])) continue;
    std::string columns;
    text.rows.append(columns, r, 0, msa.columns, track, '.');
    text.markup.of_residues.push_back({text.names[r], tag, std::move(columns)});
  }
}

}  // namespace accord
