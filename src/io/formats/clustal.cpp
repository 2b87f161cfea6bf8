// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// Checks the count at the end of the lines of a row: of residues so far or, in some programs, of
/// columns.
class ResidueCount {
 public:
  /// Adds a line; returns whether its count is right. The first line may have any offset, since a
  /// row may be a part of a sequence.
  bool fits(std::string_view letters, std::string_view count) {
    const bool is_first = columns_ == 0;
    residues_ += static_cast<std::size_t>(std::count_if(
        letters.begin(), letters.end(), [](char c) { return c != '-' && c != '.' && c != '~'; }));
    columns_ += letters.size();
    std::size_t stated = 0;
    std::from_chars(count.data(), count.data() + count.size(), stated);
    if (is_first) before_ = stated - std::min(stated, residues_);
    are_residues_ &= stated == before_ + residues_;
    are_columns_ &= stated == columns_;
    return are_residues_ || are_columns_;
  }

 private:
  std::size_t residues_ = 0, columns_ = 0;
  std::size_t before_ = 0;  ///< residues of the sequence before the row
  bool are_residues_ = true, are_columns_ = true;
};

/// Whether a line is a row of secondary structure or gap penalties of CLUSTAL X.
bool is_clustal_markup(std::string_view line) {
  return line.starts_with("!SS_") || line.starts_with("!GM_");
}

/// For each column, `*` if all rows have the same letter there, else a blank.
std::string conservation(const AlignmentText& alignment) {
  const auto upper = [](char c) { return std::toupper(static_cast<unsigned char>(c)); };
  if (alignment.rows.empty()) return {};
  const std::string first = alignment.rows[0];
  std::vector<std::size_t> alike(alignment.columns, 0);  // rows with the letter of the first one
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string_view residues = alignment.rows.residues(r);
    const std::span<const std::uint32_t> columns = alignment.rows.column_of(r);
    for (std::size_t i = 0; i < residues.size(); ++i) {
      alike[columns[i]] += upper(residues[i]) == upper(first[columns[i]]);
    }
  }
  std::string marks;
  for (const std::size_t rows : alike) marks += rows == alignment.rows.size() ? '*' : ' ';
  return marks;
}

}  // namespace

bool looks_like_clustal(std::string_view first_line) {
  constexpr std::array<std::string_view, 6> kWriters = {"CLUSTAL",  "MUSCLE", "PROBCONS",
                                                        "MSAPROBS", "Kalign", "Biopython"};
  return std::any_of(kWriters.begin(), kWriters.end(),
                     [&](std::string_view word) { return first_line.starts_with(word); });
}

bool has_clustal_blocks(std::string_view text) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  if (reader.line().empty() || std::isalpha(static_cast<unsigned char>(reader.line()[0])) == 0) {
    return false;
  }
  if (!reader.next() || !is_blank(reader.line())) return false;
  std::vector<std::string_view> names, block;
  const auto ends_well = [&] {
    if (block.empty()) return true;
    if (names.empty()) names = block;
    return std::exchange(block, {}) == names;
  };
  while (reader.next()) {
    std::string_view line = reader.line();
    if (is_blank(line)) {
      if (!ends_well()) return false;
    } else if (is_white_space(line[0])) {
      if (line.find_first_not_of("*:. \t\r") != line.npos) return false;
    } else {
      block.push_back(take_word(line));
      const std::string_view letters = take_word(line), count = take_word(line);
      const bool are_letters = std::all_of(letters.begin(), letters.end(), [](char c) {
        return is_sequence_letter(c) || c == '-' || c == '.' || c == '~';
      });
      if (letters.empty() || !are_letters || !is_blank(line)) return false;
      if (count.find_first_not_of(kDigits) != count.npos) return false;
    }
  }
  return ends_well() && !names.empty();
}

std::vector<SequenceRecord> parse_clustal(std::string_view text, const std::string& label,
                                          OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  std::unordered_map<std::string, ResidueCount> counts;
  bool header_seen = false;
  LineReader reader(text);
  while (reader.next()) {
    std::string_view line = reader.line();
    if (is_blank(line) || (header_seen && is_white_space(line[0]))) {
      builder.end_block(reader.number());  // perhaps a line of conservation
    } else if (!header_seen) {
      header_seen = true;
    } else if (looks_like_clustal(line) && line.find(" alignment") != line.npos) {
      throw line_error(label, reader.number(), "a second alignment in one file",
                       "give each family a file of its own");
    } else if (!is_clustal_markup(line)) {
      const std::string_view name = take_word(line);
      const std::string_view letters = take_word(line);
      const std::string_view count = take_word(line);
      if (letters.empty() || count.find_first_not_of(kDigits) != count.npos || !is_blank(line)) {
        throw line_error(label, reader.number(), "not CLUSTAL: not a name and letters",
                         "a line has a name, letters and perhaps their count");
      }
      builder.add(name);
      builder.append_line(name, letters, reader.number());
      if (!count.empty() && !counts[std::string(name)].fits(letters, count)) {
        throw line_error(label, reader.number(),
                         "row " + quote(name) + " does not have " + std::string(count) +
                             " residues up to here, as the line says",
                         "are lines missing above it?");
      }
    }
  }
  builder.end_block(reader.number());
  return builder.finish_aligned();
}

std::size_t clustal_markup(std::string_view text) {
  std::size_t lines = 0;
  for (LineReader reader(text); reader.next();) lines += is_clustal_markup(reader.line());
  return lines;
}

void write_clustal(const AlignmentText& alignment, std::size_t wrap, TextSink& out) {
  constexpr std::size_t kNarrowest = 12, kSpace = 4;
  const std::size_t name_width = std::max(longest_name(alignment), kNarrowest) + kSpace;
  const std::string marks = conservation(alignment);
  const std::size_t step = wrap == 0 ? std::max<std::size_t>(marks.size(), 1) : wrap;

  out << "CLUSTAL accord " ACCORD_VERSION " multiple sequence alignment\n\n";
  for (std::size_t c = 0; c < marks.size(); c += step) {
    out << '\n';
    for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
      std::string line = padded(alignment.names[r], name_width);
      alignment.rows.append(line, r, c, step);
      out << line << '\n';
    }
    std::string line(name_width, ' ');
    line.append(marks, c, step);
    out << line << '\n';
  }
}

}  // namespace accord
