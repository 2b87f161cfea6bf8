// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <charconv>
#include <optional>

#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/nexus_words.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

/// A name as a NEXUS token: in single quotes if it has punctuation, quotes doubled.
std::string nexus_name(const std::string& name) {
  constexpr std::string_view kPunctuation = "()[]{}/\\,;:=*'\"`+-<>|&%$#@!~^?";
  if (name.find_first_of(kPunctuation) == name.npos && name.find(' ') == name.npos) return name;
  std::string token = "'";
  for (char c : name) token += c == '\'' ? std::string("''") : std::string(1, c);
  return token + "'";
}

/// What the commands of a block say of its matrix.
struct MatrixFormat {
  std::optional<std::size_t> rows, columns;
  char missing = '?', gap = '-', match = 0;
  bool is_interleaved = false;
};

bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Reads the one matrix of a NEXUS text (Maddison et al. 1997, Syst Biol 46:590).
class NexusParser {
 public:
  NexusParser(std::string_view text, const std::string& label, OddCharacters* left_out)
      : label_(label), words_(text, label), builder_(label, left_out) {}

  std::vector<SequenceRecord> parse() {
    bool has_data = false;
    while (true) {
      const std::string command = lower_cased(words_.word());
      if (command.empty()) throw words_.complaint("there is no matrix");
      if (command == "begin") {
        has_data = is_data(lower_cased(words_.word()));
      } else if (has_data && (command == "dimensions" || command == "format")) {
        read_settings();
        continue;
      } else if (has_data && command == "matrix") {
        return read_matrix();
      }
      words_.skip_command();
    }
  }

  /// Refuses a second matrix in what follows the first one. Nothing else is asked of that.
  void check_end() {
    bool has_other = false;
    try {
      for (std::string last, next; !has_other; last = std::move(next)) {
        next = lower_cased(words_.word());
        if (next.empty() && words_.is_at_end()) break;
        has_other = last == "begin" && is_data(next);
      }
    } catch (const Error&) {  // no words
    }
    if (has_other) throw words_.complaint("a second alignment in one file");
  }

 private:
  static bool is_data(const std::string& block) { return block == "data" || block == "characters"; }

  /// Reads KEY, or KEY=VALUE, up to the end of the command.
  void read_settings() {
    std::string key = lower_cased(words_.word());
    while (key != ";") {
      if (key.empty()) throw words_.complaint("a command is never closed by ';'");
      std::string next = words_.word(), value;
      if (next == "=") {
        value = words_.word();
        next = words_.word();
      }
      set(key, value);
      key = lower_cased(next);
    }
  }

  void set(const std::string& key, const std::string& value) {
    const auto number = [&]() -> std::optional<std::size_t> {
      std::size_t found = 0;
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), found);
      if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
        throw words_.complaint(key + "=" + value + " is not a number");
      }
      return found;
    };
    const auto character = [&] {
      if (value.size() != 1) throw words_.complaint(key + " is not one character");
      return value[0];
    };
    if (key == "ntax") format_.rows = number();
    if (key == "nchar") format_.columns = number();
    if (key == "missing") format_.missing = character();
    if (key == "gap") format_.gap = character();
    if (key == "matchchar") format_.match = character();
    if (key == "interleave") format_.is_interleaved = lower_cased(value) != "no";
    if (key == "transpose" || key == "nolabels") {
      throw words_.complaint("'" + key + "' is not read");
    }
  }

  std::vector<SequenceRecord> read_matrix() {
    std::size_t row = 0;
    while (true) {
      words_.skip_blanks();
      if (words_.peek() == ';') break;
      const std::string name = words_.word();
      if (name.empty()) throw words_.complaint("the matrix is never closed by ';'");
      const bool is_new = builder_.add(name);
      if (is_new) {
        names_.push_back(name);
        row = names_.size() - 1;
      } else if (format_.is_interleaved) {
        row = row_of(name);
      } else {
        throw two_rows_error(label_, words_.line(), name);
      }
      read_row(row);
    }
    std::vector<SequenceRecord> records = builder_.finish();
    if (format_.rows && records.size() != *format_.rows) {
      throw words_.complaint("ntax says " + std::to_string(*format_.rows) + " rows, there are " +
                             std::to_string(records.size()));
    }
    for (const SequenceRecord& record : records) {
      const std::size_t columns = format_.columns.value_or(records[0].letters.size());
      if (record.letters.size() == columns) continue;
      throw words_.complaint(
          "row " + quote(record.header) + " has " + std::to_string(record.letters.size()) +
          " columns, " +
          (format_.columns ? "nchar says " : "row " + quote(records[0].header) + " has ") +
          std::to_string(columns));
    }
    return records;
  }

  /// In an interleaved matrix rows come again in their order.
  std::size_t row_of(const std::string& name) {
    const std::size_t next = (last_ + 1) % names_.size();
    if (names_[next] == name) return next;
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  /// The letters of a row: to the end of the line if blocks follow each other or the number of
  /// columns is not known, else as many as it says.
  void read_row(std::size_t row) {
    const bool is_line = format_.is_interleaved || !format_.columns;
    const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
    while (is_line || builder_.length(row) < *format_.columns) {
      words_.skip_blanks(is_line);
      const char c = words_.peek();
      if (words_.is_at_end() || c == ';' || (is_line && is_line_end(c))) break;
      append(row, c);
      words_.advance();
    }
    last_ = row;
  }

  void append(std::size_t row, char c) {
    const std::size_t column = builder_.length(row);
    if (format_.match != 0 && is_same_letter(c, format_.match)) {
      if (row == 0 || column >= first_.size()) {
        throw line_error(label_, words_.line(),
                         quote(std::string_view(&c, 1)) +
                             " repeats the first row, which has "
                             "no residue there",
                         "matchchar is for the rows below the first one");
      }
      c = first_[column];
    } else if (is_same_letter(c, format_.missing)) {
      c = '?';
    } else if (c == format_.gap) {
      c = '-';
    } else if (c == '.') {
      throw line_error(label_, words_.line(), "'.' has no meaning in this matrix",
                       "'format matchchar=.' makes it the residue of the first row, 'format gap=.' "
                       "a gap");
    }
    if (row == 0) first_ += c;
    builder_.append(row, std::string_view(&c, 1), words_.line());
  }

  const std::string& label_;
  NexusWords words_;
  RecordBuilder builder_;
  MatrixFormat format_;
  std::vector<std::string> names_;
  std::string first_;     ///< the first row, which the match character repeats
  std::size_t last_ = 0;  ///< the row that was read last
};

}  // namespace

std::vector<SequenceRecord> parse_nexus(std::string_view text, const std::string& label,
                                        OddCharacters* left_out) {
  NexusParser parser(text, label, left_out);
  std::vector<SequenceRecord> records = parser.parse();
  parser.check_end();
  return records;
}

std::string other_nexus_blocks(std::string_view text, const std::string& label) {
  std::string names;
  try {
    NexusWords words(text, label);
    for (std::string last, next; !(next = words.word()).empty(); last = lower_cased(next)) {
      const std::string block = lower_cased(next);
      if (last != "begin" || block == "taxa" || block == "data" || block == "characters") continue;
      names += (names.empty() ? "" : ", ") + block;
    }
  } catch (const Error&) {  // no words, and so no blocks
  }
  return names;
}

std::string format_nexus(const AlignmentText& alignment) {
  const char* type = alignment.type == ResidueType::protein ? "protein"
                     : alignment.type == ResidueType::dna   ? "dna"
                                                            : "rna";
  std::vector<std::string> names;
  std::size_t width = 0;
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    names.push_back(nexus_name(alignment.whole_name(r)));
    width = std::max(width, names.back().size());
  }
  std::string text = "#NEXUS\n\nbegin data;\n  dimensions ntax=" + std::to_string(names.size()) +
                     " nchar=" + std::to_string(alignment.columns) +
                     ";\n  format datatype=" + type + " missing=? gap=-;\n  matrix\n";
  for (std::size_t r = 0; r < names.size(); ++r) {
    text += "    " + padded(names[r], width + 1) + alignment.rows[r] + "\n";
  }
  return text + "  ;\nend;\n";
}

}  // namespace accord
