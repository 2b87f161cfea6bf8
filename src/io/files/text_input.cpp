// SPDX-License-Identifier: Apache-2.0
#include "io/files/text_input.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/system.hpp"
#include "base/text.hpp"
#include "io/files/packing.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

constexpr std::string_view kWhiteSpace = " \t\v\f\r\n";
constexpr std::size_t kReadBytes = std::size_t{1} << 18;
/// The memory that a text takes while it is read, in lengths of the text: a growing text is copied.
constexpr std::size_t kTextCopies = 2;
/// The same while a text is unpacked: a decoder keeps as much of the text as its window is wide.
constexpr std::size_t kUnpackedCopies = 3;

/// Passes everything that can be read from a descriptor to `taker`. Returns 0, or errno of the
/// failure.
int read_all(int descriptor, const ByteTaker& taker) {
  std::vector<char> chunk(kReadBytes);
  while (true) {
    const std::ptrdiff_t got = read_some(descriptor, chunk.data(), chunk.size());
    if (got <= 0) return got < 0 ? errno : 0;
    taker({chunk.data(), static_cast<std::size_t>(got)});
  }
}

std::string size_text(std::size_t bytes) { return format_bytes(static_cast<double>(bytes)); }

/// Closes a descriptor at the end of a scope, unless it is -1.
class OpenDescriptor {
 public:
  explicit OpenDescriptor(int descriptor) : descriptor_(descriptor) {}
  OpenDescriptor(const OpenDescriptor&) = delete;
  OpenDescriptor& operator=(const OpenDescriptor&) = delete;
  ~OpenDescriptor() {
    if (descriptor_ >= 0) close_descriptor(descriptor_);
  }

 private:
  const int descriptor_;
};

/// A hint for an input that cannot be read; empty if there is no certain advice.
std::string reading_hint(int error) {
  switch (error) {
    case EACCES:
      return "see the permissions of the file and of its directories";
    case EISDIR:
      return "name a file in it";
    default:
      return {};
  }
}

constexpr std::size_t kMarkEnd = 3;  // place of `;` in ">P1;", and of `_` in ">ss_pred"

}  // namespace

std::string input_label(const std::string& path) { return path == "-" ? "stdin" : path; }

void read_in_parts(const std::string& path, const ByteTaker& taker) {
  const bool is_stdin = path == "-";
  const int descriptor = is_stdin ? kStandardInput : open_to_read(path);
  if (descriptor < 0) {
    const int reason = errno;
    throw Error(ErrorKind::no_input, "cannot open " + path + ": " + std::strerror(reason),
                reading_hint(reason));
  }
  const OpenDescriptor closing(is_stdin ? -1 : descriptor);
  const int error = read_all(descriptor, taker);
  if (error != 0) {
    throw Error(ErrorKind::no_input,
                "cannot read " + input_label(path) + ": " + std::strerror(error),
                reading_hint(error));
  }
}

std::string read_bytes(const std::string& path, const ReadLimits& limits) {
  const std::string label = input_label(path);
  RecordWatch watch(limits, label);
  std::string bytes;
  read_in_parts(path, [&](std::string_view part) {
    const std::size_t size = bytes.size() + part.size();
    check_reading(kTextCopies * size, label, size_text(size) + " of text");
    watch.add(part);
    bytes += part;
  });
  return bytes;
}

void check_is_text(std::string_view text, const std::string& label) {
  constexpr std::size_t kTarMark = 257;
  constexpr const char* kUnpack = "unpack it, and give the files in it";
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    throw Error(ErrorKind::bad_input, label + ": " + what, hint);
  };
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    refuse("the text is UTF-16",
           "save it as UTF-8 or plain text, as 'iconv -f UTF-16 -t UTF-8' does");
  }
  if (text.starts_with("PK\x03\x04")) refuse("a zip archive", kUnpack);
  if (text.size() > kTarMark && text.substr(kTarMark).starts_with("ustar")) {
    refuse("a tar archive", kUnpack);
  }
  if (packing_of(text) != Packing::none) refuse("packed twice", "unpack it once");
}

std::string unpacked(std::string bytes, const std::string& label, const ReadLimits& limits) {
  const Packing packing = packing_of(bytes);
  if (packing == Packing::none) {
    check_is_text(bytes, label);
    return bytes;
  }
  RecordWatch watch(limits, label);
  std::string text;
  unpack(packing, bytes, label, [&](std::string_view part) {
    const std::size_t size = text.size() + part.size();
    check_reading(bytes.size() + kUnpackedCopies * size, label,
                  size_text(size) + " or more, unpacked from " + size_text(bytes.size()) + ",");
    watch.add(part);
    text += part;
  });
  check_is_text(text, label);
  return text;
}

std::string read_text(const std::string& path, const ReadLimits& limits) {
  return unpacked(read_bytes(path, limits), input_label(path), limits);
}

bool is_white_space(char c) { return kWhiteSpace.find(c) != kWhiteSpace.npos; }

bool is_blank(std::string_view line) { return line.find_first_not_of(kWhiteSpace) == line.npos; }

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kWhiteSpace), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kWhiteSpace));
  line.remove_prefix(word.size());
  return word;
}

std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(kWhiteSpace), line.size()));
  return line.substr(0, line.find_last_not_of(kWhiteSpace) + 1);
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::string_view shown = first_characters(text, kLongest);
  return '"' + printable(shown) + (shown.size() < text.size() ? "..." : "") + '"';
}

Error line_error(const std::string& label, std::size_t line, const std::string& text,
                 const std::string& hint) {
  return Error(ErrorKind::bad_input, label + ":" + std::to_string(line) + ": " + text, hint);
}

LineReader::LineReader(std::string_view text, std::size_t lines_before)
    : rest_(text), number_(lines_before) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool LineReader::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end);
  rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : rest_.empty() ? 0 : 1);
  ++number_;
  return true;
}

RecordWatch::RecordWatch(const ReadLimits& limits, const std::string& label)
    : limits_(limits), label_(label), is_watched_(limits.sequences || limits.residues) {}

void RecordWatch::add(std::string_view part) {
  if (!is_watched_) return;
  if (bytes_ == 0 && !part.starts_with('>')) is_watched_ = false;
  bytes_ += part.size();
  for (std::size_t k = 0; is_watched_ && k < part.size(); ++k) count(part[k]);
  if (is_watched_) check();
}

void RecordWatch::count(char c) {
  if (c == '\n' || c == '\r') {
    in_line_ = 0;
    is_header_ = false;
    return;
  }
  const std::size_t place = in_line_++;
  if (place == 0) {
    is_comment_ = c == ';' || c == '#';
    is_header_ = c == '>';
    if (!is_header_) return count_letter(c);
    ++sequences_;
    residues_ = 0;
    is_annotation_ = false;
  } else if (!is_header_) {
    count_letter(c);
  } else if (place == 1) {
    first_ = c;
  } else if (place == kMarkEnd && c == ';' && sequences_ == 1) {
    is_watched_ = false;
  } else if (place == kMarkEnd && c == '_' && (first_ == 's' || first_ == 'a')) {
    is_annotation_ = true;  // a row of HH-suite, such as ss_pred
    --sequences_;
  }
}

void RecordWatch::count_letter(char c) {
  if (is_comment_ || is_annotation_ || std::isalpha(static_cast<unsigned char>(c)) == 0) return;
  longest_ = std::max(longest_, ++residues_);
}

void RecordWatch::check() const {
  constexpr std::size_t kLong = std::size_t{1} << 20;
  if (bytes_ < kLong) return;
  const auto exceeds = [](std::size_t count, const std::optional<int>& limit) {
    return limit && count > static_cast<std::size_t>(*limit);
  };
  if (exceeds(sequences_, limits_.sequences)) throw too_many(label_, sequences_, limits_, true);
  if (exceeds(longest_, limits_.residues)) throw too_long(label_, longest_, limits_, true);
}

Error too_many(const std::string& label, std::size_t sequences, const ReadLimits& limits,
               bool is_more) {
  return Error(ErrorKind::bad_input,
               label + ": " + (is_more ? "more than " : "") + std::to_string(sequences) +
                   " sequences; the limit is " + std::to_string(limits.sequences.value_or(0)),
               "leave out some sequences, or raise {max-seqs}");
}

Error too_long(const std::string& label, std::size_t residues, const ReadLimits& limits,
               bool is_more) {
  return Error(ErrorKind::bad_input,
               label + ": a sequence of " + (is_more ? "more than " : "") +
                   std::to_string(residues) + " residues; the limit is " +
                   std::to_string(limits.residues.value_or(0)),
               "cut the longest sequences, or raise {max-length}");
}

}  // namespace accord
