// SPDX-License-Identifier: Apache-2.0
#include "io/families/aligned_reader.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/named_alignments.hpp"

namespace accord {
namespace {

/// Copies the confidence in the file of an alignment to `text`. `text` has the kept columns, and
/// its rows are in input order.
void keep_confidence(const AlignmentNotes& notes, const std::vector<bool>& kept,
                     AlignmentText& text) {
  if (notes.posterior_codes.empty()) return;
  std::vector<std::size_t> place;  // [column of `text`]: its place in the file
  for (std::size_t c = 0; c < kept.size(); ++c) {
    if (!kept[c]) continue;
    place.push_back(c);
    text.column_confidence.push_back(notes.column_confidence[c]);
  }
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    std::optional<std::string>& codes = text.residue_codes.emplace_back();
    if (notes.posterior_codes[r].empty()) continue;
    codes.emplace();
    for (const std::uint32_t c : text.rows.column_of(r)) {
      *codes += notes.posterior_codes[r][place[c]];
    }
  }
  set_column_codes(text);
}

void check_aligned(const std::vector<SequenceRecord>& rows, const std::string& label) {
  const bool has_columns = std::any_of(
      rows.begin(), rows.end(), [](const SequenceRecord& row) { return !row.letters.empty(); });
  if (!has_columns) {
    throw Error(ErrorKind::bad_input, label + ": an alignment without columns",
                "give an alignment with at least one column");
  }
  for (const SequenceRecord& row : rows) {
    if (row.letters.size() == rows[0].letters.size()) continue;
    throw Error(ErrorKind::bad_input,
                label + ": not aligned: row " + quote(row.name()) + " has " +
                    counted(row.letters.size(), "column") + ", row " + quote(rows[0].name()) +
                    " has " + std::to_string(rows[0].letters.size()),
                "'accord align FILE --html PAGE' aligns and shows it; {in-format=a3m} reads A3M "
                "that is named otherwise");
  }
}

}  // namespace

AlignedFamily read_aligned(const std::string& file, const FamilySource& source) {
  return aligned_in(read_text(file, source.limits()), input_label(file), source);
}

AlignedFamily aligned_in(std::string text, const std::string& label, const FamilySource& source) {
  AlignedFamily aligned;
  aligned.label = label;
  std::vector<SequenceRecord> records = aligned_records_of(text, aligned.label, source.reading);
  aligned.format = format_of_text(text, aligned.label, source.reading);
  aligned.notes = notes_of(text, aligned.label, source.reading, records);
  std::string().swap(text);  // its memory is needed
  for (SequenceRecord& record : records) {
    std::string letters = letters_alone(record.letters);
    aligned.rows.push_back(std::exchange(record.letters, std::move(letters)));
    std::replace(aligned.rows.back().begin(), aligned.rows.back().end(), '.', '-');
  }
  count_reading(record_bytes(records), aligned.label, counted(records.size(), "row"));
  aligned.set =
      make_family(std::move(records), source_of_rows(source, aligned.label), aligned.label);
  check_size(aligned.set, source, aligned.label);
  return aligned;
}

std::string FileAlignment::title() const { return file_name(file) + label().substr(file.size()); }

std::vector<FileAlignment> alignments_of(const std::vector<std::string>& files,
                                         const FamilySource& source) {
  const std::string& wanted = source.reading.replicate;
  std::vector<FileAlignment> found;
  for (const std::string& file : files) {
    const std::string label = input_label(file);
    std::string text = read_text(file, source.limits());
    const std::vector<NamedAlignment> several = alignments_in(text);
    if (!wanted.empty()) {
      const LabelledText one = text_of_alignment(text, label, wanted);
      found.push_back({label, one.label.substr(label.size() + 1), std::string(one.text)});
    } else if (several.empty()) {
      found.push_back({label, {}, std::move(text)});
    } else {
      for (const NamedAlignment& one : several) {
        found.push_back({label, one.name, std::string(one.text)});
      }
    }
  }
  return found;
}

bool looks_aligned(std::string_view text, const std::string& label) {
  if (!alignments_in(text).empty()) return true;
  try {
    const std::vector<SequenceRecord> rows = aligned_records_of(text, label, {});
    const auto has_gap = [](const SequenceRecord& row) {
      return std::any_of(row.letters.begin(), row.letters.end(), is_gap);
    };
    return rows.size() > 1 && std::any_of(rows.begin(), rows.end(), has_gap);
  } catch (const Error&) {  // no alignment; who aligns the text hears what is wrong
    return false;
  }
}

void keep_rows(AlignedFamily& aligned, const std::vector<bool>& kept) {
  std::vector<SequenceRecord> records;
  std::vector<std::string> rows, codes;
  std::unordered_set<std::string> names;
  for (std::size_t r = 0; r < kept.size(); ++r) {
    if (!kept[r]) continue;
    records.push_back(aligned.set.record(aligned.set.from_input(r)));
    names.emplace(records.back().name());
    rows.push_back(std::move(aligned.rows[r]));
    if (!aligned.notes.posterior_codes.empty()) {
      codes.push_back(std::move(aligned.notes.posterior_codes[r]));
    }
  }
  aligned.set = SequenceSet(std::move(records), aligned.set.type());
  aligned.rows = std::move(rows);
  aligned.notes.posterior_codes = std::move(codes);
  const auto is_gone = [&](const auto& line) { return !names.contains(line.name); };
  std::erase_if(aligned.notes.markup.of_sequences, is_gone);
  std::erase_if(aligned.notes.markup.of_residues, is_gone);
}

std::vector<bool> used_columns(const AlignedFamily& aligned) {
  std::vector<bool> used(aligned.columns());
  for (const std::string& row : aligned.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] != '-') used[c] = true;
    }
  }
  return used;
}

Msa msa_of(const AlignedFamily& aligned, const std::vector<bool>& kept) {
  Msa msa;
  msa.column_of.resize(aligned.rows.size());
  std::vector<std::uint32_t> place;  // [column]: the number of kept columns before it
  for (const bool is_kept : kept) {
    place.push_back(msa.columns);
    msa.columns += is_kept;
  }
  for (std::size_t k = 0; k < aligned.rows.size(); ++k) {
    const std::size_t x = aligned.set.from_input(k);
    std::vector<std::uint32_t>& columns = msa.column_of[x];
    columns.reserve(aligned.set.length(x));
    for (std::size_t c = 0; c < aligned.columns(); ++c) {
      if (kept[c] && aligned.rows[k][c] != '-') columns.push_back(place[c]);
    }
  }
  return msa;
}

AlignmentText text_of(const AlignedFamily& aligned, RowStyle style, const Confidence* confidence) {
  return text_of(aligned, std::vector<bool>(aligned.columns(), true), style, confidence);
}

AlignmentText text_of(const AlignedFamily& aligned, const std::vector<bool>& kept, RowStyle style,
                      const Confidence* confidence) {
  // A letter and its column, twice: as an alignment, and as rows that are written.
  constexpr std::size_t kOfResidue = 2 * (sizeof(char) + sizeof(std::uint32_t));
  check_reading(kOfResidue * aligned.set.coded().all_codes().size(), aligned.label,
                counted(aligned.rows.size(), "row"));
  AlignmentText text = make_alignment_text(aligned.set, msa_of(aligned, kept), confidence, style);
  text.markup = aligned.notes.markup;
  text.markup.keep_columns(kept);
  if (confidence == nullptr && style.order == nullptr) keep_confidence(aligned.notes, kept, text);
  for (std::size_t c = 0; c < aligned.notes.match_columns.size(); ++c) {
    if (kept[c]) text.match_columns.push_back(aligned.notes.match_columns[c]);
  }
  return text;
}

void warn_of_lost_notes(const AlignmentNotes& notes, const std::vector<AlignmentFormat>& formats) {
  std::vector<std::pair<std::string, std::string>> lost;  // markup, and the formats without it
  for (const AlignmentFormat format : formats) {
    const std::string what = lost_in(format, notes);
    if (what.empty()) continue;
    const std::string name(format_name(format));
    const auto at = std::find_if(lost.begin(), lost.end(),
                                 [&](const auto& entry) { return entry.first == what; });
    if (at == lost.end()) {
      lost.emplace_back(what, name);
    } else {
      at->second += ", " + name;
    }
  }
  for (const auto& [what, names] : lost) {
    log_warning(
        "the markup of the input has no place in " + names + ": " + what,
        lost_in(AlignmentFormat::stockholm, notes).empty() ? "{format=stockholm} keeps it" : "");
  }
}

std::vector<SequenceRecord> aligned_records_of(std::string_view text, const std::string& label,
                                               const ReadOptions& options) {
  ReadOptions aligned = options;
  aligned.is_aligned = true;
  std::vector<SequenceRecord> rows = records_of(text, label, aligned);
  check_aligned(rows, label);
  return rows;
}

std::string letters_alone(std::string_view row) {
  std::string letters;
  letters.reserve(static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](char c) { return !is_gap(c); })));
  std::copy_if(row.begin(), row.end(), std::back_inserter(letters),
               [](char c) { return !is_gap(c); });
  return letters;
}

std::vector<SequenceRecord> without_gaps(const std::vector<SequenceRecord>& rows) {
  std::vector<SequenceRecord> records;
  records.reserve(rows.size());
  for (const SequenceRecord& row : rows) {
    records.push_back({row.header, letters_alone(row.letters), row.name_bytes, row.track});
  }
  return records;
}

std::vector<std::uint32_t> columns_of_row(std::string_view row) {
  std::vector<std::uint32_t> columns;
  columns.reserve(static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](char c) { return !is_gap(c); })));
  for (std::uint32_t c = 0; c < row.size(); ++c) {
    if (!is_gap(row[c])) columns.push_back(c);
  }
  return columns;
}

}  // namespace accord
