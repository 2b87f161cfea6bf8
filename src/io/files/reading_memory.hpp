// SPDX-License-Identifier: Apache-2.0
// The memory that inputs may take while they are read. A few bytes of a packed file, or of a format
// without gaps, can stand for more text than a machine has memory. So readers count bytes before
// they take them, and refuse an input that exceeds the limit.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace accord {

/// Sets the memory in bytes that reading may take in this process, where no ReadingScope has a
/// limit of its own. Without a value it is half of memory_limit().
void set_reading_limit(std::optional<std::size_t> bytes);

/// The memory in bytes that the calling thread may take for reading.
std::size_t reading_limit();

/// Adds up the memory of all inputs that the calling thread reads while this object exists. Outside
/// any scope, each input is compared with the limit alone. Scopes may be nested: at its end, an
/// inner scope gives back what was counted in it.
class ReadingScope {
 public:
  /// `limit`: bytes; if it is not set, the limit is that of the outer scope or of the process.
  explicit ReadingScope(std::optional<std::size_t> limit = {});
  ~ReadingScope();
  ReadingScope(const ReadingScope&) = delete;
  ReadingScope& operator=(const ReadingScope&) = delete;

 private:
  bool is_counting_before_;
  std::optional<std::size_t> limit_before_;
  std::size_t held_before_;
};

/// Holds the memory of a part of an input, such as its text, as long as this object exists.
class ReadingHold {
 public:
  /// Throws  as check_reading.
  ReadingHold(std::size_t bytes, const std::string& label, const std::string& what);
  ~ReadingHold();
  ReadingHold(const ReadingHold&) = delete;
  ReadingHold& operator=(const ReadingHold&) = delete;

 private:
  std::size_t bytes_;
};

/// Throws if an input would take `bytes` more bytes than are held, and the sum is more than the
/// limit. `label` names the input, and `what`, in the plural, the part of it that takes the memory.
/// Throws  Error{out_of_memory}
void check_reading(std::size_t bytes, const std::string& label, const std::string& what);

/// Does the same, and holds the bytes until the end of the scope.
/// Throws  Error{out_of_memory}
void count_reading(std::size_t bytes, const std::string& label, const std::string& what);

}  // namespace accord
