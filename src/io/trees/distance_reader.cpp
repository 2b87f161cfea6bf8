// SPDX-License-Identifier: Apache-2.0
#include "io/trees/distance_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr const char* kHint =
    "tables of accord (tsv, csv) are read, and PHYLIP: a line with the number of sequences, then a "
    "line for each with its name "
    "and its distances: all of them, or those to the sequences above, or below";

struct Word {
  std::string_view text;
  std::size_t line;
  bool is_first;  ///< of its line
};

bool is_word_end(char c) { return is_white_space(c) || c == ','; }

struct Row {
  std::string name;
  std::vector<double> distances;
  std::size_t line;
};

/// At least the number of words of a text.
std::size_t most_words(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_word_end));
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  words.reserve(most_words(text));
  LineReader reader(text);
  while (reader.next()) {
    std::string_view line = reader.line();
    for (bool is_first = true; !is_blank(line); is_first = false) {
      words.push_back({take_word(line), reader.number(), is_first});
    }
  }
  return words;
}

double number_of(std::string_view text, std::size_t line, const std::string& label) {
  constexpr double kLargest = 1e30;  // sums of such distances stay finite
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + text.starts_with('+'), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(value >= 0 && value <= kLargest)) {
    throw line_error(label, line, quote(text) + " is not a distance",
                     "distances are numbers of 0 to 1e30");
  }
  return value;
}

/// The entries of a matrix that the text has.
struct Shape {
  enum class Part { square, lower, upper } part;
  bool has_diagonal;

  /// The number of distances in row k of n rows.
  std::size_t figures(std::size_t k, std::size_t n) const {
    if (part == Part::square) return n;
    return (part == Part::lower ? k : n - 1 - k) + (has_diagonal ? 1 : 0);
  }
  /// The number of words in n rows, including the names.
  std::size_t words(std::size_t n) const {
    if (part == Part::square) return n + n * n;
    return n + n * (n - 1) / 2 + (has_diagonal ? n : 0);
  }
};

constexpr std::array<Shape, 5> kShapes = {{{Shape::Part::square, true},
                                           {Shape::Part::lower, false},
                                           {Shape::Part::lower, true},
                                           {Shape::Part::upper, false},
                                           {Shape::Part::upper, true}}};

/// Converts rows of an upper triangle to rows with the distances to the sequences above them, and
/// to themselves if present. Other rows stay.
std::vector<Row> with_figures_below(std::vector<Row> rows, Shape shape) {
  if (shape.part != Shape::Part::upper) return rows;
  const std::size_t first = shape.has_diagonal ? 0 : 1;
  std::vector<std::vector<double>> lower(rows.size());
  for (std::size_t l = 0; l < rows.size(); ++l) {
    for (std::size_t k = l + first; k < rows.size(); ++k) {
      lower[k].push_back(rows[l].distances[k - l - first]);
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].distances = std::move(lower[k]);
  return rows;
}

/// Parses a matrix of a shape. The first word is the number of sequences.
std::vector<Row> rows_of_shape(const std::vector<Word>& words, std::size_t n, Shape shape,
                               const std::string& label) {
  std::vector<Row> rows;
  std::size_t at = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (!words[at].is_first) {
      throw line_error(label, words[at].line,
                       "a matrix of " + counted(n, "sequence") + " has other figures here", kHint);
    }
    rows.push_back({std::string(words[at].text), {}, words[at].line});
    ++at;
    for (std::size_t l = 0; l < shape.figures(k, n); ++l) {
      rows.back().distances.push_back(number_of(words[at].text, words[at].line, label));
      ++at;
    }
  }
  return with_figures_below(std::move(rows), shape);
}

std::vector<Row> rows_of(std::string_view text, const std::string& label) {
  const std::vector<Word> words = words_of(text);
  std::size_t n = 0;
  if (!words.empty()) {
    const std::string_view first = words[0].text;
    const auto parsed = std::from_chars(first.data(), first.data() + first.size(), n);
    if (parsed.ec != std::errc() || parsed.ptr != first.data() + first.size()) n = 0;
  }
  // The number of sequences cannot exceed the number of words, and its square must not overflow.
  if (n == 0 || n >= words.size()) {
    throw line_error(label, words.empty() ? 1 : words[0].line, "not a distance matrix", kHint);
  }
  std::optional<Error> complaint;
  for (const Shape shape : kShapes) {
    if (shape.words(n) != words.size() - 1) continue;
    try {
      return rows_of_shape(words, n, shape, label);
    } catch (const Error& error) {
      if (!complaint) complaint = error;
    }
  }
  if (complaint) throw *complaint;
  throw line_error(
      label, words[0].line,
      "a matrix of " + counted(n, "sequence") + " cannot have " + counted(words.size() - 1, "word"),
      kHint);
}

/// Parses a matrix whose names are the first ten columns of a line and may have blanks; empty if
/// the text does not fit.
std::vector<Row> rows_of_columns(std::string_view text, Shape shape, const std::string& label) {
  constexpr std::size_t kName = 10;
  LineReader reader(text);
  std::vector<Row> rows;
  std::size_t n = 0, wanted = 0;
  while (reader.next()) {
    std::string_view line = reader.line();
    if (is_blank(line)) continue;
    if (n == 0) {
      const std::string_view first = take_word(line);
      std::from_chars(first.data(), first.data() + first.size(), n);
      if (n == 0) return {};
      continue;
    }
    if (rows.empty() || rows.back().distances.size() == wanted) {
      if (rows.size() == n) return {};
      const std::string_view name = line.substr(0, kName);
      line.remove_prefix(name.size());
      wanted = shape.figures(rows.size(), n);
      rows.push_back({std::string(trimmed(name)), {}, reader.number()});
    }
    while (!is_blank(line)) {
      if (rows.back().distances.size() == wanted) return {};
      rows.back().distances.push_back(number_of(take_word(line), reader.number(), label));
    }
  }
  const bool is_whole = rows.size() == n && n > 0 && rows.back().distances.size() == wanted;
  return is_whole ? with_figures_below(std::move(rows), shape) : std::vector<Row>();
}

/// Parses a PHYLIP matrix. Names are words or, if that does not fit, ten columns.
std::vector<Row> rows_of_phylip(std::string_view text, const std::string& label) {
  try {
    return rows_of(text, label);
  } catch (const Error& complaint) {
    for (const Shape shape : kShapes) {
      try {
        std::vector<Row> rows = rows_of_columns(text, shape, label);
        if (!rows.empty()) return rows;
      } catch (const Error&) {  // not this shape
      }
    }
    throw complaint;
  }
}

/// Splits a line of a table into fields. A field in double quotes may contain the separator, and ""
/// for a double quote.
std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields{""};
  bool is_quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (is_quoted && line.substr(k, 2) == "\"\"") {
      fields.back() += line[k++];
    } else if (c == '"' && (is_quoted || fields.back().empty())) {
      is_quoted = !is_quoted;
    } else if (c == separator && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

/// The character that separates the fields of a table; none if the text does not begin as a table.
std::optional<char> separator_of(std::string_view text) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  std::string_view rest = reader.line();
  const std::string_view first = take_word(rest);
  if (first.find_first_not_of("0123456789") == first.npos && is_blank(rest) && !first.empty()) {
    return std::nullopt;
  }
  for (const char separator : {'\t', ','}) {
    if (reader.line().find(separator) != std::string_view::npos) return separator;
  }
  return std::nullopt;
}

/// Parses a table: a line with a first field and the names, then for each name a line with the name
/// and its distances.
std::vector<Row> rows_of_table(std::string_view text, char separator, const std::string& label) {
  std::string corner;
  std::vector<std::string> names;
  std::vector<Row> rows;
  std::size_t line = 1;
  for (LineReader reader(text); reader.next();) {
    if (is_blank(reader.line())) continue;
    line = reader.number();
    std::vector<std::string> fields = fields_of(reader.line(), separator);
    if (names.empty()) {
      corner = fields[0];
      names.assign(fields.begin() + 1, fields.end());
      continue;
    }
    const std::size_t k = rows.size();
    // R omits the first field of the first line.
    if (k == 0 && fields.size() == names.size() + 2) names.insert(names.begin(), corner);
    if (fields.size() != names.size() + 1 || k == names.size() || fields[0] != names[k]) {
      throw line_error(label, line,
                       "not a table of distances: expected " +
                           (k == names.size() ? "the end" : "the row of " + quote(names[k])),
                       "a line has a name and as many distances as the first line has names, in "
                       "their order");
    }
    rows.push_back({fields[0], {}, line});
    for (std::size_t l = 1; l < fields.size(); ++l) {
      rows.back().distances.push_back(number_of(trimmed(fields[l]), line, label));
    }
  }
  if (rows.size() < names.size()) {
    throw line_error(
        label, line,
        "the table has " + counted(names.size(), "name") + " and " + counted(rows.size(), "row"),
        "was the file cut off?");
  }
  return rows;
}

void check_rows(const std::vector<Row>& rows, const std::string& label) {
  std::unordered_set<std::string_view> names;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    if (!names.insert(row.name).second) {
      throw line_error(label, row.line, "two rows are named " + quote(row.name),
                       "the names of the leaves of a tree must differ");
    }
    for (std::size_t l = k; l < row.distances.size(); ++l) {
      const double other = l == k ? 0.0 : rows[l].distances[k];
      const double tolerance = 1e-6 * std::max(1.0, other);
      if (std::abs(row.distances[l] - other) <= tolerance) continue;
      throw line_error(label, row.line,
                       l == k ? "the distance of " + quote(row.name) + " to itself is not 0"
                              : "the distances of " + quote(row.name) + " and " +
                                    quote(rows[l].name) + " differ with the direction",
                       "is this a matrix of similarities?");
    }
  }
}

}  // namespace

NamedDistances parse_distances(std::string_view text, const std::string& label) {
  // The words, and the distances as the text has them and as a matrix.
  constexpr std::size_t kOfWord = sizeof(Word) + 3 * sizeof(double);
  const ReadingHold held(text.size() + kOfWord * most_words(text), label, "the distances");
  const std::optional<char> separator = separator_of(text);
  const std::vector<Row> rows =
      separator ? rows_of_table(text, *separator, label) : rows_of_phylip(text, label);
  check_rows(rows, label);
  std::vector<SequenceRecord> records;
  for (const Row& row : rows) records.push_back({row.name, {}, row.name.size()});
  NamedDistances result{SequenceSet(std::move(records), ResidueType::protein),
                        DistanceMatrix(rows.size())};
  for (std::size_t k = 1; k < rows.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      result.distances.set(result.names.from_input(k), result.names.from_input(l),
                           static_cast<float>(rows[k].distances[l]));
    }
  }
  return result;
}

}  // namespace accord
