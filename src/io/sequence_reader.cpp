// SPDX-License-Identifier: Apache-2.0
#include "accord/io/sequence_reader.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "accord/base/log.hpp"
#include "accord/io/fasta.hpp"
#include "accord/io/text_input.hpp"

namespace accord {
namespace {

bool is_gap(char c) { return c == '-' || c == '.'; }

/// The first few names of a list, in quotes, for a warning.
std::string listed(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k) {
    text += (k > 0 ? ", " : "") + quoted(names[k]);
  }
  if (names.size() > kShown) text += ", ...";
  return text;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void remove_gaps(std::vector<SequenceRecord>& records, const std::string& label) {
  std::size_t gaps = 0, gapped_sequences = 0;
  for (SequenceRecord& record : records) {
    const std::size_t removed = std::erase_if(record.letters, is_gap);
    gaps += removed;
    gapped_sequences += removed > 0;
  }
  if (gaps == 0) return;
  log_warning(label + ": " + counted(gaps, "gap character") + " removed from " +
              counted(gapped_sequences, "sequence"));
}

void warn_of_odd_records(const std::vector<SequenceRecord>& records, const std::string& label) {
  std::vector<std::string_view> empty, repeated;
  std::size_t nameless = 0;
  std::unordered_map<std::string_view, std::size_t> uses;
  for (const SequenceRecord& record : records) {
    const std::string_view name = header_name(record.header);
    if (record.letters.empty()) empty.push_back(name);
    if (name.empty()) {
      ++nameless;
    } else if (++uses[name] == 2) {
      repeated.push_back(name);
    }
  }
  if (!empty.empty()) {
    log_warning(label + ": " + counted(empty.size(), "sequence") +
                " without residues: " + listed(empty));
  }
  if (nameless > 0) log_warning(label + ": " + counted(nameless, "sequence") + " without a name");
  if (!repeated.empty()) {
    log_warning(label + ": " + counted(repeated.size(), "name") +
                    (repeated.size() == 1 ? " belongs" : " belong") +
                    " to more than one sequence: " + listed(repeated),
                "rows with the same name cannot be told apart in the alignment");
  }
}

}  // namespace

std::vector<SequenceRecord> read_records(const std::string& path,
                                         std::optional<AlignmentFormat> format) {
  return records_of(read_text(path), input_label(path), format);
}

std::vector<SequenceRecord> records_of(std::string_view text, const std::string& label,
                                       std::optional<AlignmentFormat> format) {
  // What is no known format gets the complaint of the FASTA reader, which says where.
  const AlignmentFormat chosen =
      format ? *format : detect_format(text).value_or(AlignmentFormat::fasta);
  return parse_records(text, chosen, label);
}

void tidy_records(std::vector<SequenceRecord>& records, const std::string& label) {
  remove_gaps(records, label);
  warn_of_odd_records(records, label);
}

std::vector<SequenceRecord> read_sequences(const std::string& path,
                                           std::optional<AlignmentFormat> format) {
  return sequences_of(read_text(path), input_label(path), format);
}

std::vector<SequenceRecord> sequences_of(std::string_view text, const std::string& label,
                                         std::optional<AlignmentFormat> format) {
  std::vector<SequenceRecord> records = records_of(text, label, format);
  tidy_records(records, label);
  return records;
}

}  // namespace accord
