// SPDX-License-Identifier: Apache-2.0
#include <cctype>

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
  while (reader.next()) {
    std::string_view line = reader.line();
    // Rulers of column numbers may stand above a block.
    if (line.find_first_not_of(kDigitsAndSpace) == line.npos) continue;
    const std::string_view word = take_word(line);
    if (in_header) {
      in_header = word != "//";
      if (word != "Name:") continue;
      const std::string_view name = take_word(line);
      if (!builder.add(name)) throw two_rows_error(label, reader.number(), name);
    } else if (!builder.has(word)) {
      throw line_error(label, reader.number(), "row " + quote(word) + " has no 'Name:' line",
                       "every row is named in the header, above '//'");
    } else {
      builder.append(word, line, reader.number());
    }
  }
  return builder.finish();
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
