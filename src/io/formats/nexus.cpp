// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <charconv>
#include <optional>

#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

/// A name as a NEXUS token: in single quotes if it has punctuation, quotes doubled.
std::string nexus_name(const std::string& name) {
  constexpr std::string_view kPunctuation = "()[]{}/\\,;:=*'\"`+-<>|&%$#@!~^?";
  if (name.find_first_of(kPunctuation) == name.npos) return name;
  std::string token = "'";
  for (char c : name) token += c == '\'' ? std::string("''") : std::string(1, c);
  return token + "'";
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What the commands of a block say of its matrix.
struct MatrixFormat {
  std::optional<std::size_t> rows, columns;
  char missing = '?', gap = '-', match = 0;
  bool is_interleaved = false;
  bool is_protein = false;
};

/// Reads the first matrix of a NEXUS text (Maddison et al. 1997, Syst Biol 46:590).
class NexusParser {
 public:
  NexusParser(std::string_view text, const std::string& label, OddCharacters* left_out)
      : text_(text), label_(label), builder_(label, left_out) {}

  std::vector<SequenceRecord> parse() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
    word();                                          // #NEXUS
    bool has_data = false;
    while (true) {
      const std::string command = lower_case(word());
      if (command.empty()) throw complaint("there is no matrix");
      if (command == "begin") {
        const std::string block = lower_case(word());
        has_data = block == "data" || block == "characters";
      } else if (has_data && (command == "dimensions" || command == "format")) {
        read_settings();
        continue;
      } else if (has_data && command == "matrix") {
        return read_matrix();
      }
      skip_command();
    }
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

  void advance() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  Error complaint(const std::string& what) const {
    return line_error(label_, line_, "NEXUS: " + what,
                      "a data or characters block with a matrix is read; was the file cut off?");
  }

  /// Skips white space and comments, which may be nested; not beyond the line if it is to be kept.
  void skip_blanks(bool stays_in_line = false) {
    std::size_t depth = 0;
    for (; at_ < text_.size(); advance()) {
      const char c = text_[at_];
      if (c == '[') {
        ++depth;
      } else if (c == ']' && depth > 0) {
        --depth;
      } else if (depth == 0 && (!is_white_space(c) || (stays_in_line && is_line_end(c)))) {
        return;
      }
    }
    if (depth > 0) throw complaint("a comment is never closed");
  }

  /// The next word: a quoted one, a single mark, or letters up to a blank or a mark. Empty at the
  /// end of the text.
  std::string word() {
    skip_blanks();
    if (at_ >= text_.size()) return {};
    if (peek() == '\'' || peek() == '"') return quoted_word();
    constexpr std::string_view kMarks = "=;,";
    std::string result;
    while (at_ < text_.size() && !is_white_space(peek()) && peek() != '[') {
      if (kMarks.find(peek()) != kMarks.npos) {
        if (result.empty()) {
          result = peek();
          advance();
        }
        break;
      }
      result += peek();
      advance();
    }
    return result;
  }

  std::string quoted_word() {
    const char quote = peek();
    std::string result;
    for (advance(); at_ < text_.size() && !is_line_end(peek()); advance()) {
      if (peek() == quote) {
        advance();
        if (peek() != quote) return result;
      }
      result += peek();
    }
    throw complaint("a quoted word is not closed in its line");
  }

  void skip_command() {
    for (std::string next = word(); next != ";"; next = word()) {
      if (next.empty()) throw complaint("a command is never closed by ';'");
    }
  }

  /// Reads KEY, or KEY=VALUE, up to the end of the command.
  void read_settings() {
    std::string key = lower_case(word());
    while (key != ";") {
      if (key.empty()) throw complaint("a command is never closed by ';'");
      std::string next = word(), value;
      if (next == "=") {
        value = word();
        next = word();
      }
      set(key, value);
      key = lower_case(next);
    }
  }

  void set(const std::string& key, const std::string& value) {
    const auto number = [&]() -> std::optional<std::size_t> {
      std::size_t found = 0;
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), found);
      if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
        throw complaint(key + "=" + value + " is not a number");
      }
      return found;
    };
    const auto character = [&] {
      if (value.size() != 1) throw complaint(key + " is not one character");
      return value[0];
    };
    if (key == "ntax") format_.rows = number();
    if (key == "nchar") format_.columns = number();
    if (key == "missing") format_.missing = character();
    if (key == "gap") format_.gap = character();
    if (key == "matchchar") format_.match = character();
    if (key == "interleave") format_.is_interleaved = lower_case(value) != "no";
    if (key == "datatype") format_.is_protein = lower_case(value) == "protein";
    if (key == "transpose" || key == "nolabels") throw complaint("'" + key + "' is not read");
  }

  std::vector<SequenceRecord> read_matrix() {
    std::size_t row = 0;
    while (true) {
      skip_blanks();
      if (peek() == ';') break;
      const std::string name = word();
      if (name.empty()) throw complaint("the matrix is never closed by ';'");
      const bool is_new = builder_.add(name);
      if (is_new) {
        names_.push_back(name);
        row = names_.size() - 1;
      } else if (format_.is_interleaved) {
        row = row_of(name);
      } else {
        throw two_rows_error(label_, line_, name);
      }
      read_row(row);
    }
    std::vector<SequenceRecord> records = builder_.finish();
    if (format_.rows && records.size() != *format_.rows) {
      throw complaint("ntax says " + std::to_string(*format_.rows) + " rows, there are " +
                      std::to_string(records.size()));
    }
    for (const SequenceRecord& record : records) {
      const std::size_t columns = format_.columns.value_or(records[0].letters.size());
      if (record.letters.size() == columns) continue;
      throw complaint("row " + quote(record.header) + " has " +
                      std::to_string(record.letters.size()) + " columns, nchar says " +
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
    while (is_line || builder_.length(row) < *format_.columns) {
      skip_blanks(is_line);
      if (at_ >= text_.size() || peek() == ';' || (is_line && is_line_end(peek()))) break;
      append(row, peek());
      advance();
    }
    last_ = row;
  }

  void append(std::size_t row, char c) {
    const std::size_t column = builder_.length(row);
    if (format_.match != 0 && c == format_.match && row > 0 && column < first_.size()) {
      c = first_[column];
    } else if (c == format_.missing) {
      c = format_.is_protein ? 'X' : 'N';
    } else if (c == format_.gap) {
      c = '-';
    }
    if (row == 0) first_ += c;
    builder_.append(row, std::string_view(&c, 1), line_);
  }

  std::string_view text_;
  const std::string& label_;
  RecordBuilder builder_;
  std::size_t at_ = 0, line_ = 1;
  MatrixFormat format_;
  std::vector<std::string> names_;
  std::string first_;     ///< the first row, which the match character repeats
  std::size_t last_ = 0;  ///< the row that was read last
};

}  // namespace

std::vector<SequenceRecord> parse_nexus(std::string_view text, const std::string& label,
                                        OddCharacters* left_out) {
  return NexusParser(text, label, left_out).parse();
}

std::string format_nexus(const AlignmentText& alignment) {
  const char* type = alignment.type == ResidueType::protein ? "protein"
                     : alignment.type == ResidueType::dna   ? "dna"
                                                            : "rna";
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const std::string& name : alignment.names) {
    names.push_back(nexus_name(name));
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
