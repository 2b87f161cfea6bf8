// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"

namespace accord {
namespace {

/// Reads records of FASTQ. Letters and qualities may have several lines.
class FastqReader {
 public:
  FastqReader(std::string_view text, const std::string& label, OddCharacters* left_out)
      : lines_(text), label_(label), left_out_(left_out) {}

  std::vector<SequenceRecord> read() {
    bool has_line = lines_.next();
    while (has_line) {
      if (is_blank(lines_.line())) {
        has_line = lines_.next();
        continue;
      }
      read_header();
      read_letters();
      has_line = skip_qualities();
    }
    if (records_.empty()) throw Error(ErrorKind::bad_input, label_ + ": there are no sequences");
    return std::move(records_);
  }

 private:
  void read_header() {
    if (!lines_.line().starts_with('@')) {
      throw line_error(label_, lines_.number(),
                       "not FASTQ: expected '@', found " + quote(lines_.line()),
                       "a record has a line of '@' and the name, the letters, a line of '+', and "
                       "as many qualities");
    }
    records_.push_back({std::string(trimmed(lines_.line().substr(1))), {}});
    characters_ = 0;
  }

  void read_letters() {
    while (lines_.next()) {
      if (lines_.line().starts_with('+')) return check_name(trimmed(lines_.line().substr(1)));
      for (const char c : lines_.line()) {
        if (is_white_space(c)) continue;
        ++characters_;
        add_letter(c);
      }
    }
    throw unended("has no line of '+'");
  }

  /// The line of '+' has nothing else, or repeats the header.
  void check_name(std::string_view again) const {
    if (again.empty() || again == records_.back().header) return;
    throw line_error(label_, lines_.number(),
                     "the qualities are of " + quote(again) + ", but the letters of " +
                         quote(records_.back().header),
                     "was a line lost?");
  }

  void add_letter(char c) {
    std::string& letters = records_.back().letters;
    if (is_sequence_letter(c) || c == '-' || c == '.') {
      letters += c;
    } else if (left_out_ == nullptr) {
      throw line_error(label_, lines_.number(),
                       format_character(c) + " is not a sequence character (in sequence " +
                           quote(records_.back().name()) + ")",
                       "only letters, '*', '?' and gaps can stand there; {lenient} leaves others "
                       "out");
    } else {
      left_out_->add(c);
      if (left_out_->keeps_columns()) letters += '-';
    }
  }

  /// Skips as many qualities as there are letters. Returns false at the end of the text.
  bool skip_qualities() {
    std::size_t qualities = 0;
    bool has_line = lines_.next();
    for (; has_line && qualities < characters_; has_line = lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      const auto odd =
          std::find_if(line.begin(), line.end(), [](char c) { return c < '!' || c > '~'; });
      if (odd != line.end()) {
        throw line_error(label_, lines_.number(), format_character(*odd) + " is not a quality",
                         "qualities are printable characters; is the file damaged?");
      }
      qualities += line.size();
    }
    // A sequence without letters has an empty line of qualities.
    if (qualities == characters_) return has_line;
    throw unended("has " + counted(characters_, "letter") + ", but " + std::to_string(qualities) +
                  " qualities");
  }

  Error unended(const std::string& what) const {
    return line_error(label_, lines_.number(),
                      "sequence " + quote(records_.back().name()) + " " + what,
                      "was the file cut off?");
  }

  LineReader lines_;
  const std::string& label_;
  OddCharacters* left_out_;
  std::vector<SequenceRecord> records_;
  std::size_t characters_ = 0;  ///< letters of the current record, including those left out
};

}  // namespace

bool looks_like_fastq(std::string_view line) { return line.starts_with('@'); }

std::vector<SequenceRecord> parse_fastq(std::string_view text, const std::string& label,
                                        OddCharacters* left_out) {
  return FastqReader(text, label, left_out).read();
}

}  // namespace accord
