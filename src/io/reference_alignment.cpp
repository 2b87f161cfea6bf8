// SPDX-License-Identifier: Apache-2.0
#include "accord/io/reference_alignment.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_map>

#include "accord/io/fasta.hpp"
#include "accord/io/text_input.hpp"

namespace accord {
namespace {

constexpr std::string_view kWhiteSpace = " \t\v\f\r\n";
constexpr std::string_view kDigitsAndSpace = "0123456789 \t\v\f";

Error complaint(const std::string& label, const std::string& text) {
  return Error(ErrorKind::bad_input, label + ": " + text);
}

bool is_blank(std::string_view line) { return line.find_first_not_of(kWhiteSpace) == line.npos; }

/// Takes the first word off a line; empty if there is none.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kWhiteSpace), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kWhiteSpace));
  line.remove_prefix(word.size());
  return word;
}

/// Rows under construction, found by name.
class RowBuilder {
 public:
  explicit RowBuilder(std::string label) { result_.source = std::move(label); }

  bool has(std::string_view name) const { return index_.contains(std::string(name)); }
  std::size_t size() const { return result_.rows.size(); }

  /// Adds an empty row; false if the name is taken.
  bool add(std::string_view name) {
    if (!index_.emplace(name, size()).second) return false;
    result_.names.emplace_back(name);
    result_.rows.emplace_back();
    return true;
  }

  /// Appends letters and gaps to a row that exists; returns the first character that is neither,
  /// or 0. White space is skipped.
  char append(std::string_view name, std::string_view letters) {
    std::string& row = result_.rows[index_.at(std::string(name))];
    for (char c : letters) {
      if (is_sequence_letter(c)) {
        row += c;
      } else if (c == '-' || c == '.' || c == '~') {
        row += '-';
      } else if (kWhiteSpace.find(c) == kWhiteSpace.npos) {
        return c;
      }
    }
    return 0;
  }

  /// The finished rows; throws unless they are an alignment.
  AlignedRows finish() {
    const std::vector<std::string>& rows = result_.rows;
    if (rows.empty()) throw complaint(result_.source, "there are no rows");
    for (std::size_t r = 1; r < rows.size(); ++r) {
      if (rows[r].size() == rows[0].size()) continue;
      throw complaint(result_.source, "not aligned: row " + quoted(result_.names[r]) + " has " +
                                          std::to_string(rows[r].size()) + " columns, row " +
                                          quoted(result_.names[0]) + " has " +
                                          std::to_string(rows[0].size()));
    }
    return std::move(result_);
  }

 private:
  AlignedRows result_;
  std::unordered_map<std::string, std::size_t> index_;
};

std::string not_in_alignment(char c) {
  return quoted(std::string_view(&c, 1)) + " cannot stand in an alignment";
}

AlignedRows parse_fasta_rows(std::string_view text, const std::string& label) {
  RowBuilder builder(label);
  for (const SequenceRecord& record : parse_fasta(text, label)) {
    const std::string_view name = header_name(record.header);
    if (!builder.add(name)) throw complaint(label, "two rows are named " + quoted(name));
    builder.append(name, record.letters);
  }
  return builder.finish();
}

/// Marks the columns of upper-case letters, if the letters are of both cases.
void mark_upper_case_columns(AlignedRows& alignment) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::size_t columns = alignment.rows[0].size();
  std::vector<bool> upper(columns), lower(columns);
  for (const std::string& row : alignment.rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (is_upper(row[c])) upper[c] = true;
      if (is_lower(row[c])) lower[c] = true;
    }
  }
  const bool any_upper = std::find(upper.begin(), upper.end(), true) != upper.end();
  const bool any_lower = std::find(lower.begin(), lower.end(), true) != lower.end();
  if (!any_upper || !any_lower) return;
  for (std::size_t c = 0; c < columns; ++c) {
    if (!upper[c] || !lower[c]) continue;
    throw Error(ErrorKind::bad_input,
                alignment.source + ": column " + std::to_string(c + 1) +
                    " of the reference has letters of both cases",
                "upper case marks the columns that are scored; write all letters of a reference "
                "in upper case to score all columns");
  }
  alignment.core = std::move(upper);
}

AlignedRows parse_clustal(std::string_view text, const std::string& label) {
  RowBuilder builder(label);
  LineReader reader(text);
  std::unordered_map<std::string, std::size_t> last_block;
  std::size_t block = 0;
  bool header_seen = false;
  while (reader.next()) {
    std::string_view line = reader.line();
    if (is_blank(line)) {
      ++block;
    } else if (!header_seen) {
      header_seen = true;
    } else if (kWhiteSpace.find(line[0]) == kWhiteSpace.npos) {  // else a conservation line
      const std::string_view name = take_word(line);
      const std::string_view letters = take_word(line);
      const std::string_view count = take_word(line);
      builder.add(name);
      if (!last_block.emplace(name, block).second) {
        std::size_t& last = last_block.at(std::string(name));
        if (last == block) {
          throw line_error(label, reader.number(), "two rows are named " + quoted(name));
        }
        last = block;
      }
      if (const char bad = builder.append(name, letters); bad != 0) {
        throw line_error(label, reader.number(), not_in_alignment(bad));
      }
      if (count.find_first_not_of(kDigitsAndSpace) != count.npos || !is_blank(line)) {
        throw line_error(label, reader.number(), "not CLUSTAL: more than a name and letters");
      }
    }
  }
  return builder.finish();
}

AlignedRows parse_msf(std::string_view text, const std::string& label) {
  RowBuilder builder(label);
  LineReader reader(text);
  bool in_header = true;
  while (reader.next()) {
    std::string_view line = reader.line();
    // Rulers of column numbers may stand above a block.
    if (line.find_first_not_of(kDigitsAndSpace) == line.npos) continue;
    const std::string_view word = take_word(line);
    if (in_header) {
      in_header = word != "//";
      if (word != "Name:") continue;
      const std::string_view name = take_word(line);
      if (!builder.add(name)) {
        throw line_error(label, reader.number(), "two rows are named " + quoted(name));
      }
    } else if (!builder.has(word)) {
      throw line_error(label, reader.number(), "row " + quoted(word) + " has no 'Name:' line");
    } else if (const char bad = builder.append(word, line); bad != 0) {
      throw line_error(label, reader.number(), not_in_alignment(bad));
    }
  }
  return builder.finish();
}

/// The columns of an XML alignment whose `coreblock` score is 1; empty if it has no such scores.
std::vector<bool> core_blocks(const pugi::xml_node& alignment, std::size_t columns,
                              const std::string& label) {
  std::vector<bool> core;
  for (const pugi::xml_node& score : alignment.children("column-score")) {
    std::string_view name = score.child_value("colsco-name");
    if (take_word(name) != "coreblock") continue;
    std::string_view values = score.child_value("colsco-data");
    while (!is_blank(values)) core.push_back(take_word(values) == "1");
    if (core.size() != columns) {
      throw complaint(label, "there are " + std::to_string(core.size()) + " coreblock scores for " +
                                 std::to_string(columns) + " columns");
    }
    break;
  }
  return core;
}

AlignedRows parse_xml(std::string_view text, const std::string& label) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    const std::string_view before = text.substr(0, static_cast<std::size_t>(parsed.offset));
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    throw line_error(label, line, std::string("not valid XML: ") + parsed.description());
  }
  const pugi::xml_node alignment = document.child("macsim").child("alignment");
  if (!alignment) throw complaint(label, "not a BAliBASE alignment: no macsim/alignment element");
  RowBuilder builder(label);
  for (const pugi::xml_node& sequence : alignment.children("sequence")) {
    std::string_view text_of_name = sequence.child_value("seq-name");
    const std::string_view name = take_word(text_of_name);
    if (!builder.add(name)) throw complaint(label, "two rows are named " + quoted(name));
    if (const char bad = builder.append(name, sequence.child_value("seq-data")); bad != 0) {
      throw complaint(label, "row " + quoted(name) + ": " + not_in_alignment(bad));
    }
  }
  AlignedRows result = builder.finish();
  result.core = core_blocks(alignment, result.rows[0].size(), label);
  return result;
}

bool looks_like_clustal(std::string_view first_line) {
  constexpr std::array<std::string_view, 5> kWriters = {"CLUSTAL", "MUSCLE", "PROBCONS", "MSAPROBS",
                                                        "Kalign"};
  return std::any_of(kWriters.begin(), kWriters.end(),
                     [&](std::string_view word) { return first_line.starts_with(word); });
}

/// True if a line before any "//" has the word "MSF:".
bool looks_like_msf(std::string_view text) {
  return text.substr(0, text.find("\n//")).find("MSF:") != text.npos;
}

AlignedRows read_rows(const std::string& path, bool is_reference) {
  const std::string label = input_label(path);
  const std::string text = read_text(path);
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  std::string_view line = reader.line();
  line.remove_prefix(std::min(line.find_first_not_of(kWhiteSpace), line.size()));
  if (line.empty()) throw complaint(label, "the file is empty");
  if (line[0] == '>' || line[0] == ';') {
    AlignedRows result = parse_fasta_rows(text, label);
    if (is_reference) mark_upper_case_columns(result);
    return result;
  }
  if (line[0] == '<') {
    AlignedRows result = parse_xml(text, label);
    if (!is_reference) result.core.clear();
    return result;
  }
  if (looks_like_clustal(line)) return parse_clustal(text, label);
  if (looks_like_msf(text)) return parse_msf(text, label);
  throw Error(ErrorKind::bad_input,
              label + ":" + std::to_string(reader.number()) +
                  ": not an alignment in a known format: " + quoted(line),
              "alignments are read as FASTA, CLUSTAL, MSF or BAliBASE XML");
}

}  // namespace

AlignedRows read_alignment(const std::string& path) { return read_rows(path, false); }

AlignedRows read_reference_alignment(const std::string& path) { return read_rows(path, true); }

}  // namespace accord
