// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

constexpr std::size_t kStrictName = 10;

std::optional<std::size_t> take_number(std::string_view& line) {
  const std::string_view word = take_word(line);
  std::size_t value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) {
    return std::nullopt;
  }
  return value;
}

/// Whether a line has only letters behind the two numbers. Older programs use these options for the
/// order of the rows (I: interleaved, S: sequential) and for other contents of the file.
bool has_only_options(std::string_view line) {
  constexpr std::size_t kMost = 8;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const std::string_view word = take_word(line);
  return is_blank(line) && word.size() <= kMost && std::all_of(word.begin(), word.end(), is_letter);
}

struct PhylipLine {
  std::string_view text;
  std::size_t number;
};

struct Page {
  std::size_t sequences = 0, columns = 0;
  std::vector<PhylipLine> lines;  ///< lines below the first one, without blank lines
};

/// A way to read the lines of a PHYLIP file. The file does not say which one applies.
struct Reading {
  bool has_strict_names;
  bool is_interleaved;
  bool skips_digits;
  bool repeats_names = false;  ///< in each block
};

/// The ways to read a file, in the order of trying. Numbers within rows are the last guess, since a
/// name may end with a number behind a blank.
std::array<Reading, 10> readings(bool is_strict) {
  return {{{is_strict, true, false},
           {is_strict, false, false},
           {true, true, false},
           {true, false, false},
           {is_strict, true, false, true},
           {true, true, false, true},
           {is_strict, true, true},
           {is_strict, false, true},
           {true, true, true},
           {true, false, true}}};
}

/// Removes the name from the first line of a row and returns it.
std::string_view take_name(std::string_view& line, bool is_strict) {
  if (!is_strict) return take_word(line);
  const std::string_view name = line.substr(0, kStrictName);
  line.remove_prefix(name.size());
  return trimmed(name);
}

/// The first row. A `.` in another row stands for its residue.
struct FirstRow {
  const std::string& label;
  bool skips_digits;  ///< digits are column numbers
  std::string letters;

  /// The letters of a line of row `row`, which has `column` columns so far, without blanks.
  std::string letters_of(std::size_t row, std::size_t column, std::string_view text,
                         std::size_t line) {
    std::string result;
    for (const char c : text) {
      if (is_white_space(c) || (skips_digits && c >= '0' && c <= '9')) continue;
      const std::size_t at = column + result.size();
      if (c == '.' && (row == 0 || at >= letters.size())) {
        throw line_error(label, line, "'.' repeats the first row, which has no residue there",
                         "a gap is '-' in PHYLIP");
      }
      result += c == '.' ? letters[at] : c;
    }
    if (row == 0) letters += result;
    return result;
  }
};

/// Reads the rows of a page in one way.
/// Throws  Error{bad_input} if the lines do not fit it.
std::vector<SequenceRecord> read_page(const Page& page, Reading reading, const std::string& label,
                                      OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  FirstRow first{label, reading.skips_digits, {}};
  std::vector<std::string_view> names;
  std::size_t row = 0;
  for (const PhylipLine& line : page.lines) {
    std::string_view text = line.text;
    const bool is_named = reading.is_interleaved
                              ? builder.size() < page.sequences
                              : builder.size() == 0 || builder.length(row) >= page.columns;
    if (is_named) {
      const std::string_view name = take_name(text, reading.has_strict_names);
      if (builder.size() == page.sequences) {
        throw line_error(label, line.number, "more rows than the first line says",
                         "the first line has the number of sequences and of columns");
      }
      row = builder.size();
      if (!builder.add(name)) throw two_rows_error(label, line.number, name);
      names.push_back(name);
    } else if (reading.is_interleaved) {
      row = row + 1 == page.sequences ? 0 : row + 1;
      if (reading.repeats_names && take_name(text, reading.has_strict_names) != names[row]) {
        throw line_error(label, line.number,
                         "the name of row " + quote(names[row]) + " is not here");
      }
    }
    builder.append(row, first.letters_of(row, builder.length(row), text, line.number), line.number);
    if (reading.is_interleaved && builder.length(row) != builder.length(0)) {
      throw line_error(label, line.number,
                       "not aligned: row " + quote(names[row]) + " has " +
                           counted(builder.length(row), "column") + " up to here, row " +
                           quote(names[0]) + " has " + std::to_string(builder.length(0)),
                       "every line of a block has as many columns");
    }
  }
  std::vector<SequenceRecord> records = builder.finish();
  if (records.size() != page.sequences) {
    throw Error(ErrorKind::bad_input,
                label + ": the first line says " + counted(page.sequences, "sequence") +
                    ", there are " + std::to_string(records.size()),
                "was the file cut off?");
  }
  for (const SequenceRecord& record : records) {
    if (record.letters.size() == page.columns) continue;
    throw Error(ErrorKind::bad_input,
                label + ": row " + quote(record.header) + " has " +
                    counted(record.letters.size(), "column") + ", the first line says " +
                    std::to_string(page.columns),
                "sequences that are not aligned are read as FASTA");
  }
  return records;
}

/// Throws if another page follows: a line that has two numbers and is not a row.
void check_is_one(const Page& page, const std::string& label) {
  for (std::size_t k = page.sequences; k < page.lines.size(); ++k) {
    std::string_view line = page.lines[k].text;
    if (!take_number(line) || !take_number(line) || !is_blank(line)) continue;
    throw line_error(label, page.lines[k].number, "a second alignment in one file",
                     "give each family a file of its own");
  }
}

/// Cuts a name to its first 10 characters, and replaces characters with a meaning in Newick and
/// characters that are not ASCII: readers differ in counting the bytes or the characters of these.
std::string cut_name(const std::string& name) {
  std::string cut;
  const bool has_long_characters = is_utf8(name);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool goes_on = has_long_characters && (byte & 0xc0) == 0x80;
    const bool is_odd =
        byte >= 0x80 || std::string_view("()[]:;,").find(c) != std::string_view::npos;
    if (!goes_on) cut += is_odd ? '_' : c;
  }
  return std::string(trimmed(cut.substr(0, kStrictName)));  // readers lose blanks at ends
}

/// Different names of at most 10 characters. Names that fit stay; of the others, equal names get a
/// number at their end.
std::vector<std::string> strict_names(const AlignmentText& alignment) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string& name = alignment.whole_name(r);
    names.push_back(cut_name(name));
    if (names.back() == name) taken.insert(name);
  }
  std::unordered_map<std::string, std::size_t> last_number;
  for (std::size_t r = 0; r < names.size(); ++r) {
    if (names[r] == alignment.whole_name(r)) continue;
    const std::string cut = names[r];
    while (!taken.insert(names[r]).second) {
      std::string number = "_";
      number += std::to_string(++last_number[cut]);
      names[r] = cut.substr(0, kStrictName - number.size()) + number;
    }
  }
  return names;
}

}  // namespace

void warn_of_strict_names(const AlignmentText& alignment) {
  const std::vector<std::string> names = strict_names(alignment);
  constexpr std::size_t kShown = 3;
  std::string changes;
  std::size_t count = 0;
  for (std::size_t r = 0; r < names.size(); ++r) {
    if (names[r] == alignment.whole_name(r)) continue;
    if (++count > kShown) continue;
    changes += (changes.empty() ? "" : ", ") + quote(alignment.whole_name(r)) + " is " + names[r];
  }
  if (count > kShown) changes += ", ...";
  if (count == 0) return;
  log_warning("phylip-strict: " + counted(count, "name was", "names were") +
                  " changed to fit 10 characters: " + changes,
              "{name-map} FILE writes all of them; {format=phylip} keeps whole names");
}

bool looks_like_phylip(std::string_view line) {
  return take_number(line) && take_number(line) && has_only_options(line);
}

std::vector<SequenceRecord> parse_phylip(std::string_view text, const std::string& label,
                                         OddCharacters* left_out, bool is_strict) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  std::string_view first = reader.line();
  const std::optional<std::size_t> sequences = take_number(first), columns = take_number(first);
  if (!sequences || *sequences == 0 || !columns || !has_only_options(first)) {
    throw line_error(label, reader.number(), "not PHYLIP: expected two numbers",
                     "the first line has the number of sequences and of columns");
  }
  first = trimmed(first);
  if (first.find_first_not_of("ISis") != first.npos) {
    throw line_error(label, reader.number(),
                     "PHYLIP: the options " + quote(first) + " of the first line are not read",
                     "leave them out, with the lines that belong to them, such as WEIGHTS");
  }
  Page page{*sequences, *columns, {}};
  while (reader.next()) {
    if (!is_blank(reader.line())) page.lines.push_back({reader.line(), reader.number()});
  }
  check_is_one(page, label);
  // Takes the first reading that fits. Readings that leave out nothing come first. If none fits,
  // throws the error of the first reading.
  std::optional<Error> complaint;
  for (const bool leaves_out : {false, true}) {
    if (leaves_out && left_out == nullptr) break;
    for (const Reading reading : readings(is_strict)) {
      OddCharacters odd(left_out != nullptr && left_out->keeps_columns());
      try {
        std::vector<SequenceRecord> records =
            read_page(page, reading, label, leaves_out ? &odd : nullptr);
        if (leaves_out) *left_out = odd;
        return records;
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::bad_input) throw;
        if (!complaint) complaint = error;
      }
    }
  }
  throw *complaint;
}

void write_phylip(const AlignmentText& alignment, bool is_strict, TextSink& out) {
  const std::vector<std::string> names = is_strict ? strict_names(alignment) : alignment.names;
  const std::size_t width = is_strict ? kStrictName : longest_name(alignment) + 1;
  out << ' ' << std::to_string(alignment.rows.size()) << ' ' << std::to_string(alignment.columns)
      << '\n';
  for (std::size_t r = 0; r < names.size(); ++r) {
    out << padded(names[r], width) << alignment.rows[r] << '\n';
  }
}

std::string format_name_map(const AlignmentText& alignment) {
  const std::vector<std::string> names = strict_names(alignment);
  std::string text = "name\theader\twithout_blanks\n";
  for (std::size_t r = 0; r < names.size(); ++r) {
    text += names[r] + '\t' + alignment.whole_header(r) + '\t' + alignment.names[r] + '\n';
  }
  return text;
}

}  // namespace accord
