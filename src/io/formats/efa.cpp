// SPDX-License-Identifier: Apache-2.0
#include "io/formats/efa.hpp"

#include <cstdint>

#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

constexpr char kTitleMark = '<';

bool next_line(LineReader& reader) {
  while (reader.next()) {
    if (!is_blank(reader.line())) return true;
  }
  return false;
}

}  // namespace

bool is_efa(std::string_view text) {
  LineReader reader(text);
  if (!next_line(reader)) return false;
  // A tag of XML ends with `>`.
  if (!reader.line().starts_with(kTitleMark) || trimmed(reader.line()).ends_with('>')) return false;
  return next_line(reader) && reader.line().starts_with('>') && !is_blank(reader.line().substr(1));
}

std::vector<EfaReplicate> efa_replicates(std::string_view text) {
  std::vector<EfaReplicate> replicates;
  if (!is_efa(text)) return replicates;
  const char* const end = text.data() + text.size();
  const char* begin = nullptr;  // of the rows of the last replicate
  const auto finish = [&](const char* at) {
    if (begin != nullptr) {
      replicates.back().rows = {begin, static_cast<std::size_t>(at - begin)};
    }
  };
  LineReader reader(text);
  while (reader.next()) {
    const std::string_view line = reader.line();
    if (!line.starts_with(kTitleMark)) continue;
    finish(line.data());
    replicates.push_back({trimmed(line.substr(1)), {}});
    begin = line.data() + line.size();
  }
  finish(end);
  return replicates;
}

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
