// SPDX-License-Identifier: Apache-2.0
#include "io/families/input_alignment.hpp"

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"

namespace accord {

std::vector<std::size_t> InputAlignment::row_of() const {
  std::vector<std::size_t> found(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) found[set.from_input(k)] = k;
  return found;
}

std::vector<std::string> InputAlignment::texts() const {
  std::vector<std::string> texts;
  for (const SequenceRecord& row : rows) {
    std::string& text = texts.emplace_back(row.letters);
    std::ranges::replace(text, '.', '-');
  }
  return texts;
}

namespace {

InputAlignment alignment_of(std::vector<SequenceRecord> rows, const FamilySource& source,
                            const std::string& label) {
  InputAlignment aligned;
  aligned.label = label;
  aligned.rows = std::move(rows);
  std::vector<SequenceRecord> records = without_gaps(aligned.rows);
  count_reading(record_bytes(records), label, counted(records.size(), "row"));
  aligned.set = make_family(std::move(records), source_of_rows(source, label), label);
  check_size(aligned.set, source, label);
  return aligned;
}

/// Whether at least two rows have one length, and some of them gaps.
bool is_finished(const std::vector<SequenceRecord>& rows) {
  if (rows.size() < 2) return false;
  const auto has_one_length = [&](const SequenceRecord& row) {
    return row.letters.size() == rows[0].letters.size();
  };
  const auto has_gap = [](const SequenceRecord& row) {
    return row.letters.find_first_of("-.") != std::string::npos;
  };
  return std::ranges::all_of(rows, has_one_length) && std::ranges::any_of(rows, has_gap);
}

}  // namespace

InputAlignment read_input_alignment(const FamilySource& source) {
  const std::string& file = source.files.front();
  const std::string label = input_label(file);
  return alignment_of(aligned_records_of(read_text(file, source.limits()), label, source.reading),
                      source, label);
}

RowsOrSequences read_rows_or_sequences(const FamilySource& source, bool is_aligned) {
  if (is_aligned) return {read_input_alignment(source), {}};
  RowsOrSequences read{{}, read_inputs(source, false)};
  const ReadOptions& reading = source.reading;
  if (read.inputs.size() > 1 || reading.refuse_gaps || reading.removes_gaps ||
      source.adjust_direction) {
    return read;
  }
  InputText& input = read.inputs.front();
  std::vector<SequenceRecord> rows = records_of_input(input, source);
  if (!is_finished(rows)) {
    input.records = std::move(rows);
    return read;
  }
  const std::string label = input_label(input.file.path);
  log_notice(label + ": rows of one length with gaps are an alignment, which is taken as it is",
             "{gaps=remove} aligns its sequences anew");
  return {alignment_of(std::move(rows), source, label), {}};
}

}  // namespace accord
