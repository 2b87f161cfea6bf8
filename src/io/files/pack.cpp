// SPDX-License-Identifier: Apache-2.0
// Encoders of packed files; packing.cpp has the decoders.
#define ZLIB_CONST  // makes the input of zlib const
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accord/base/error.hpp"
#include "io/files/packing.hpp"

namespace accord {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{1} << 18;
constexpr std::size_t kMostToPack = std::size_t{1} << 30;  // zlib and bzip2 count in 32 bits

Error no_memory_for(const char* packing) {
  return Error(ErrorKind::out_of_memory,
               std::string("no memory to pack an output with ") + packing);
}

/// The progress of one step of an encoder.
struct PackStep {
  std::size_t read, written;
  bool is_ended;
};

// Encoders: step() packs bytes. At the end of the text it is called until is_ended.

class Gzip {
 public:
  Gzip() {
    constexpr int kGzipOnly = 15 + 16;  // largest window, gzip header
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw no_memory_for("gzip");
    }
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() { deflateEnd(&stream_); }

  PackStep step(std::string_view in, bool ends, std::vector<char>& out) {
    const std::size_t given = std::min(in.size(), kMostToPack);
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = deflate(&stream_, ends && given == in.size() ? Z_FINISH : Z_NO_FLUSH);
    return {given - stream_.avail_in, out.size() - stream_.avail_out, status == Z_STREAM_END};
  }

 private:
  z_stream stream_{};
};

/// Writes a stream for each part of the text, since the library counts bytes in 32 bits.
class Bzip2 {
 public:
  Bzip2() { begin(); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;
  ~Bzip2() { BZ2_bzCompressEnd(&stream_); }

  PackStep step(std::string_view in, bool ends, std::vector<char>& out) {
    const std::size_t given = std::min(in.size(), kMostToPack - in_stream_);
    const bool is_full = given < in.size();
    stream_.next_in = const_cast<char*>(in.data());  // the library does not write to it
    stream_.avail_in = static_cast<unsigned>(given);
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const bool finishes = ends || is_full;
    // bzip2 reports an error for an empty step that ends nothing.
    const int status = given == 0 && !finishes
                           ? BZ_RUN_OK
                           : BZ2_bzCompress(&stream_, finishes ? BZ_FINISH : BZ_RUN);
    const PackStep done{given - stream_.avail_in, out.size() - stream_.avail_out,
                        status == BZ_STREAM_END && !is_full};
    in_stream_ += done.read;
    if (status == BZ_STREAM_END && is_full) {
      BZ2_bzCompressEnd(&stream_);
      begin();
    }
    return done;
  }

 private:
  void begin() {
    constexpr int kBlock = 9;  // 900 KB, as the program's
    stream_ = {};
    in_stream_ = 0;
    if (BZ2_bzCompressInit(&stream_, kBlock, 0, 0) != BZ_OK) throw no_memory_for("bzip2");
  }

  bz_stream stream_{};
  std::size_t in_stream_ = 0;  ///< bytes of the text in this stream
};

class Xz {
 public:
  Xz() {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) {
      throw no_memory_for("xz");
    }
  }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;
  ~Xz() { lzma_end(&stream_); }

  PackStep step(std::string_view in, bool ends, std::vector<char>& out) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, ends ? LZMA_FINISH : LZMA_RUN);
    if (status == LZMA_MEM_ERROR) throw no_memory_for("xz");
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out,
            status == LZMA_STREAM_END};
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Zstd {
 public:
  /// `size`: length of the text in bytes.
  explicit Zstd(std::uint64_t size) : stream_(ZSTD_createCCtx()) {
    if (stream_ == nullptr) throw no_memory_for("zstd");
    ZSTD_CCtx_setPledgedSrcSize(stream_, size);
  }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  ~Zstd() { ZSTD_freeCCtx(stream_); }

  PackStep step(std::string_view in, bool ends, std::vector<char>& out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(stream_, &output, &input, ends ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) throw no_memory_for("zstd");
    return {input.pos, output.pos, ends && left == 0};
  }

 private:
  ZSTD_CCtx* stream_;
};

template <class Encoder>
void pack_all(Encoder&& encoder, const TextWriter& write, const ByteTaker& taker) {
  std::vector<char> chunk(kPackedBytes);
  const auto step = [&](std::string_view& text, bool ends) {
    const PackStep done = encoder.step(text, ends, chunk);
    if (done.written > 0) taker(std::string_view(chunk.data(), done.written));
    text.remove_prefix(done.read);
    return done.is_ended;
  };
  hand_on(write, [&](std::string_view part) {
    while (!part.empty()) step(part, false);
  });
  std::string_view nothing;
  while (!step(nothing, true)) {
  }
}

std::uint64_t size_of(const TextWriter& write) {
  std::uint64_t bytes = 0;
  hand_on(write, [&](std::string_view part) { bytes += part.size(); });
  return bytes;
}

}  // namespace

void pack(Packing packing, const TextWriter& write, const ByteTaker& taker) {
  switch (packing) {
    case Packing::none:
      return hand_on(write, taker);
    case Packing::gzip:
      return pack_all(Gzip(), write, taker);
    case Packing::bzip2:
      return pack_all(Bzip2(), write, taker);
    case Packing::xz:
      return pack_all(Xz(), write, taker);
    case Packing::zstd:
      return pack_all(Zstd(size_of(write)), write, taker);
  }
  throw Error(ErrorKind::internal, "a packing without a writer");
}

std::string pack(Packing packing, std::string_view text) {
  std::string packed;
  pack(
      packing, [&](TextSink& out) { out << text; }, [&](std::string_view part) { packed += part; });
  return packed;
}

}  // namespace accord
