// SPDX-License-Identifier: Apache-2.0
#include "io/formats/ensemble_writer.hpp"

#include <cstdint>
#include <string_view>

#include "io/formats/formats.hpp"

namespace accord {

void write_efa(const std::vector<std::string>& names, const std::vector<AlignmentText>& alignments,
               std::optional<std::size_t> wrap, TextSink& out) {
  for (std::size_t k = 0; k < alignments.size(); ++k) {
    out << '<' << names[k] << '\n';
    write_alignment(alignments[k], AlignmentFormat::fasta, wrap, out);
  }
}

AlignmentText concatenated(const std::vector<AlignmentText>& alignments) {
  const AlignmentText& first = alignments.front();
  AlignmentText joined;
  joined.type = first.type;
  joined.headers = first.headers;
  joined.names = first.names;
  joined.whole_names = first.whole_names;
  for (const AlignmentText& alignment : alignments) joined.columns += alignment.columns;
  joined.rows = GappedRows(joined.columns);
  joined.rows.reserve(first.rows.size(), first.rows.residue_count() * alignments.size());
  for (std::size_t r = 0; r < first.rows.size(); ++r) {
    std::string residues;
    std::vector<std::uint32_t> column_of;
    std::size_t before = 0;
    for (const AlignmentText& alignment : alignments) {
      residues += alignment.rows.residues(r);
      for (const std::uint32_t column : alignment.rows.column_of(r)) {
        column_of.push_back(static_cast<std::uint32_t>(before + column));
      }
      before += alignment.columns;
    }
    joined.rows.add(residues, column_of);
  }
  joined.markup.of_residues = first.markup.of_residues;
  for (std::size_t k = 0; k < joined.markup.of_residues.size(); ++k) {
    std::string& text = joined.markup.of_residues[k].text;
    text.clear();
    for (const AlignmentText& alignment : alignments) text += alignment.markup.of_residues[k].text;
  }
  return joined;
}

}  // namespace accord
