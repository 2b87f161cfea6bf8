// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

constexpr std::size_t kCheckModulus = 10000;

/// GCG's checksum of a row: letters in upper case, weighted by their place modulo 57.
std::size_t check_sum(const std::string& row) {
  constexpr std::size_t kPeriod = 57;
  std::size_t sum = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto letter = static_cast<unsigned char>(row[c]);
    sum += (c % kPeriod + 1) * static_cast<std::size_t>(std::toupper(letter));
  }
  return sum % kCheckModulus;
}

/// The number that follows a word; none if the word or the number is not there.
std::optional<std::size_t> number_behind(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == line.npos) return std::nullopt;
  line.remove_prefix(at + word.size());
  const std::string_view digits = take_word(line);
  std::size_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

bool looks_like_msf(std::string_view text) {
  return text.substr(0, text.find("\n//")).find("MSF:") != text.npos;
}

std::vector<SequenceRecord> parse_msf(std::string_view text, const std::string& label,
                                      OddCharacters* left_out) {
  constexpr std::string_view kDigitsAndSpace = "0123456789 \t\v\f";
  RecordBuilder builder(label, left_out);
  LineReader reader(text);
  bool in_header = true;
  std::optional<std::size_t> columns;
  std::vector<std::optional<std::size_t>> lengths;  // of the rows
  while (reader.next()) {
    std::string_view line = reader.line();
    // Rulers of column numbers may stand above a block.
    if (line.find_first_not_of(kDigitsAndSpace) == line.npos) continue;
    const std::string_view word = take_word(line);
    if (in_header) {
      in_header = word != "//";
      if (!columns) columns = number_behind(reader.line(), "MSF:");
      if (word != "Name:") continue;
      const std::string_view name = take_word(line);
      if (!builder.add(name)) throw two_rows_error(label, reader.number(), name);
      lengths.push_back(number_behind(line, "Len:"));
    } else if (!builder.has(word)) {
      throw line_error(label, reader.number(), "row " + quote(word) + " has no 'Name:' line",
                       "every row is named in the header, above '//'");
    } else {
      builder.append(word, line, reader.number());
    }
  }
  std::vector<SequenceRecord> records = builder.finish();
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::size_t found = records[r].letters.size();
    const std::size_t said = std::max(columns.value_or(0), lengths[r].value_or(0));
    if (found >= said && found == records[0].letters.size()) continue;
    throw Error(ErrorKind::bad_input,
                label + ": row " + quote(records[r].name()) + " has " + std::to_string(found) +
                    " columns, " +
                    (found < said ? "the header says " + std::to_string(said)
                                  : "row " + quote(records[0].name()) + " has " +
                                        std::to_string(records[0].letters.size())),
                "was the file cut off?");
  }
  return records;
}

std::string format_msf(const AlignmentText& alignment) {
  constexpr std::size_t kBlock = 50, kGroup = 10;
  const bool is_protein = alignment.type == ResidueType::protein;
  const std::size_t width = longest_name(alignment) + 2;
  std::vector<std::string> rows = alignment.rows;
  std::size_t all = 0;
  std::vector<std::size_t> checks;
  for (std::string& row : rows) {
    std::replace(row.begin(), row.end(), '-', '.');
    checks.push_back(check_sum(row));
    all = (all + checks.back()) % kCheckModulus;
  }
  const std::string columns = std::to_string(alignment.columns);
  std::string text =
      std::string(is_protein ? "!!AA" : "!!NA") + "_MULTIPLE_ALIGNMENT 1.0\n\n  MSF: " + columns +
      "  Type: " + (is_protein ? "P" : "N") + "  Check: " + std::to_string(all) + " ..\n\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "  Name: " + padded(alignment.names[r], width) + "Len: " + columns +
            "  Check: " + std::to_string(checks[r]) + "  Weight: 1.00\n";
  }
  text += "\n//\n";
  for (std::size_t c = 0; c < alignment.columns; c += kBlock) {
    text += '\n';
    for (std::size_t r = 0; r < rows.size(); ++r) {
      text += padded(alignment.names[r], width);
      for (std::size_t g = c; g < std::min(c + kBlock, alignment.columns); g += kGroup) {
        if (g > c) text += ' ';
        text.append(rows[r], g, kGroup);
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace accord
