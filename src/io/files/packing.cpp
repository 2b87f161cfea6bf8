// SPDX-License-Identifier: Apache-2.0
#include "io/files/packing.hpp"

#define ZLIB_CONST  // makes the input of zlib const
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <vector>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/reading_memory.hpp"

namespace accord {
namespace {

constexpr std::size_t kUnpackedBytes = std::size_t{1} << 18;
constexpr int kGzipOnly = 15 + 16;                           // largest window, gzip header
constexpr std::size_t kMostToUnpack = std::size_t{1} << 30;  // zlib and bzip2 count in 32 bits

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
  return Error(ErrorKind::out_of_memory, "no memory to " + what,
               "use a machine with more memory, or unpack it there");
}

/// The progress of one step of a decoder.
struct UnpackStep {
  enum class Status { more, ended, corrupt, no_memory, wide_window } status;
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

  UnpackStep step(std::string_view in, std::vector<char>& out) {
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    return {status == Z_STREAM_END                    ? UnpackStep::Status::ended
            : status == Z_MEM_ERROR                   ? UnpackStep::Status::no_memory
            : status == Z_OK || status == Z_BUF_ERROR ? UnpackStep::Status::more
                                                      : UnpackStep::Status::corrupt,
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

  UnpackStep step(std::string_view in, std::vector<char>& out) {
    stream_.next_in = const_cast<char*>(in.data());  // the library does not write to it
    stream_.avail_in = static_cast<unsigned>(in.size());
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const int status = BZ2_bzDecompress(&stream_);
    return {status == BZ_STREAM_END  ? UnpackStep::Status::ended
            : status == BZ_OK        ? UnpackStep::Status::more
            : status == BZ_MEM_ERROR ? UnpackStep::Status::no_memory
                                     : UnpackStep::Status::corrupt,
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

  UnpackStep step(std::string_view in, std::vector<char>& out) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    return {status == LZMA_STREAM_END                       ? UnpackStep::Status::ended
            : status == LZMA_OK || status == LZMA_BUF_ERROR ? UnpackStep::Status::more
            : status == LZMA_MEM_ERROR                      ? UnpackStep::Status::no_memory
                                                            : UnpackStep::Status::corrupt,
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
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, widest_window());
  }
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;
  ~Unzstd() { ZSTD_freeDStream(stream_); }

  UnpackStep step(std::string_view in, std::vector<char>& out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &output, &input);
    return {ZSTD_isError(status) != 0 ? status_of(ZSTD_getErrorCode(status))
            : status == 0             ? UnpackStep::Status::ended
                                      : UnpackStep::Status::more,
            input.pos, output.pos};
  }
  void restart() { ZSTD_initDStream(stream_); }

  /// Binary logarithm of the widest window of a frame: that of the library, or, for frames of 'zstd
  /// --long=31', as much as reading may take.
  static int widest_window() {
    constexpr int kUsual = 27;
    const int most = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound;
    const auto fits = static_cast<int>(std::bit_width(reading_limit())) - 1;
    return std::clamp(fits, kUsual, most);
  }

  static UnpackStep::Status status_of(ZSTD_ErrorCode code) {
    return code == ZSTD_error_frameParameter_windowTooLarge ? UnpackStep::Status::wide_window
           : code == ZSTD_error_memory_allocation           ? UnpackStep::Status::no_memory
                                                            : UnpackStep::Status::corrupt;
  }

 private:
  ZSTD_DStream* stream_;
};

/// The window of a frame of zstd, in bytes.
std::uint64_t window_of(std::string_view frame) {
  constexpr std::size_t kDescriptor = 4, kWindow = 5;  // places of bytes, behind the magic bytes
  if (frame.size() <= kWindow) return 0;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(frame[at]); };
  const bool is_whole_text = (byte(kDescriptor) & 0x20) != 0;
  if (is_whole_text) return ZSTD_getFrameContentSize(frame.data(), frame.size());
  const std::uint64_t base = std::uint64_t{1} << (10 + (byte(kWindow) >> 3));
  return base + base / 8 * (byte(kWindow) & 7);
}

Error wide_window(std::string_view frame, const std::string& label) {
  return Error(ErrorKind::out_of_memory,
               "OutOfMemory: " + label + ": packed by zstd with a window of " +
                   format_bytes(static_cast<double>(window_of(frame))) + "; the limit is " +
                   format_bytes(static_cast<double>(reading_limit())),
               "raise {memory}, or unpack it first with the option long=31 of zstd");
}

template <class Decoder>
void unpack_all(std::string_view packed, const std::string& label, const std::string& name,
                const ByteTaker& taker) {
  const auto damaged = [&](const std::string& what) {
    return Error(ErrorKind::bad_input, label + ": " + what,
                 "the file is truncated or damaged: fetch or pack it again");
  };
  Decoder decoder;
  std::vector<char> chunk(kUnpackedBytes);
  std::string_view stream = packed;  // the current one, and those behind it
  while (true) {
    const UnpackStep step = decoder.step(packed.substr(0, kMostToUnpack), chunk);
    packed.remove_prefix(step.read);
    if (step.written > 0) taker(std::string_view(chunk.data(), step.written));
    if (step.status == UnpackStep::Status::no_memory) throw no_memory("unpack " + label);
    if (step.status == UnpackStep::Status::wide_window) throw wide_window(stream, label);
    if (step.status == UnpackStep::Status::corrupt) throw damaged("corrupt " + name + " data");
    if (step.status == UnpackStep::Status::ended) {
      // tar and tape tools pad with zeros; all other bytes must be another stream.
      if (packed.find_first_not_of('\0') == packed.npos) return;
      decoder.restart();
      stream = packed;
    } else if (step.read == 0 && step.written == 0) {
      throw damaged("the " + name + " data end too early");
    }
  }
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
    // The magic bytes of bzip2 are letters, which could begin a text. They are followed by a digit
    // and the digits of pi, or, in an empty stream, of its square root.
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

void unpack(Packing packing, std::string_view packed, const std::string& label,
            const ByteTaker& taker) {
  switch (packing) {
    case Packing::none:
      return taker(packed);
    case Packing::gzip:
      return unpack_all<Gunzip>(packed, label, "gzip", taker);
    case Packing::bzip2:
      return unpack_all<Bunzip2>(packed, label, "bzip2", taker);
    case Packing::xz:
      return unpack_all<Unxz>(packed, label, "xz", taker);
    case Packing::zstd:
      return unpack_all<Unzstd>(packed, label, "zstd", taker);
  }
  throw Error(ErrorKind::internal, "a packing without a reader");
}

std::string unpack(Packing packing, std::string_view packed, const std::string& label) {
  std::string text;
  unpack(packing, packed, label, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace accord
