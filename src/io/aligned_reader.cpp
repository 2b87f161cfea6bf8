// SPDX-License-Identifier: Apache-2.0
#include "io/aligned_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "io/aligned_records.hpp"
#include "io/files/text_input.hpp"

namespace accord {
AlignedFamily read_aligned(const std::string& file, const FamilySource& source) {
  AlignedFamily aligned;
  aligned.label = input_label(file);
  const std::string text = read_text(file);
  std::vector<SequenceRecord> records = aligned_records_of(text, aligned.label, source.reading);
  aligned.format = source.reading.format.value_or(
      detect_format(text, aligned.label).value_or(AlignmentFormat::fasta));
  if (aligned.format == AlignmentFormat::stockholm) {
    aligned.markup = parse_stockholm_markup(text, aligned.label);
  }
  for (SequenceRecord& record : records) {
    std::replace(record.letters.begin(), record.letters.end(), '.', '-');
    aligned.rows.push_back(record.letters);
    std::erase(record.letters, '-');
  }
  aligned.set = make_family(std::move(records), source, aligned.label);
  check_size(aligned.set, source, aligned.label);
  return aligned;
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
  for (std::size_t c = 0; c < aligned.columns(); ++c) {
    if (!kept[c]) continue;
    for (std::size_t k = 0; k < aligned.rows.size(); ++k) {
      if (aligned.rows[k][c] == '-') continue;
      msa.column_of[aligned.set.from_input(k)].push_back(msa.columns);
    }
    ++msa.columns;
  }
  return msa;
}

AlignmentText text_of(const AlignedFamily& aligned, RowStyle style, const Confidence* confidence) {
  const std::vector<bool> all(aligned.columns(), true);
  AlignmentText text = make_alignment_text(aligned.set, msa_of(aligned, all), confidence, style);
  text.markup = aligned.markup;
  return text;
}

void warn_of_lost_markup(const StockholmMarkup& markup,
                         const std::vector<AlignmentFormat>& formats) {
  if (markup.is_empty()) return;
  std::string lost;
  for (const AlignmentFormat format : formats) {
    if (format == AlignmentFormat::stockholm) continue;
    if (!lost.empty()) lost += ", ";
    lost += format_name(format);
  }
  if (lost.empty()) return;
  log_warning("the markup of the input has no place in " + lost + ": " + markup.counted(),
              "-f stockholm keeps it");
}

}  // namespace accord
