// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

constexpr std::size_t kCheckModulus = 10000;

/// GCG's checksum of a row: letters in upper case, weighted by their place modulo 57.
std::size_t check_sum(const std::string& row) {
  constexpr std::size_t kPeriod = 57;
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto letter = static_cast<unsigned char>(row[c]);
    sum += (c % kPeriod + 1) * static_cast<std::size_t>(std::toupper(letter));
  }
  return static_cast<std::size_t>(sum % kCheckModulus);
}

/// The number behind a word in a line; none if the word or the number is missing.
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

/// Whether a row has a checksum. Programs use different characters for gaps inside and at the ends,
/// or leave gaps out, so all of these are tried.
bool has_check_sum(std::string row, std::size_t check) {
  const auto is_gap = [](char c) { return c == '-' || c == '.' || c == '~'; };
  if (check_sum(row) == check) return true;
  const auto first = std::find_if_not(row.begin(), row.end(), is_gap);
  const auto last = std::find_if_not(row.rbegin(), row.rend(), is_gap).base();
  for (const auto& [inner, outer] : {std::pair('.', '.'), {'-', '-'}, {'~', '~'}, {'.', '~'}}) {
    std::replace_if(row.begin(), row.end(), is_gap, inner);
    std::fill(row.begin(), first, outer);
    std::fill(std::max(first, last), row.end(), outer);
    if (check_sum(row) == check) return true;
  }
  std::erase_if(row, is_gap);
  return check_sum(row) == check;
}

/// The numbers that the header states for a row.
struct RowHeader {
  std::optional<std::size_t> columns, check;
};

void warn_of_check_sums(const std::vector<SequenceRecord>& records,
                        const std::vector<RowHeader>& row_headers, const std::string& label) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::size_t check = row_headers[r].check.value_or(0);  // 0: its writer did not compute it
    if (check == 0 || has_check_sum(records[r].letters, check)) continue;
    if (++count == 1) first = quote(records[r].name());
  }
  if (count == 0) return;
  log_warning(label + ": " + std::to_string(count) + " of " + counted(records.size(), "row") +
                  (count == 1 ? " does" : " do") +
                  " not have the checksum of the header, such as " + first,
              "was the file changed by hand, or damaged?");
}

/// The number of residues of a row.
std::size_t residues_of(const std::string& row) {
  return static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](char c) { return c != '-' && c != '.'; }));
}

/// Warns of numbers of columns in the header, `columns` for all rows and those of `row_headers`,
/// that are less than the rows have.
void warn_of_columns(const std::vector<SequenceRecord>& records, std::optional<std::size_t> columns,
                     const std::vector<RowHeader>& row_headers, const std::string& label) {
  const std::size_t found = records[0].letters.size();
  std::size_t count = 0;
  std::optional<std::size_t> stated;
  if (columns.value_or(0) > 0 && *columns != found) stated = columns;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::size_t of_row = row_headers[r].columns.value_or(found);
    // Some writers state the number of residues of a row instead.
    const bool fits = of_row == 0 || of_row == found || of_row == residues_of(records[r].letters);
    count += !fits;
    if (!fits && !stated) stated = of_row;
  }
  if (!stated) return;
  log_warning(label + ": the rows have " + std::to_string(found) + " columns, the header says " +
                  std::to_string(*stated) + (count > 0 ? " of " + counted(count, "row") : ""),
              "was the file changed by hand?");
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
  std::vector<RowHeader> row_headers;
  while (reader.next()) {
    std::string_view line = reader.line();
    // A ruler of column numbers may stand above a block.
    if (line.find_first_not_of(kDigitsAndSpace) == line.npos) {
      builder.end_block(reader.number());
      continue;
    }
    const std::string_view word = take_word(line);
    if (in_header) {
      in_header = word != "//";
      if (!columns) columns = number_behind(reader.line(), "MSF:");
      if (word != "Name:") continue;
      const std::string_view name = take_word(line);
      if (!builder.add(name)) throw two_rows_error(label, reader.number(), name);
      row_headers.push_back({number_behind(line, "Len:"), number_behind(line, "Check:")});
    } else if (!builder.has(word)) {
      throw line_error(label, reader.number(), "row " + quote(word) + " has no 'Name:' line",
                       "every row is named in the header, above '//'");
    } else {
      builder.append_line(word, line, reader.number());
    }
  }
  builder.end_block(reader.number());
  std::vector<SequenceRecord> records = builder.finish();
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::size_t found = records[r].letters.size();
    const std::size_t stated = std::max(columns.value_or(0), row_headers[r].columns.value_or(0));
    const bool fits = found >= stated;
    if (fits && found == records[0].letters.size()) continue;
    throw Error(ErrorKind::bad_input,
                label + ": row " + quote(records[r].name()) + " has " + counted(found, "column") +
                    ", " +
                    (fits ? "row " + quote(records[0].name()) + " has " +
                                std::to_string(records[0].letters.size())
                          : "the header says " + std::to_string(stated)),
                "was the file cut off?");
  }
  warn_of_columns(records, columns, row_headers, label);
  warn_of_check_sums(records, row_headers, label);
  return records;
}

std::optional<ResidueType> msf_type(std::string_view text) {
  for (LineReader reader(text); reader.next();) {
    std::string_view line = reader.line();
    if (take_word(line) == "//") break;
    const std::size_t at = reader.line().find("Type:");
    if (at == std::string_view::npos) continue;
    line = reader.line().substr(at + std::string_view("Type:").size());
    const std::string_view type = take_word(line);
    if (type == "P") return ResidueType::protein;
    if (type == "N") return ResidueType::dna;
  }
  return std::nullopt;
}

bool has_msf_weights(std::string_view text) {
  std::unordered_set<std::string_view> weights;
  for (LineReader reader(text); reader.next();) {
    std::string_view line = reader.line();
    if (take_word(line) == "//") break;
    const std::size_t at = reader.line().find("Weight:");
    if (at == std::string_view::npos) continue;
    std::string_view weight = reader.line().substr(at + std::string_view("Weight:").size());
    weights.insert(take_word(weight));
  }
  return weights.size() > 1;
}

void write_msf(const AlignmentText& alignment, TextSink& out) {
  constexpr std::size_t kBlock = 50, kGroup = 10;
  const bool is_protein = alignment.type == ResidueType::protein;
  const std::size_t width = longest_name(alignment) + 2;
  const GappedRows& rows = alignment.rows;
  const auto with_dots = [&](std::size_t r, std::size_t first, std::size_t count) {
    std::string text;
    rows.append(text, r, first, count, rows.residues(r), '.');
    return text;
  };
  std::size_t all = 0;
  std::vector<std::size_t> checks;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    checks.push_back(check_sum(with_dots(r, 0, alignment.columns)));
    all = (all + checks.back()) % kCheckModulus;
  }
  const std::string columns = std::to_string(alignment.columns);
  out << (is_protein ? "!!AA" : "!!NA") << "_MULTIPLE_ALIGNMENT 1.0\n\n  MSF: " << columns
      << "  Type: " << (is_protein ? 'P' : 'N') << "  Check: " << std::to_string(all) << " ..\n\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out << "  Name: " << padded(alignment.names[r], width) << "Len: " << columns
        << "  Check: " << std::to_string(checks[r]) << "  Weight: 1.00\n";
  }
  out << "\n//\n";
  for (std::size_t c = 0; c < alignment.columns; c += kBlock) {
    out << '\n';
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::string block = with_dots(r, c, kBlock);
      out << padded(alignment.names[r], width);
      for (std::size_t g = 0; g < block.size(); g += kGroup) {
        if (g > 0) out << ' ';
        out << std::string_view(block).substr(g, kGroup);
      }
      out << '\n';
    }
  }
}

}  // namespace accord
