// SPDX-License-Identifier: Apache-2.0
#include "io/files/packing.hpp"

#define ZLIB_CONST  // zlib takes const input then
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"

namespace accord {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
constexpr int kGzipOnly = 15 + 16;                        // largest window, gzip header
constexpr std::size_t kMostGiven = std::size_t{1} << 30;  // zlib and bzip2 count in 32 bits

struct Entry {
  Packing packing;
  std::string_view name, suffix, magic;
};
constexpr std::array<Entry, 4> kPackings = {{
    {Packing::gzip, "gzip", ".gz", "\x1f\x8b"},
    {Packing::bzip2, "bzip2", ".bz2", "BZh"},
    {Packing::xz, "xz", ".xz", std::string_view("\xfd\x37zXZ\0", 6)},
    {Packing::zstd, "zstd", ".zst", "\x28\xb5\x2f\xfd"},
}};

Error no_memory(const std::string& what) {
  return Error(ErrorKind::out_of_memory, "no memory to " + what);
}

/// What a decoder has done with what it was given.
struct Step {
  enum class Status { more, ended, corrupt, no_memory } status;
  std::size_t read, written;
};

// Decoders: step() unpacks bytes of one stream, restart() begins the next one.

class Gunzip {
 public:
  Gunzip() {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw no_memory("unpack gzip data");
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip() { inflateEnd(&stream_); }

  Step step(std::string_view in, std::vector<char>& out) {
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    return {status == Z_STREAM_END                    ? Step::Status::ended
            : status == Z_MEM_ERROR                   ? Step::Status::no_memory
            : status == Z_OK || status == Z_BUF_ERROR ? Step::Status::more
                                                      : Step::Status::corrupt,
            in.size() - stream_.avail_in, out.size() - stream_.avail_out};
  }
  void restart() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

class Bunzip2 {
 public:
  Bunzip2() { begin(); }
  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;
  ~Bunzip2() { BZ2_bzDecompressEnd(&stream_); }

  Step step(std::string_view in, std::vector<char>& out) {
    stream_.next_in = const_cast<char*>(in.data());  // the library only reads it
    stream_.avail_in = static_cast<unsigned>(in.size());
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const int status = BZ2_bzDecompress(&stream_);
    return {status == BZ_STREAM_END  ? Step::Status::ended
            : status == BZ_OK        ? Step::Status::more
            : status == BZ_MEM_ERROR ? Step::Status::no_memory
                                     : Step::Status::corrupt,
            in.size() - stream_.avail_in, out.size() - stream_.avail_out};
  }
  void restart() {
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw no_memory("unpack bzip2 data");
  }
  bz_stream stream_{};
};

class Unxz {
 public:
  Unxz() { restart(); }
  Unxz(const Unxz&) = delete;
  Unxz& operator=(const Unxz&) = delete;
  ~Unxz() { lzma_end(&stream_); }

  Step step(std::string_view in, std::vector<char>& out) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    return {status == LZMA_STREAM_END                       ? Step::Status::ended
            : status == LZMA_OK || status == LZMA_BUF_ERROR ? Step::Status::more
            : status == LZMA_MEM_ERROR                      ? Step::Status::no_memory
                                                            : Step::Status::corrupt,
            in.size() - stream_.avail_in, out.size() - stream_.avail_out};
  }
  void restart() {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, 0) != LZMA_OK) throw no_memory("unpack xz data");
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Unzstd {
 public:
  Unzstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw no_memory("unpack zstd data");
  }
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;
  ~Unzstd() { ZSTD_freeDStream(stream_); }

  Step step(std::string_view in, std::vector<char>& out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &output, &input);
    return {ZSTD_isError(status) != 0 ? Step::Status::corrupt
            : status == 0             ? Step::Status::ended
                                      : Step::Status::more,
            input.pos, output.pos};
  }
  void restart() { ZSTD_initDStream(stream_); }

 private:
  ZSTD_DStream* stream_;
};

template <class Decoder>
std::string unpack_all(std::string_view packed, const std::string& label, const std::string& name) {
  const auto damaged = [&](const std::string& what) {
    return Error(ErrorKind::bad_input, label + ": " + what,
                 "the file is truncated or damaged: fetch or pack it again");
  };
  Decoder decoder;
  std::string text;
  std::vector<char> chunk(kChunkBytes);
  while (true) {
    const Step step = decoder.step(packed.substr(0, kMostGiven), chunk);
    packed.remove_prefix(step.read);
    text.append(chunk.data(), step.written);
    if (step.status == Step::Status::no_memory) throw no_memory("unpack " + label);
    if (step.status == Step::Status::corrupt) throw damaged("corrupt " + name + " data");
    if (step.status == Step::Status::ended) {
      // tar and tape tools pad with zeros; anything else must be another stream.
      if (packed.find_first_not_of('\0') == packed.npos) return text;
      decoder.restart();
    } else if (step.read == 0 && step.written == 0) {
      throw damaged("the " + name + " data end too early");
    }
  }
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw no_memory("pack an output with gzip");
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

std::string bzip2(std::string& text) {
  constexpr int kBlock = 9;  // 900 KB, as the program's
  std::string packed;
  std::size_t at = 0;
  do {  // a stream for each part that the library can count
    const auto given = static_cast<unsigned>(std::min(text.size() - at, kMostGiven));
    std::string part(given + given / 100 + 600, '\0');
    auto size = static_cast<unsigned>(part.size());
    if (BZ2_bzBuffToBuffCompress(part.data(), &size, text.data() + at, given, kBlock, 0, 0) !=
        BZ_OK) {
      throw no_memory("pack an output with bzip2");
    }
    packed.append(part, 0, size);
    at += given;
  } while (at < text.size());
  return packed;
}

std::string xz(std::string_view text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64, nullptr,
                              reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                              reinterpret_cast<std::uint8_t*>(packed.data()), &size,
                              packed.size()) != LZMA_OK) {
    throw no_memory("pack an output with xz");
  }
  packed.resize(size);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0) throw no_memory("pack an output with zstd");
  packed.resize(size);
  return packed;
}

const Entry* entry_of_suffix(std::string_view path) {
  for (const Entry& entry : kPackings) {
    if (path.size() <= entry.suffix.size()) continue;
    const std::string_view end = path.substr(path.size() - entry.suffix.size());
    if (std::equal(end.begin(), end.end(), entry.suffix.begin(), [](char a, char b) {
          return std::tolower(static_cast<unsigned char>(a)) == b;
        })) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace

Packing packing_of(std::string_view bytes) {
  for (const Entry& entry : kPackings) {
    if (!bytes.starts_with(entry.magic)) continue;
    // Of these three alone are letters, which could begin a text; a digit and pi, or the square
    // root of it at the end of an empty stream, follow.
    if (entry.packing == Packing::bzip2 && (bytes.size() < 5 || bytes[3] < '1' || bytes[3] > '9' ||
                                            (bytes[4] != '\x31' && bytes[4] != '\x17'))) {
      continue;
    }
    return entry.packing;
  }
  return Packing::none;
}

Packing packing_of_suffix(std::string_view path) {
  const Entry* entry = entry_of_suffix(path);
  return entry == nullptr ? Packing::none : entry->packing;
}

std::string_view without_packing_suffix(std::string_view path) {
  if (const Entry* entry = entry_of_suffix(path)) path.remove_suffix(entry->suffix.size());
  return path;
}

std::string packings() {
  std::string text;
  for (std::size_t k = 0; k < kPackings.size(); ++k) {
    text += k == 0 ? "" : k + 1 < kPackings.size() ? ", " : " or ";
    text += kPackings[k].name;
  }
  return text;
}

std::string unpack(Packing packing, std::string_view packed, const std::string& label) {
  switch (packing) {
    case Packing::none:
      return std::string(packed);
    case Packing::gzip:
      return unpack_all<Gunzip>(packed, label, "gzip");
    case Packing::bzip2:
      return unpack_all<Bunzip2>(packed, label, "bzip2");
    case Packing::xz:
      return unpack_all<Unxz>(packed, label, "xz");
    case Packing::zstd:
      return unpack_all<Unzstd>(packed, label, "zstd");
  }
  throw Error(ErrorKind::internal, "a packing without a reader");
}

std::string pack(Packing packing, std::string text) {
  switch (packing) {
    case Packing::none:
      return text;
    case Packing::gzip:
      return gzip(text);
    case Packing::bzip2:
      return bzip2(text);
    case Packing::xz:
      return xz(text);
    case Packing::zstd:
      return zstd(text);
  }
  throw Error(ErrorKind::internal, "a packing without a writer");
}

}  // namespace accord
