// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/system.hpp"

namespace accord::testing {

/// A new directory under the temporary directory, removed with its content at the end.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    const std::string start = "accord-" + std::to_string(process_id()) + "-";
    for (int k = 0; directory_.empty() || !std::filesystem::create_directory(directory_); ++k) {
      directory_ = std::filesystem::temp_directory_path() / (start + std::to_string(k));
    }
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  /// The path of a file in the directory, whether it exists or not; with "/" on every system.
  std::string path(const std::string& name) const { return (directory_ / name).generic_string(); }

  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((directory_ / name).parent_path());
    std::ofstream file(directory_ / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

  /// Names of everything in the directory.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path directory_;
};

/// The bytes of a file.
inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The Error that a call throws; one of kind internal if it throws none.
template <class F>
Error error_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::internal, "nothing was thrown"};
}

/// Collects the warnings logged during its life.
class WarningCatcher {
 public:
  WarningCatcher() : first_(logged_warnings().size()) {}
  WarningCatcher(const WarningCatcher&) = delete;
  WarningCatcher& operator=(const WarningCatcher&) = delete;

  std::vector<std::string> warnings() const {
    const std::vector<std::string> all = logged_warnings();
    return {all.begin() + static_cast<std::ptrdiff_t>(first_), all.end()};
  }

 private:
  std::size_t first_;
};

}  // namespace accord::testing
