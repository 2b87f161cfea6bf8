// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/disk_cache.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/temporary_file.hpp"
#include "base/text.hpp"
#include "base/text_hash.hpp"
#include "io/files/text_input.hpp"

namespace accord::ocl {
namespace {

// A file: magic, checksum of all that follows, length of the key, key, value. Numbers are in the
// byte order of the machine: a file from a machine with the other order has a wrong checksum.
constexpr std::string_view kMagic = "accord-cache-1\n";
constexpr std::size_t kHeader = kMagic.size() + 2 * sizeof(std::uint64_t);

void append_number(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::string path_of(const std::string& directory, std::string_view key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return joined_path(directory,
                     formatted("%016llx%016llx.bin", static_cast<unsigned long long>(hash.high64),
                               static_cast<unsigned long long>(hash.low64)));
}

/// The value in the bytes of a file; no value if the file is damaged or has another key.
std::optional<std::string> value_in(std::string_view bytes, std::string_view key) {
  if (bytes.size() < kHeader || !bytes.starts_with(kMagic)) return std::nullopt;
  const std::size_t sum_end = kMagic.size() + sizeof(std::uint64_t);
  if (number_at(bytes, kMagic.size()) != hash64(bytes.substr(sum_end))) return std::nullopt;
  const std::uint64_t key_size = number_at(bytes, sum_end);
  bytes.remove_prefix(kHeader);
  if (key_size != key.size() || !bytes.starts_with(key)) return std::nullopt;
  return std::string(bytes.substr(key.size()));
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::ptrdiff_t written = write_some(file, bytes);
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Writes a file beside the target and renames it, so that no process reads an incomplete file.
bool write_whole(const std::string& target, std::string_view bytes) {
  make_private_directory(parent_path(target));
  TemporaryFile part(target);
  return part.error() == 0 && write_all(part.descriptor(), bytes) &&
         close_descriptor(part.release()) == 0 && part.rename_to(target) == 0;
}

/// Whether the entries of a directory are this user's: drivers run them as code. Warns once if they
/// may be those of others.
bool is_trusted(const std::string& directory) {
  if (!others_may_write(directory)) return true;
  static std::atomic<bool> has_warned{false};
  if (!has_warned.exchange(true)) {
    log_warning("the cache of kernels " + directory +
                    " belongs to another user or can be written by others: not used",
                "chmod go-w closes a folder of yours, and ACCORD_CACHE_DIR names another one");
  }
  return false;
}

/// The directory of the entries; empty if there is none to be used.
std::string trusted_directory() {
  const std::string directory = cache_directory();
  return directory.empty() || is_trusted(directory) ? directory : std::string();
}

}  // namespace

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string cache_directory() {
  std::string chosen = environment("ACCORD_CACHE_DIR");
  if (chosen == "off") return {};
  if (!chosen.empty()) return chosen;
  const std::string all = environment("XDG_CACHE_HOME"), home = environment("HOME");
  if (!all.empty()) return joined_path(all, "accord");
  return home.empty() ? std::string() : joined_path(home, ".cache/accord");
}

std::optional<std::string> read_cache(std::string_view key) {
  const std::string directory = trusted_directory();
  if (directory.empty()) return std::nullopt;
  const std::string path = path_of(directory, key);
  if (!path_exists(path)) return std::nullopt;
  std::optional<std::string> value;
  try {
    value = value_in(read_bytes(path), key);
  } catch (const Error&) {  // the value stays empty
  }
  if (!value) log_verbose("cache        " + path + " is damaged: not used");
  return value;
}

void write_cache(std::string_view key, std::string_view value) {
  const std::string directory = trusted_directory();
  if (directory.empty()) return;
  std::string rest;
  append_number(rest, key.size());
  rest.append(key).append(value);
  std::string bytes(kMagic);
  append_number(bytes, hash64(rest));
  if (write_whole(path_of(directory, key), bytes + rest)) return;
  static std::atomic<bool> has_logged{false};
  if (!has_logged.exchange(true)) log_verbose("cache        " + directory + " cannot be written");
}

}  // namespace accord::ocl
