// SPDX-License-Identifier: Apache-2.0
#include "accord/io/text_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#define ZLIB_CONST
#include <zlib.h>

namespace accord {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::size_t kChunkBytes = std::size_t{1} << 18;

/// Owns a zlib stream that unpacks gzip members.
struct Inflater {
  z_stream stream{};
  Inflater() {
    constexpr int kGzipOnly = 15 + 16;  // largest window, gzip header
    if (inflateInit2(&stream, kGzipOnly) != Z_OK) {
      throw Error(ErrorKind::out_of_memory, "no memory to unpack gzip data");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }
};

Error damaged(const std::string& label, const std::string& what) {
  return Error(ErrorKind::bad_input, label + ": " + what,
               "the file is truncated or damaged: fetch or pack it again");
}

std::string gunzip(std::string_view packed, const std::string& label) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string text;
  std::vector<char> chunk(kChunkBytes);
  while (true) {
    if (packed.empty()) {
      throw damaged(label, "the gzip data end too early");
    }
    // zlib counts in 32 bits, so that the data are handed over in pieces.
    const std::size_t given = std::min(packed.size(), std::size_t{1} << 30);
    stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(given - stream.avail_in);
    text.append(chunk.data(), chunk.size() - stream.avail_out);
    if (status == Z_MEM_ERROR) {
      throw Error(ErrorKind::out_of_memory, "no memory to unpack " + label);
    }
    if (status == Z_STREAM_END) {
      // tar and tape tools pad with zeros; anything else must be another member.
      if (packed.find_first_not_of('\0') == std::string_view::npos) return text;
      inflateReset(&stream);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw damaged(label, std::string("corrupt gzip data (") +
                               (stream.msg != nullptr ? stream.msg : "unknown error") + ")");
    }
  }
}

/// Everything that can be read from a descriptor; errno of the failure in `error`, or 0.
std::string read_all(int descriptor, int& error) {
  std::string bytes;
  std::vector<char> chunk(kChunkBytes);
  error = 0;
  while (true) {
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got > 0) {
      bytes.append(chunk.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      return bytes;
    } else if (errno != EINTR) {
      error = errno;
      return bytes;
    }
  }
}

}  // namespace

std::string input_label(const std::string& path) { return path == "-" ? "stdin" : path; }

std::string read_text(const std::string& path) {
  const bool is_stdin = path == "-";
  const int descriptor = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(ErrorKind::no_input, "cannot open " + path + ": " + std::strerror(errno));
  }
  int error = 0;
  std::string bytes = read_all(descriptor, error);
  if (!is_stdin) ::close(descriptor);
  if (error != 0) {
    throw Error(ErrorKind::no_input,
                "cannot read " + input_label(path) + ": " + std::strerror(error));
  }
  if (bytes.starts_with(kGzipMagic)) return gunzip(bytes, input_label(path));
  return bytes;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "\"";
  for (char c : text.substr(0, kLongest)) result += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > kLongest) result += "...";
  return result + '"';
}

Error line_error(const std::string& label, std::size_t line, const std::string& text,
                 const std::string& hint) {
  return Error(ErrorKind::bad_input, label + ":" + std::to_string(line) + ": " + text, hint);
}

LineReader::LineReader(std::string_view text) : rest_(text) {
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
