// SPDX-License-Identifier: Apache-2.0
// Paths of files as text: in UTF-8, with '/' between names, on every system. std::filesystem is
// called here and in other files of base/ alone, since on Windows it takes text for another
// encoding (path_of_text).
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace accord {

/// The path that a text in UTF-8 names. std::filesystem::path itself takes each byte of a text for
/// a letter on Windows (GCC 12).
/// Throws  Error{no_input}, on Windows alone, if the text is not UTF-8.
std::filesystem::path path_of_text(std::string_view text);

/// The text of a path, in UTF-8.
std::string text_of_path(const std::filesystem::path& path);

/// Whether there is a file or directory; false if that is unknown, too.
bool path_exists(const std::string& path);

/// Whether a path names a directory, with links followed; false if that is unknown, too.
bool is_directory(const std::string& path);

/// The bytes of a file; none if they are unknown.
std::optional<std::uintmax_t> file_size(const std::string& path);

/// The path of a file in a directory. An absolute `name` is the path itself.
std::string joined_path(const std::string& directory, std::string_view name);

/// The path without its last name; empty if it has one name alone.
std::string parent_path(const std::string& path);

/// The last name of a path; empty if the path ends with '/'.
std::string file_name(std::string_view path);

/// The last name of a path without what follows its last '.'.
std::string file_stem(std::string_view path);

/// The path with `suffix` in place of what follows the last '.' of its last name.
std::string with_suffix(const std::string& path, const std::string& suffix);

/// The path as it is from a directory; neither need exist, and no link is followed.
std::string relative_path(const std::string& path, const std::string& directory);

/// The absolute path without links, "." and "..", as far as the path exists.
std::string resolved_path(const std::string& path);

/// The nearest directory above a path, or the path itself, that exists; empty if none is known.
std::string existing_part(const std::string& path);

/// What a symbolic link names, as seen from where the link's own path begins; none if the path is
/// no link.
std::optional<std::string> link_target(const std::string& path);

/// A file or directory in a directory.
struct DirectoryEntry {
  std::string path, name;
  bool is_directory = false;
  bool is_special = false;  ///< neither a file nor a directory nor a broken link
};

/// What is in a directory, in no order. If it cannot be read to its end, `error` says why, and the
/// entries before are returned.
std::vector<DirectoryEntry> directory_entries(const std::string& path, std::error_code& error);

/// Makes a directory and those above it, as far as they do not exist.
std::error_code make_directories(const std::string& path);

/// Removes a file or an empty directory. Does nothing if that is not possible.
void remove_path(const std::string& path);

/// Gives a file another path, replacing a file that has it.
std::error_code rename_path(const std::string& path, const std::string& target);

}  // namespace accord
