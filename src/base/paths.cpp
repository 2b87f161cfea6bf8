// SPDX-License-Identifier: Apache-2.0
#include "base/paths.hpp"

#include "accord/base/error.hpp"

namespace accord {

namespace fs = std::filesystem;

fs::path path_of_text(std::string_view text) {
  try {
    return {std::u8string(text.begin(), text.end())};
  } catch (const fs::filesystem_error&) {
    throw Error(ErrorKind::no_input,
                "no file can have the name '" + std::string(text) + "', which is not UTF-8",
                "save the list that names it in UTF-8");
  }
}

std::string text_of_path(const fs::path& path) {
  const std::u8string text = path.generic_u8string();
  return {text.begin(), text.end()};
}

bool path_exists(const std::string& path) {
  std::error_code unknown;
  return fs::exists(path_of_text(path), unknown);
}

bool is_directory(const std::string& path) {
  std::error_code unknown;
  return fs::is_directory(path_of_text(path), unknown);
}

std::optional<std::uintmax_t> file_size(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path_of_text(path), error);
  if (error) return std::nullopt;
  return bytes;
}

std::string joined_path(const std::string& directory, std::string_view name) {
  return text_of_path(path_of_text(directory) / path_of_text(name));
}

std::string parent_path(const std::string& path) {
  return text_of_path(path_of_text(path).parent_path());
}

std::string file_name(std::string_view path) { return text_of_path(path_of_text(path).filename()); }

std::string file_stem(std::string_view path) { return text_of_path(path_of_text(path).stem()); }

std::string with_suffix(const std::string& path, const std::string& suffix) {
  return text_of_path(path_of_text(path).replace_extension(path_of_text(suffix)));
}

std::string relative_path(const std::string& path, const std::string& directory) {
  return text_of_path(path_of_text(path).lexically_relative(path_of_text(directory)));
}

std::string resolved_path(const std::string& path) {
  std::error_code error;
  fs::path place = fs::absolute(path_of_text(path), error);
  // What does not exist has no links, but "new/../link/file" has one behind it, which the second
  // pass finds.
  for (int pass = 0; pass < 2; ++pass) {
    const fs::path canonical = fs::weakly_canonical(place, error);
    place = error ? place.lexically_normal() : canonical;
  }
  return text_of_path(place);
}

std::string existing_part(const std::string& path) {
  std::error_code error;
  fs::path part = fs::absolute(path_of_text(path), error);
  while (!error && !fs::exists(part, error) && part.has_relative_path()) part = part.parent_path();
  return error ? std::string() : text_of_path(part);
}

std::optional<std::string> link_target(const std::string& path) {
  std::error_code error;
  const fs::path link = path_of_text(path), target = fs::read_symlink(link, error);
  if (error) return std::nullopt;
  return text_of_path(link.parent_path() / target);
}

std::vector<DirectoryEntry> directory_entries(const std::string& path, std::error_code& error) {
  std::vector<DirectoryEntry> entries;
  fs::directory_iterator at(path_of_text(path), error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    // Most systems say with the name whether it is a file or a directory.
    const bool is_directory = at->is_directory(unknown);
    const bool is_special = !is_directory && !at->is_regular_file(unknown) && at->exists(unknown);
    entries.push_back(
        {text_of_path(at->path()), text_of_path(at->path().filename()), is_directory, is_special});
  }
  return entries;
}

std::error_code make_directories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path_of_text(path), error);
  return error;
}

void remove_path(const std::string& path) {
  std::error_code ignored;
  fs::remove(path_of_text(path), ignored);
}

std::error_code rename_path(const std::string& path, const std::string& target) {
  std::error_code error;
  fs::rename(path_of_text(path), path_of_text(target), error);
  return error;
}

}  // namespace accord
