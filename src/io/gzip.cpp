// SPDX-License-Identifier: Apache-2.0
#include "accord/io/gzip.hpp"

#include <algorithm>
#include <vector>

#define ZLIB_CONST
#include <zlib.h>

#include "accord/base/error.hpp"

namespace accord {
namespace {

constexpr std::string_view kMagic = "\x1f\x8b";
constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
constexpr int kGzipOnly = 15 + 16;                        // largest window, gzip header
constexpr std::size_t kMostGiven = std::size_t{1} << 30;  // zlib counts in 32 bits

/// Owns a zlib stream that unpacks gzip members.
struct Inflater {
  z_stream stream{};
  Inflater() {
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

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::string gunzip(std::string_view packed, const std::string& label) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string text;
  std::vector<char> chunk(kChunkBytes);
  while (true) {
    if (packed.empty()) {
      throw damaged(label, "the gzip data end too early");
    }
    const std::size_t given = std::min(packed.size(), kMostGiven);
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

std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(ErrorKind::out_of_memory, "no memory to pack an output with gzip");
  }
  std::string packed;
  std::vector<char> chunk(kChunkBytes);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const std::size_t given = std::min(text.size(), kMostGiven);
    stream.next_in = reinterpret_cast<const Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = deflate(&stream, given == text.size() ? Z_FINISH : Z_NO_FLUSH);
    text.remove_prefix(given - stream.avail_in);
    packed.append(chunk.data(), chunk.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace accord
