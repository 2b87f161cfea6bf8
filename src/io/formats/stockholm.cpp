// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

constexpr std::string_view kHeader = "# STOCKHOLM 1.0";
constexpr std::string_view kEnd = "//";
constexpr std::string_view kRowTag = "PP", kColumnTag = "PP_cons";

/// The rest of a header behind the name; may be empty.
std::string_view description_of(std::string_view header) {
  take_word(header);
  return trimmed(header);
}

/// A line of each block. `left` stands before the columns. `columns` has the columns unless they
/// are of a row or its codes.
struct StockholmLine {
  enum class Kind { row, codes, text } kind;
  std::string left;
  std::size_t row;           ///< for a row or its codes
  std::string_view columns;  ///< for a text
};

/// Appends columns [first, first + count) of a line to `text`.
void append_columns(std::string& text, const AlignmentText& alignment, const StockholmLine& line,
                    std::size_t first, std::size_t count) {
  if (line.kind == StockholmLine::Kind::row) {
    alignment.rows.append(text, line.row, first, count);
  } else if (line.kind == StockholmLine::Kind::codes) {
    alignment.rows.append(text, line.row, first, count, *alignment.residue_codes[line.row], '.');
  } else {
    text += line.columns.substr(first, count);
  }
}

/// The line that marks the match columns; empty if they are unknown.
std::string reference_line(const std::vector<bool>& match_columns) {
  std::string line;
  for (const bool is_match : match_columns) line += is_match ? 'x' : '.';
  return line;
}

/// The names of the rows. A line that begins with `#` is not a row, so `#` at the start of a name
/// becomes `_`, and the name gets a number if it is then taken.
std::vector<std::string> row_names(const AlignmentText& alignment) {
  std::vector<std::string> names = alignment.names;
  std::unordered_set<std::string> taken(names.begin(), names.end());
  for (std::string& name : names) {
    if (!name.starts_with('#')) continue;
    std::string other = "_" + name.substr(1);
    for (int number = 2; !taken.insert(other).second; ++number) {
      other = "_" + name.substr(1) + "_" + std::to_string(number);
    }
    name = std::move(other);
  }
  return names;
}

/// The lines of markup of each row, by its name, in their order.
template <class Markup>
std::unordered_map<std::string_view, std::vector<const Markup*>> by_row(
    const std::vector<Markup>& lines) {
  std::unordered_map<std::string_view, std::vector<const Markup*>> found;
  for (const Markup& line : lines) found[line.name].push_back(&line);
  return found;
}

/// The lines of a block: each row with its markup, then the markup of the columns. The confidence
/// replaces the markup with its tag. `reference` marks the match columns; it is left out if it is
/// empty or markup has its tag.
std::vector<StockholmLine> block_lines(const AlignmentText& alignment,
                                       const std::vector<std::string>& names,
                                       std::string_view reference) {
  using enum StockholmLine::Kind;
  const bool has_codes = !alignment.residue_codes.empty();
  std::vector<StockholmLine> lines;
  auto of_rows = by_row(alignment.markup.of_residues);
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string& name = names[r];
    lines.push_back({row, name, r, {}});
    for (const StockholmMarkup::Columns* const markup : of_rows[alignment.names[r]]) {
      if (markup->tag == kRowTag && alignment.has_codes(r)) continue;
      lines.push_back({text, "#=GR " + name + " " + markup->tag, r, markup->text});
    }
    if (!alignment.has_codes(r)) continue;
    lines.push_back({codes, std::string("#=GR ").append(name).append(" ").append(kRowTag), r, {}});
  }
  for (const StockholmMarkup::Columns& markup : alignment.markup.of_columns) {
    if (has_codes && markup.tag == kColumnTag) continue;
    lines.push_back({text, "#=GC " + markup.tag, 0, markup.text});
  }
  if (!reference.empty() && alignment.markup.columns_tagged(kReferenceTag) == nullptr) {
    lines.push_back({text, std::string("#=GC ").append(kReferenceTag), 0, reference});
  }
  if (has_codes) {
    lines.push_back({text, std::string("#=GC ").append(kColumnTag), 0, alignment.column_codes});
  }
  return lines;
}

/// Compares the number of rows with the one that `#=GF SQ` states.
void check_rows(std::size_t rows, std::optional<std::size_t> stated, const std::string& label) {
  if (!stated || *stated == rows) return;
  const std::string text = label + ": '#=GF SQ' states " + counted(*stated, "row") +
                           ", there are " + std::to_string(rows);
  if (rows < *stated) throw Error(ErrorKind::bad_input, text, "was the file cut off?");
  log_warning(text, "was the file changed by hand?");
}

/// Writes the lines above the first block.
void write_head(const AlignmentText& alignment, const std::vector<std::string>& names,
                TextSink& out) {
  constexpr std::string_view kCodes =
      "CC PP: posterior probability of the aligned pairs, HMMER's code";
  out << kHeader << '\n';
  for (const std::string& line : alignment.markup.of_file) {
    if (line == kCodes) continue;
    out << "#=GF " << line;
    if (line == kRowCountTag) out << "   " << std::to_string(alignment.rows.size());
    out << '\n';
  }
  if (!alignment.residue_codes.empty()) out << "#=GF " << kCodes << '\n';
  out << '\n';
  auto of_rows = by_row(alignment.markup.of_sequences);
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string_view description = description_of(alignment.headers[r]);
    if (!description.empty()) out << "#=GS " << names[r] << " DE " << description << '\n';
    for (const StockholmMarkup::OfSequence* const markup : of_rows[alignment.names[r]]) {
      out << "#=GS " << names[r] << ' ' << markup->text << '\n';
    }
  }
}

}  // namespace

std::vector<SequenceRecord> parse_stockholm(std::string_view text, const std::string& label,
                                            OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  LineReader reader(text);
  // A description may stand above its row.
  std::vector<std::pair<std::string_view, std::string_view>> descriptions;
  std::optional<std::size_t> stated_rows;
  bool is_ended = false;
  while (reader.next()) {
    std::string_view line = trimmed(reader.line());
    if (line.empty()) {
      builder.end_block(reader.number());
    } else if (is_ended) {
      throw line_error(label, reader.number(), "a second alignment in one file",
                       "give each family a file of its own");
    } else if (line == kEnd) {
      is_ended = true;
    } else if (line.starts_with("#=GF")) {
      take_word(line);
      std::size_t number = 0;
      if (take_word(line) != kRowCountTag) continue;
      line = trimmed(line);
      const auto parsed = std::from_chars(line.data(), line.data() + line.size(), number);
      if (parsed.ec == std::errc()) stated_rows = number;
    } else if (line.starts_with("#=GS")) {
      take_word(line);
      const std::string_view name = take_word(line);
      if (take_word(line) == "DE") descriptions.emplace_back(name, trimmed(line));
    } else if (line[0] != '#') {
      const std::string_view name = take_word(line);
      std::string letters(line);
      std::replace(letters.begin(), letters.end(), '_', '-');
      builder.add(name);
      builder.append_line(name, letters, reader.number());
    }
  }
  builder.end_block(reader.number());
  for (const auto& [name, description] : descriptions) builder.describe(name, description);
  if (!is_ended && builder.size() > 0) {
    throw Error(ErrorKind::bad_input, label + ": the alignment has no '//' at its end",
                "was the file cut off?");
  }
  std::vector<SequenceRecord> records = builder.finish_aligned();
  check_rows(records.size(), stated_rows, label);
  return records;
}

void warn_of_stockholm(const AlignmentText& alignment) {
  const std::vector<std::string> names = row_names(alignment);
  for (std::size_t r = 0; r < names.size(); ++r) {
    if (names[r] == alignment.names[r]) continue;
    log_warning("stockholm: the row " + quote(alignment.names[r]) + " is named " + quote(names[r]),
                "lines that begin with '#' are comments there");
  }
}

void write_stockholm(const AlignmentText& alignment, std::size_t wrap, TextSink& out) {
  const std::vector<std::string> names = row_names(alignment);
  const std::string reference = reference_line(alignment.match_columns);
  const std::vector<StockholmLine> lines = block_lines(alignment, names, reference);
  std::size_t width = 0;
  for (const StockholmLine& line : lines) width = std::max(width, display_width(line.left));
  ++width;
  write_head(alignment, names, out);
  const std::size_t step = wrap == 0 ? std::max<std::size_t>(alignment.columns, 1) : wrap;
  // In a family without residues, each row still has a line.
  for (std::size_t c = 0; c < std::max<std::size_t>(alignment.columns, 1); c += step) {
    if (c > 0) out << '\n';
    for (const StockholmLine& line : lines) {
      std::string text = padded(line.left, width);
      append_columns(text, alignment, line, c, step);
      out << text << '\n';
    }
  }
  out << kEnd << '\n';
}

}  // namespace accord
