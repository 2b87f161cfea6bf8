// SPDX-License-Identifier: Apache-2.0
#include "io/files/text_input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "base/system_files.hpp"
#include "base/text.hpp"
#include "io/files/packing.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/record_watch.hpp"
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

}  // namespace accord
