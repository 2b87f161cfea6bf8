// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/fasta.hpp"
#include "io/formats/format_texts.hpp"

namespace accord {
namespace {

/// Names of rows of HH-suite that are not sequences, but annotate the match columns.
constexpr std::array<std::string_view, 6> kColumnRows = {"ss_pred", "ss_conf", "ss_dssp",
                                                         "sa_dssp", "aa_pred", "aa_dssp"};

/// Parses numbers with commas between them; none if there is any other character.
std::optional<std::vector<std::size_t>> numbers_of(std::string_view text) {
  std::vector<std::size_t> numbers;
  while (true) {
    std::size_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc()) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (text.empty()) return numbers;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

/// The number of match columns of all chains, from the first line of ColabFold,
/// "#LENGTHS<tab>NUMBERS", each with commas; none for any other line.
std::optional<std::size_t> chain_columns(std::string_view line) {
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  const std::size_t tab = line.find('\t');
  if (tab == line.npos) return std::nullopt;
  const auto lengths = numbers_of(line.substr(0, tab));
  const auto counts = numbers_of(trimmed(line.substr(tab)));
  if (!lengths || !counts || lengths->size() != counts->size()) return std::nullopt;
  return std::accumulate(lengths->begin(), lengths->end(), std::size_t{0});
}

/// The match columns of an alignment: those of `match_columns`, else the default of A2M or A3M.
std::vector<bool> match_columns(const AlignmentText& alignment, bool is_a3m) {
  if (!alignment.match_columns.empty()) return alignment.match_columns;
  const GappedRows& rows = alignment.rows;
  std::vector<bool> is_match(alignment.columns, false);
  if (is_a3m) {
    if (rows.empty()) return is_match;
    for (const std::uint32_t c : rows.column_of(0)) is_match[c] = true;
    return is_match;
  }
  const std::vector<std::size_t> residues = rows.residues_by_column();
  for (std::size_t c = 0; c < is_match.size(); ++c) is_match[c] = 2 * residues[c] >= rows.size();
  return is_match;
}

/// Formats rows of A2M, or of A3M, which omits the gaps of insert columns.
class MarkedRows {
 public:
  MarkedRows(const AlignmentText& alignment, bool is_a3m)
      : alignment_(alignment),
        is_a3m_(is_a3m),
        is_match_(match_columns(alignment, is_a3m)),
        shown_before_(is_match_.size() + 1, 0) {
    std::uint32_t insert_begin = 0;
    for (std::uint32_t c = 0; c < is_match_.size(); ++c) {
      insert_begin_.push_back(insert_begin);
      if (is_match_[c]) insert_begin = c + 1;
      shown_before_[c + 1] = shown_before_[c] + (is_match_[c] || !is_a3m);
      if (is_match_[c] || !is_a3m) all_gaps_ += is_match_[c] ? '-' : '.';
    }
  }

  void write(std::size_t wrap, TextSink& out) const {
    for (const std::string& line : alignment_.markup.head) {
      if (is_right(line)) out << line << '\n';
    }
    for (const StockholmMarkup::Columns& row : alignment_.markup.of_columns) {
      if (!is_column_row(row.tag)) continue;
      out << '>' << row.tag << '\n';
      write_wrapped(out, column_row(row.text), wrap);
    }
    for (std::size_t r = 0; r < alignment_.rows.size(); ++r) {
      out << '>' << alignment_.headers[r] << '\n';
      write_wrapped(out, marked_row(r), wrap);
    }
  }

  void warn() const {
    for (const std::string& line : alignment_.markup.head) {
      if (is_right(line)) continue;
      log_warning("the line " + quote(line) + " is left out: there are " +
                  counted(matches(), "match column"));
    }
    Changes changes;
    for (std::size_t r = 0; r < alignment_.rows.size(); ++r) count_changes(r, changes);
    const std::string format = is_a3m_ ? "a3m: " : "a2m: ";
    if (changes.caseless > 0) {
      log_warning(format + std::to_string(changes.caseless) +
                      " characters of insert columns have no lower case and are written as " +
                      unknown(),
                  "only match columns can have '*' and '?'");
    }
    if (changes.raised > 0) {
      log_warning(format + std::to_string(changes.raised) +
                      " lower-case letters of match columns are written in upper case",
                  "lower case marks the letters of insert columns; {format=fasta} keeps the case");
    }
    if (changes.moved > 0) {
      log_warning(format + std::to_string(changes.moved) +
                      " inserted residues lose their columns: they move to the left of their "
                      "insert",
                  "-f a2m has a column for each");
    }
  }

 private:
  /// The numbers of letters that change.
  struct Changes {
    std::size_t caseless = 0, moved = 0, raised = 0;
  };

  std::size_t matches() const {
    return static_cast<std::size_t>(std::count(is_match_.begin(), is_match_.end(), true));
  }

  /// False for a line above the rows that states another number of match columns.
  bool is_right(std::string_view line) const {
    const std::optional<std::size_t> columns = chain_columns(line);
    return !columns || *columns == matches();
  }

  char unknown() const { return alignment_.type == ResidueType::protein ? 'x' : 'n'; }

  /// A row of A2M: match columns in upper case and `-`, the other columns in lower case and `.`.
  std::string marked_row(std::size_t r) const {
    const std::string_view residues = alignment_.rows.residues(r);
    const std::span<const std::uint32_t> columns = alignment_.rows.column_of(r);
    std::string marked;
    std::size_t shown = 0;  // characters of all_gaps_ so far
    for (std::size_t i = 0; i < residues.size(); ++i) {
      const std::uint32_t c = columns[i];
      marked.append(all_gaps_, shown, shown_before_[c] - shown);
      shown = shown_before_[c + 1];
      const auto letter = static_cast<unsigned char>(residues[i]);
      marked += is_match_[c] ? static_cast<char>(std::toupper(letter)) : inserted(letter);
    }
    return marked.append(all_gaps_, shown);
  }

  char inserted(unsigned char letter) const {
    return std::isalpha(letter) != 0 ? static_cast<char>(std::tolower(letter)) : unknown();
  }

  void count_changes(std::size_t r, Changes& changes) const {
    const std::string_view residues = alignment_.rows.residues(r);
    const std::span<const std::uint32_t> columns = alignment_.rows.column_of(r);
    std::size_t first = 0;  // first residue of the current insert
    for (std::size_t i = 0; i < residues.size(); ++i) {
      const std::uint32_t c = columns[i];
      const auto letter = static_cast<unsigned char>(residues[i]);
      if (is_match_[c]) {
        changes.raised += std::islower(letter) != 0;
        continue;
      }
      changes.caseless += std::isalpha(letter) == 0;
      if (columns[first] < insert_begin_[c]) first = i;
      changes.moved += is_a3m_ && c > insert_begin_[c] + (i - first);
    }
  }

  std::string column_row(const std::string& row) const {
    std::string marked;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (is_match_[c]) {
        marked += row[c];
      } else if (!is_a3m_) {
        marked += '.';
      }
    }
    return marked;
  }

  const AlignmentText& alignment_;
  bool is_a3m_;
  std::vector<bool> is_match_;
  std::vector<std::uint32_t> shown_before_;  ///< [column]: characters of all_gaps_ before it
  std::vector<std::uint32_t> insert_begin_;  ///< [column]: first column of its insert
  std::string all_gaps_;                     ///< the text of a row without residues
};

/// The line without NUL bytes. The ColabFold server ends the rows of a query with one.
std::string without_nul(std::string_view line) {
  std::string text(line);
  std::erase(text, '\0');
  return text;
}

/// Blanks all lines that are not of sequences: lines that begin with `#`, and the rows that
/// HH-suite adds. Line numbers stay.
std::string sequences_alone(std::string_view text) {
  std::string kept;
  bool is_kept = true;
  for (LineReader reader(text); reader.next();) {
    const std::string line = without_nul(reader.line());
    if (line.starts_with('>')) is_kept = !is_column_row(header_name(line.substr(1)));
    if (is_kept && !line.starts_with('#')) kept += line;
    kept += '\n';
  }
  return kept;
}

bool is_inserted(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

/// The number of letters and gaps of match columns in a row.
std::size_t matches_of(const std::string& letters) {
  return static_cast<std::size_t>(std::count_if(
      letters.begin(), letters.end(), [](char c) { return c != '.' && !is_inserted(c); }));
}

/// Raises the widths of the inserts in front of each match column, and behind the last one, to
/// those of a row.
void widen(std::vector<std::size_t>& widths, const std::string& letters) {
  std::size_t insert = 0, width = 0;
  for (const char c : letters) {
    if (is_inserted(c)) {
      widths[insert] = std::max(widths[insert], ++width);
    } else if (c != '.') {
      ++insert;
      width = 0;
    }
  }
}

/// A row with `columns` columns, in which each insert is filled up with gaps to its width.
std::string with_gaps(const std::string& letters, const std::vector<std::size_t>& widths,
                      std::size_t columns) {
  std::string row;
  row.reserve(columns);
  std::size_t insert = 0, width = 0;
  for (const char c : letters) {
    if (is_inserted(c)) {
      row += c;
      ++width;
    } else if (c != '.') {
      row.append(widths[insert++] - width, '-');
      row += c;
      width = 0;
    }
  }
  return row.append(widths[insert] - width, '-');
}

bool have_one_length(const std::vector<SequenceRecord>& records) {
  return std::all_of(records.begin(), records.end(), [&](const SequenceRecord& record) {
    return record.letters.size() == records[0].letters.size();
  });
}

bool have_as_many_matches(const std::vector<SequenceRecord>& records) {
  return std::all_of(records.begin(), records.end(), [&](const SequenceRecord& record) {
    return matches_of(record.letters) == matches_of(records[0].letters);
  });
}

/// For each column, whether it is a match column. Empty if a column has letters of both kinds, as
/// in an alignment that is named A2M but is not.
std::vector<bool> marked_columns(const std::vector<SequenceRecord>& rows) {
  std::vector<bool> is_match(rows[0].letters.size(), true), has_upper(is_match.size(), false);
  for (const SequenceRecord& row : rows) {
    for (std::size_t c = 0; c < is_match.size(); ++c) {
      const char letter = row.letters[c];
      if (letter == '.' || is_inserted(letter)) {
        is_match[c] = false;
      } else if (letter != '-') {
        has_upper[c] = true;
      }
    }
  }
  for (std::size_t c = 0; c < is_match.size(); ++c) {
    if (has_upper[c] && !is_match[c]) return {};
  }
  return is_match;
}

/// Spreads a row of HH-suite over all columns; empty if its length does not fit.
std::string spread(const std::string& row, const std::vector<bool>& is_match) {
  if (row.size() == is_match.size()) return row;
  if (row.size() != static_cast<std::size_t>(std::count(is_match.begin(), is_match.end(), true))) {
    return {};
  }
  std::string text(is_match.size(), '.');
  std::size_t next = 0;
  for (std::size_t c = 0; c < text.size(); ++c) {
    if (is_match[c]) text[c] = row[next++];
  }
  return text;
}

}  // namespace

bool is_column_row(std::string_view name) {
  return std::find(kColumnRows.begin(), kColumnRows.end(), name) != kColumnRows.end();
}

std::vector<SequenceRecord> parse_marked(std::string_view text, const std::string& label,
                                         OddCharacters* left_out, bool keeps_columns) {
  std::vector<SequenceRecord> records = parse_fasta(sequences_alone(text), label, left_out);
  if (keeps_columns && have_one_length(records) &&
      (!marked_columns(records).empty() || !have_as_many_matches(records))) {
    return records;
  }
  const std::size_t matches = matches_of(records[0].letters);
  std::vector<std::size_t> widths(matches + 1);
  for (const SequenceRecord& record : records) {
    if (matches_of(record.letters) != matches) {
      throw Error(ErrorKind::bad_input,
                  label + ": not A3M: row " + quote(record.name()) + " has " +
                      counted(matches_of(record.letters), "match column") + ", row " +
                      quote(records[0].name()) + " has " + std::to_string(matches),
                  text.find('\0') == text.npos
                      ? "upper case and '-' are match columns, as many in each row; "
                        "{in-format=fasta} reads the sequences"
                      : "NUL bytes part the alignments of several queries: give each a file of its "
                        "own");
    }
    widen(widths, record.letters);
  }
  const std::size_t columns = std::accumulate(widths.begin(), widths.end(), matches);
  constexpr double kMostCells = 0x1p62;
  const double cells = static_cast<double>(records.size()) * static_cast<double>(columns);
  check_reading(static_cast<std::size_t>(std::min(cells, kMostCells)), label,
                std::to_string(records.size()) + " rows of " + std::to_string(columns) +
                    " columns, with gaps where other rows have insertions,");
  for (SequenceRecord& record : records) {
    record.letters = with_gaps(record.letters, widths, columns);
  }
  return records;
}

AlignmentNotes marked_notes(std::string_view text, const std::string& label,
                            const std::vector<SequenceRecord>& rows) {
  AlignmentNotes notes;
  if (rows.empty() || !have_one_length(rows)) return notes;
  notes.match_columns = marked_columns(rows);
  std::vector<std::pair<std::string, std::string>> column_rows;
  bool is_column = false;
  for (LineReader reader(text); reader.next();) {
    const std::string line = without_nul(reader.line());
    if (line.starts_with('>')) {
      const std::string name(header_name(line.substr(1)));
      is_column = is_column_row(name);
      if (is_column) column_rows.emplace_back(name, "");
    } else if (line.starts_with('#')) {
      const std::size_t stated = chain_columns(line).value_or(0);
      const auto matches = static_cast<std::size_t>(
          std::count(notes.match_columns.begin(), notes.match_columns.end(), true));
      if (stated > matches && !notes.match_columns.empty()) {
        throw Error(ErrorKind::bad_input,
                    label + ": the line " + quote(line) + " states " +
                        counted(stated, "match column") + ", there are " + std::to_string(matches),
                    "was the file cut off?");
      }
      notes.markup.head.emplace_back(trimmed(line));
    } else if (is_column) {
      for (const char c : line) {
        if (!is_white_space(c)) column_rows.back().second += c;
      }
    }
  }
  for (const auto& [name, row] : column_rows) {
    const std::string columns = spread(row, notes.match_columns);
    if (columns.empty()) {
      log_warning(label + ": the row " + name + " is left out: it has " +
                  std::to_string(row.size()) +
                  " characters, which fit neither the columns nor "
                  "the match columns");
    } else {
      notes.markup.of_columns.push_back({{}, name, columns});
    }
  }
  return notes;
}

bool looks_like_a3m(std::string_view line) {
  return line.starts_with("#A3M#") || chain_columns(line).has_value();
}

void write_a2m(const AlignmentText& alignment, std::size_t wrap, TextSink& out) {
  MarkedRows(alignment, false).write(wrap, out);
}

void write_a3m(const AlignmentText& alignment, std::size_t wrap, TextSink& out) {
  MarkedRows(alignment, true).write(wrap, out);
}

void warn_of_a2m(const AlignmentText& alignment) { MarkedRows(alignment, false).warn(); }

void warn_of_a3m(const AlignmentText& alignment) { MarkedRows(alignment, true).warn(); }

}  // namespace accord
