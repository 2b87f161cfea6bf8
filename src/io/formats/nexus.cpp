// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_set>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/nexus_matrix.hpp"
#include "io/formats/nexus_words.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

/// Writes a name as a NEXUS token: in single quotes if it has punctuation or blanks, with its
/// quotes doubled.
std::string nexus_name(const std::string& name) {
  constexpr std::string_view kPunctuation = "()[]{}/\\,;:=*'\"`+-<>|&%$#@!~^?";
  if (name.find_first_of(kPunctuation) == name.npos && name.find(' ') == name.npos) return name;
  std::string token = "'";
  for (char c : name) token += c == '\'' ? std::string("''") : std::string(1, c);
  return token + "'";
}

bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Reads the one matrix of a NEXUS text (Maddison et al. 1997, Syst Biol 46:590).
class NexusParser {
 public:
  NexusParser(std::string_view text, const std::string& label, OddCharacters* left_out)
      : label_(label), words_(text, label), builder_(label, left_out) {}

  std::vector<SequenceRecord> parse() {
    std::string block;
    while (true) {
      const std::string command = lower_case(words_.word());
      if (command.empty()) throw words_.complaint("there is no matrix");
      const bool has_data = is_data(block);
      if (command == "begin") {
        block = lower_case(words_.word());
      } else if (has_data && (command == "dimensions" || command == "format")) {
        format_.read_settings(words_);
        continue;
      } else if (block == "taxa" && command == "dimensions") {
        NexusMatrix stated;
        stated.read_settings(words_);
        stated_taxa_ = stated.rows;
        continue;
      } else if ((has_data || block == "taxa") && command == "taxlabels") {
        format_.read_taxa(words_);
        check_taxa();
        continue;
      } else if (has_data && command == "matrix") {
        return read_matrix();
      }
      is_reduced_ = is_reduced_ || (has_data && command == "eliminate");
      words_.skip_command();
    }
  }

  /// Throws if a second matrix follows the first one. The rest of the text is not checked.
  void check_end() {
    bool has_other = false;
    try {
      for (std::string last, next; !has_other; last = std::move(next)) {
        next = lower_case(words_.word());
        if (next.empty() && words_.is_at_end()) break;
        has_other = last == "begin" && is_data(next);
      }
    } catch (const Error&) {  // no words
    }
    if (has_other)
      throw words_.complaint("a second alignment in one file",
                             "give each family a file of its own");
  }

 private:
  static bool is_data(const std::string& block) { return block == "data" || block == "characters"; }

  std::vector<SequenceRecord> read_matrix() {
    if (!format_.has_labels && format_.taxa.empty()) {
      throw words_.complaint("a matrix without labels needs the names of a taxa block",
                             "write the names in front of the rows, without 'nolabels'");
    }
    while (true) {
      words_.skip_blanks();
      if (words_.peek() == ';') break;
      if (words_.is_at_end()) throw words_.complaint("the matrix is never closed by ';'");
      const std::size_t row = next_row();
      if (row == 0) check_block();
      read_row(row);
    }
    std::vector<SequenceRecord> records = builder_.finish();
    if (format_.rows && records.size() != *format_.rows) {
      throw words_.complaint("ntax says " + counted(*format_.rows, "row") + ", there are " +
                             std::to_string(records.size()));
    }
    for (const SequenceRecord& record : records) {
      const std::size_t columns = format_.columns.value_or(records[0].letters.size());
      if (record.letters.size() == columns) continue;
      throw words_.complaint(
          "row " + quote(record.header) + " has " + counted(record.letters.size(), "column") +
          ", " + (format_.columns ? "nchar says " : "row " + quote(records[0].header) + " has ") +
          std::to_string(columns));
    }
    warn_of_oddities();
    return records;
  }

  void check_taxa() const {
    const std::size_t taxa = format_.taxa.size();
    if (stated_taxa_.value_or(taxa) == taxa) return;
    throw words_.complaint("ntax says " + std::to_string(*stated_taxa_) +
                           " taxa, 'taxlabels' has " + std::to_string(taxa));
  }

  /// Throws if rows differ in length where a block of an interleaved matrix begins.
  void check_block() const {
    for (std::size_t r = 1; r < names_.size(); ++r) {
      if (builder_.length(r) == builder_.length(0)) continue;
      throw words_.complaint("not aligned: up to here row " + quote(names_[r]) + " has " +
                                 counted(builder_.length(r), "column") + ", row " +
                                 quote(names_[0]) + " has " + std::to_string(builder_.length(0)),
                             "every line of a block has as many columns");
    }
  }

  /// The row of the next letters: the row of the label there, or without labels the next row.
  std::size_t next_row() {
    if (!format_.has_labels) {
      const std::size_t row = names_.empty() ? 0 : last_ + 1;
      const std::size_t wrapped = format_.is_interleaved ? row % format_.taxa.size() : row;
      if (wrapped < names_.size()) return wrapped;
      if (wrapped == format_.taxa.size()) {
        throw words_.complaint("the matrix has more rows than there are taxa");
      }
      return add_row(format_.taxa[wrapped]);
    }
    const std::string name = format_.taxon_of(words_.word());
    if (name.empty()) throw words_.complaint("a row has no name");
    if (!builder_.has(name)) return add_row(name);
    if (!format_.is_interleaved) throw two_rows_error(label_, words_.line(), name);
    return row_of(name);
  }

  std::size_t add_row(const std::string& name) {
    if (!builder_.add(name)) throw two_rows_error(label_, words_.line(), name);
    names_.push_back(name);
    return names_.size() - 1;
  }

  /// The number of the row with a name. In an interleaved matrix, the rows of each block have the
  /// same order.
  std::size_t row_of(const std::string& name) {
    const std::size_t next = (last_ + 1) % names_.size();
    if (names_[next] == name) return next;
    return builder_.row_of(name);
  }

  /// Reads letters of a row: up to the end of the line if the matrix is interleaved or the number
  /// of columns is unknown, else as many letters as there are columns.
  void read_row(std::size_t row) {
    const bool is_line = format_.is_interleaved || !format_.columns;
    const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
    while (is_line || builder_.length(row) < *format_.columns) {
      words_.skip_blanks(is_line);
      const char c = words_.peek();
      if (words_.is_at_end() || c == ';' || (is_line && is_line_end(c))) break;
      words_.advance();
      append(row, c == '{' || c == '(' ? read_set(c) : std::string(1, c));
    }
    last_ = row;
  }

  /// Reads the characters of a set, from its opening to its closing mark.
  std::string read_set(char opening) {
    std::string set(1, opening);
    const char closing = opening == '{' ? '}' : ')';
    while (true) {
      words_.skip_blanks();
      const char c = words_.peek();
      if (words_.is_at_end() || c == ';') {
        throw words_.complaint("a set is never closed by " + std::string(1, closing),
                               "a set of residues is written as (AG), or in braces");
      }
      words_.advance();
      set += c;
      if (c == closing) return set;
    }
  }

  /// Appends a column: a character of the matrix, or a set with its marks.
  void append(std::size_t row, std::string symbol) {
    if (symbol.size() == 1) {
      const auto equal = format_.equates.find(symbol[0]);
      if (equal != format_.equates.end()) symbol = equal->second;
    }
    const std::size_t column = builder_.length(row);
    const char letter = symbol.size() == 1 ? residue_of(row, column, symbol[0])
                                           : residue_of_set(row, column, symbol);
    if (row == 0) first_ += letter;
    builder_.append(row, std::string_view(&letter, 1), words_.line());
  }

  /// The residue for a character of the matrix.
  char residue_of(std::size_t row, std::size_t column, char c) const {
    if (format_.match != 0 && is_same_letter(c, format_.match)) {
      if (row == 0 || column >= first_.size()) {
        throw line_error(label_, words_.line(),
                         quote(std::string_view(&c, 1)) +
                             " repeats the first row, which has "
                             "no residue there",
                         "matchchar is for the rows below the first one");
      }
      return first_[column];
    }
    if (is_same_letter(c, format_.missing)) return '?';
    if (c == format_.gap) return '-';
    if (c != '.') return c;
    throw line_error(label_, words_.line(), "'.' has no meaning in this matrix",
                     "'format matchchar=.' makes it the residue of the first row, 'format gap=.' a "
                     "gap");
  }

  /// The letter for a set of residues; `?` if there is none.
  char residue_of_set(std::size_t row, std::size_t column, std::string_view symbol) {
    std::string letters;
    for (const char c : symbol.substr(1, symbol.size() - 2)) {
      if (c != ',' && !is_white_space(c)) letters += residue_of(row, column, c);
    }
    const std::optional<char> letter = letter_of_set(format_.type, letters);
    unknown_sets_ += !letter;
    return letter.value_or('?');
  }

  void warn_of_oddities() const {
    if (unknown_sets_ > 0) {
      log_warning(label_ + ": " +
                      counted(unknown_sets_, "set of residues has", "sets of residues have") +
                      " no letter and " + (unknown_sets_ == 1 ? "is" : "are") + " read as ?",
                  "of nucleotides each set has a letter, of proteins only B, Z, J and X");
    }
    if (is_reduced_) {
      log_warning(label_ + ": the command 'eliminate' is ignored: all columns are read",
                  "leave those columns out of the matrix");
    }
    std::unordered_set<std::string> rows;
    for (const std::string& name : names_) rows.insert(plain_taxon(name));
    std::size_t missing = 0;
    std::string first;
    for (const std::string& taxon : format_.taxa) {
      if (!rows.contains(plain_taxon(taxon)) && ++missing == 1) first = taxon;
    }
    if (missing == 0) return;
    log_warning(label_ + ": " + std::to_string(missing) + " of " +
                    std::to_string(format_.taxa.size()) +
                    " taxa have no row in the matrix, such as " + quote(first),
                "was the matrix cut off?");
  }

  const std::string& label_;
  NexusWords words_;
  RecordBuilder builder_;
  NexusMatrix format_;
  std::optional<std::size_t> stated_taxa_;  ///< in the taxa block
  std::vector<std::string> names_;
  std::string first_;     ///< the first row, which the match character repeats
  std::size_t last_ = 0;  ///< the last row that was read
  std::size_t unknown_sets_ = 0;
  bool is_reduced_ = false;  ///< the text has a command `eliminate`
};

}  // namespace

std::vector<SequenceRecord> parse_nexus(std::string_view text, const std::string& label,
                                        OddCharacters* left_out) {
  NexusParser parser(text, label, left_out);
  std::vector<SequenceRecord> records = parser.parse();
  parser.check_end();
  return records;
}

std::optional<ResidueType> nexus_type(std::string_view text, const std::string& label) {
  NexusMatrix matrix;
  try {
    NexusWords words(text, label);
    for (std::string last, next; !matrix.type && !(next = lower_case(words.word())).empty();
         last = next) {
      if (next == "matrix") break;
      if (last == ";" && next == "format") matrix.read_settings(words);
    }
  } catch (const Error&) {  // the text cannot be divided into words
  }
  return matrix.type;
}

std::string other_nexus_blocks(std::string_view text, const std::string& label) {
  std::string names;
  try {
    NexusWords words(text, label);
    for (std::string last, next; !(next = words.word()).empty(); last = lower_case(next)) {
      const std::string block = lower_case(next);
      if (last != "begin" || block == "taxa" || block == "data" || block == "characters") continue;
      names += (names.empty() ? "" : ", ") + block;
    }
  } catch (const Error&) {  // the text cannot be divided into words
  }
  return names;
}

void write_nexus(const AlignmentText& alignment, TextSink& out) {
  const char* type = alignment.type == ResidueType::protein ? "protein"
                     : alignment.type == ResidueType::dna   ? "dna"
                                                            : "rna";
  std::vector<std::string> names;
  std::size_t width = 0;
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    names.push_back(nexus_name(alignment.whole_name(r)));
    width = std::max(width, names.back().size());
  }
  out << "#NEXUS\n\nbegin data;\n  dimensions ntax=" << std::to_string(names.size())
      << " nchar=" << std::to_string(alignment.columns) << ";\n  format datatype=" << type
      << " missing=? gap=-;\n  matrix\n";
  for (std::size_t r = 0; r < names.size(); ++r) {
    out << "    " << padded(names[r], width + 1) << alignment.rows[r] << '\n';
  }
  out << "  ;\nend;\n";
}

}  // namespace accord
