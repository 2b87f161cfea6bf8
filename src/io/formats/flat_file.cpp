// SPDX-License-Identifier: Apache-2.0
#include "io/formats/flat_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"

namespace accord {
namespace {

constexpr std::size_t kQualifierColumn = 21;  // where locations and qualifiers begin

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string without_white_space(std::string_view text) {
  std::string kept;
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
               [](char c) { return !is_white_space(c); });
  return kept;
}

/// Reads the lines of a feature table. Their first two columns are blank.
class FeatureReader {
 public:
  void add(std::string_view line, std::size_t number, std::vector<CodingFeature>& found) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) return;
    std::string_view rest = line.substr(begin);
    if (begin < kQualifierColumn) {
      is_in_quotes_ = false;
      is_coding_ = take_word(rest) == "CDS";
      if (is_coding_) found.push_back({without_white_space(rest), {}, number});
    } else if (is_coding_) {
      add_to(found.back(), trimmed(rest));
    }
  }
  void reset() { is_coding_ = is_in_quotes_ = false; }

 private:
  void add_to(CodingFeature& feature, std::string_view text) {
    if (!is_in_quotes_ && text.starts_with('/')) {
      const std::size_t equals = text.find('=');
      feature.qualifiers.emplace_back(text.substr(1, equals == text.npos ? equals : equals - 1),
                                      "");
      add_value(feature.qualifiers.back().second,
                equals == text.npos ? "" : text.substr(equals + 1));
    } else if (feature.qualifiers.empty()) {
      feature.location += without_white_space(text);
    } else {
      add_value(feature.qualifiers.back().second, text);
    }
  }
  void add_value(std::string& value, std::string_view text) {
    for (const char c : text) {
      if (c == '"') {
        is_in_quotes_ = !is_in_quotes_;
      } else {
        value += c;
      }
    }
  }

  bool is_coding_ = false, is_in_quotes_ = false;
};

/// Reads records of both formats.
class FlatFileReader {
 public:
  FlatFileReader(bool is_embl, const std::string& label, OddCharacters* left_out)
      : is_embl_(is_embl), label_(label), left_out_(left_out) {}

  std::vector<FlatRecord> read(std::string_view text) {
    for (LineReader reader(text); reader.next();) {
      number_ = reader.number();
      read_line(reader.line());
    }
    if (is_open_) {
      throw Error(ErrorKind::bad_input,
                  label_ + ": record " + quote(record_.name) + " has no '//' at its end",
                  "was the file cut off?");
    }
    if (records_.empty()) throw Error(ErrorKind::bad_input, label_ + ": there are no sequences");
    return std::move(records_);
  }

 private:
  enum class Part { head, features, letters, other };

  void read_line(std::string_view line) {
    if (trimmed(line) == "//") return end_record();
    std::string_view rest = line;
    const bool is_continued = line.empty() || is_white_space(line[0]);
    const std::string key(is_continued ? "" : take_word(rest));
    if (!is_open_) {
      if (is_blank(line)) return;
      if (key != (is_embl_ ? "ID" : "LOCUS")) {
        throw line_error(label_, number_,
                         std::string("not ") +
                             (is_embl_ ? "EMBL: expected 'ID'" : "GenBank: expected 'LOCUS'") +
                             ", found " + quote(line),
                         "each record begins with that line and ends with '//'");
      }
      is_open_ = true;
    }
    if (part_ == Part::letters && is_continued) return add_letters(line);
    if (is_embl_) {
      read_embl(key, trimmed(rest), line);
    } else {
      read_genbank(key, trimmed(rest), line);
    }
  }

  void read_genbank(const std::string& key, std::string_view rest, std::string_view line) {
    if (key.empty()) {
      if (part_ == Part::features) features_.add(line, number_, record_.coding);
      if (last_ == "DEFINITION" && !rest.empty()) describe(rest);
      return;
    }
    last_ = key;
    part_ = key == "FEATURES" ? Part::features : key == "ORIGIN" ? Part::letters : Part::other;
    if (key == "LOCUS") read_locus(rest);
    if (key == "DEFINITION") describe(rest);
    if (key == "ACCESSION" || key == "VERSION") {
      set_name(take_word(rest));
    }
  }

  /// NAME 513 bp mRNA ...
  void read_locus(std::string_view rest) {
    record_.name = take_word(rest);
    std::string_view before;
    for (int k = 0; k < 3 && !is_blank(rest); ++k) {
      const std::string_view word = take_word(rest);
      if (word == "bp" || word == "aa") read_size(before);
      before = word;
    }
  }

  void read_embl(const std::string& key, std::string_view rest, std::string_view line) {
    part_ = key == "SQ" ? Part::letters : Part::other;
    if (key == "ID") read_id(rest);
    if (key == "SQ" && take_word(rest) == "Sequence") read_size(take_word(rest));
    if (key == "DE") describe(rest);
    if (key == "SV") set_name(take_word(rest));
    if (key == "AC" && !has_accession_) {
      set_name(trimmed(rest.substr(0, rest.find(';'))));
      has_accession_ = true;
    }
    if (key == "FT") {
      features_.add("  " + std::string(line.substr(std::min<std::size_t>(2, line.size()))), number_,
                    record_.coding);
    }
  }

  /// X56734; SV 1; linear; mRNA; STD; PLN; 1859 BP.  Older: NAME standard; DNA; PLN; 1859 BP.
  void read_id(std::string_view rest) {
    std::string_view words = rest, before;
    const std::string_view first = take_word(words);
    record_.name = first.substr(0, first.find(';'));
    const std::size_t version = rest.find("; SV ");
    if (first.ends_with(';') && version != rest.npos) {
      std::string_view number = rest.substr(version + 5);
      number = number.substr(0, number.find(';'));
      record_.name.append(1, '.').append(without_white_space(number));
      has_accession_ = true;
    }
    while (!is_blank(words)) {
      const std::string_view word = take_word(words);
      if (word == "BP." || word == "AA.") read_size(before);
      before = word;
    }
  }

  void read_size(std::string_view number) {
    std::size_t size = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), size);
    if (parsed.ec == std::errc() && parsed.ptr == number.data() + number.size())
      sizes_.push_back(size);
  }

  /// A record without an accession has '.' in its place, or nothing.
  void set_name(std::string_view name) {
    if (!name.empty() && name != ".") record_.name = name;
  }

  void describe(std::string_view text) {
    if (!record_.description.empty()) record_.description += ' ';
    record_.description += text;
  }

  void add_letters(std::string_view line) {
    for (const char c : line) {
      if (is_white_space(c) || is_digit(c)) continue;
      if (is_sequence_letter(c) || c == '-' || c == '.') {
        record_.letters += c;
      } else if (left_out_ == nullptr) {
        throw line_error(label_, number_,
                         format_character(c) + " is not a sequence character (in sequence " +
                             quote(record_.name) + ")",
                         "only letters can stand there; {lenient} leaves others out");
      } else {
        left_out_->add(c);
        if (left_out_->keeps_columns()) record_.letters += '-';
      }
    }
  }

  void end_record() {
    if (!is_open_) return;
    if (record_.letters.empty()) {
      throw line_error(label_, number_, "record " + quote(record_.name) + " has no sequence",
                       "fetch it with its sequence: GenBank (full)");
    }
    const std::size_t letters = record_.letters.size();
    const auto other = std::find_if(sizes_.begin(), sizes_.end(),
                                    [&](std::size_t size) { return size != letters; });
    if (other != sizes_.end()) {
      log_warning(label_ + ": record " + quote(record_.name) + " has " +
                      counted(letters, "letter") + ", but says " + std::to_string(*other),
                  "was it edited, or cut off?");
    }
    records_.push_back(std::move(record_));
    record_ = {};
    sizes_.clear();
    part_ = Part::head;
    features_.reset();
    last_.clear();
    is_open_ = has_accession_ = false;
  }

  bool is_embl_;
  const std::string& label_;
  OddCharacters* left_out_;
  std::vector<FlatRecord> records_;
  FlatRecord record_;
  std::vector<std::size_t> sizes_;  ///< numbers of letters that lines of the record state
  FeatureReader features_;
  Part part_ = Part::head;
  std::string last_;  ///< GenBank: key of the line being continued
  bool is_open_ = false, has_accession_ = false;
  std::size_t number_ = 0;
};

std::vector<SequenceRecord> whole_records(const std::vector<FlatRecord>& records) {
  std::vector<SequenceRecord> found;
  for (const FlatRecord& record : records) {
    std::string header = record.name;
    if (!record.description.empty()) header += ' ' + record.description;
    found.push_back({std::move(header), record.letters});
  }
  return found;
}

/// The type from the unit behind the length in the first line, "bp" or "aa".
std::optional<ResidueType> type_of_first_line(std::string_view text, std::string_view protein,
                                              std::string_view bases) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  std::string_view line = reader.line();
  while (!is_blank(line)) {
    const std::string_view word = take_word(line);
    if (word == protein) return ResidueType::protein;
    if (word == bases) return ResidueType::dna;
  }
  return std::nullopt;
}

}  // namespace

std::string CodingFeature::qualifier(std::string_view name) const {
  for (const auto& [key, value] : qualifiers) {
    if (key == name) return value;
  }
  return {};
}

std::vector<FlatRecord> parse_flat_file(std::string_view text, bool is_embl,
                                        const std::string& label, OddCharacters* left_out) {
  return FlatFileReader(is_embl, label, left_out).read(text);
}

bool looks_like_genbank(std::string_view line) { return line.starts_with("LOCUS  "); }

bool looks_like_embl(std::string_view line) { return line.starts_with("ID   "); }

std::optional<ResidueType> flat_file_type(std::string_view text, bool is_embl) {
  return is_embl ? type_of_first_line(text, "AA.", "BP.") : type_of_first_line(text, "aa", "bp");
}

std::vector<SequenceRecord> parse_genbank(std::string_view text, const std::string& label,
                                          OddCharacters* left_out) {
  return whole_records(parse_flat_file(text, false, label, left_out));
}

std::vector<SequenceRecord> parse_embl(std::string_view text, const std::string& label,
                                       OddCharacters* left_out) {
  return whole_records(parse_flat_file(text, true, label, left_out));
}

}  // namespace accord
