// SPDX-License-Identifier: Apache-2.0
#include "accord/io/fasta.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <unordered_map>

#include "accord/base/log.hpp"
#include "accord/io/text_input.hpp"

namespace accord {
namespace {

constexpr std::string_view kWhiteSpace = " \t\v\f";

bool is_gap(char c) { return c == '-' || c == '.'; }

std::string shown(char c) {
  if (c > ' ' && c <= '~') return std::string("'") + c + "'";
  char text[16];
  std::snprintf(text, sizeof text, "byte 0x%02X", static_cast<unsigned char>(c));
  return text;
}

Error bad_character(const std::string& label, std::size_t line, char c,
                    const SequenceRecord& record) {
  const std::string hint =
      c == '>' ? "a '>' must be the first character of its line"
               : "only letters, '*' and the gaps '-' and '.' can stand in a sequence; "
                 "write X (protein) or N (nucleotides) for an unknown residue";
  return line_error(label, line,
                    shown(c) + " is not a sequence character (in sequence " +
                        quoted(header_name(record.header)) + ")",
                    hint);
}

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

std::string_view header_name(std::string_view header) {
  return header.substr(0, header.find_first_of(" \t"));
}

std::vector<SequenceRecord> parse_fasta(std::string_view text, const std::string& label) {
  std::vector<SequenceRecord> records;
  LineReader reader(text);
  while (reader.next()) {
    const std::string_view line = reader.line();
    if (line.starts_with('>')) {
      records.push_back({std::string(line.substr(1)), {}});
    } else if (records.empty()) {
      if (line.starts_with(';') || line.find_first_not_of(kWhiteSpace) == line.npos) continue;
      throw line_error(label, reader.number(), "not FASTA: expected '>', found " + quoted(line),
                       "the input must be FASTA, plain or packed with gzip");
    } else {
      SequenceRecord& record = records.back();
      for (char c : line) {
        if (is_sequence_letter(c) || is_gap(c)) {
          record.letters += c;
        } else if (kWhiteSpace.find(c) == kWhiteSpace.npos) {
          throw bad_character(label, reader.number(), c, record);
        }
      }
      if (record.letters.size() > std::numeric_limits<std::int32_t>::max()) {
        throw line_error(
            label, reader.number(),
            "sequence " + quoted(header_name(record.header)) + " is longer than 2^31 residues");
      }
    }
  }
  if (records.empty()) throw Error(ErrorKind::bad_input, label + ": there are no sequences");
  return records;
}

std::vector<SequenceRecord> read_fasta(const std::string& path) {
  const std::string label = input_label(path);
  std::vector<SequenceRecord> records = parse_fasta(read_text(path), label);
  remove_gaps(records, label);
  warn_of_odd_records(records, label);
  return records;
}

}  // namespace accord
