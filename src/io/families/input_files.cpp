// SPDX-License-Identifier: Apache-2.0
#include "io/families/input_files.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

/// The files of a folder, sorted.
struct Folder {
  std::vector<std::string> structures;
  std::vector<std::string> others;
};

/// The files of a folder; none if the path is no folder.
/// Throws  Error{no_input} if the folder cannot be read to its end.
Folder folder_of(const std::string& path) {
  Folder folder;
  if (!is_directory(path)) return folder;
  std::error_code error;
  for (const DirectoryEntry& entry : directory_entries(path, error)) {
    if (entry.name.starts_with('.') || entry.is_directory) continue;
    if (is_structure_path(entry.name)) {
      folder.structures.push_back(entry.path);
    } else {
      folder.others.push_back(entry.name);
    }
  }
  if (error) {
    throw Error(ErrorKind::no_input, "cannot read the folder " + path + ": " + error.message(),
                "check the permissions of the folder");
  }
  std::ranges::sort(folder.structures);
  std::ranges::sort(folder.others);
  return folder;
}

/// The file and the chains of an input FILE:A,B; the whole text as a file if it is no such input.
InputFile file_of(const std::string& input) {
  const std::size_t colon = input.rfind(':');
  if (colon == input.npos || path_exists(input)) return {input, input, {}};
  InputFile file{input, input.substr(0, colon), {}};
  if (!path_exists(file.path)) return {input, input, {}};
  for (const std::string_view chain : split(std::string_view(input).substr(colon + 1), ',')) {
    file.chains.emplace_back(chain);
  }
  return file;
}

}  // namespace

std::vector<InputFile> files_of_inputs(const std::vector<std::string>& inputs) {
  std::vector<InputFile> files;
  for (const std::string& input : inputs) {
    const Folder folder = folder_of(input);
    for (const std::string& path : folder.structures) files.push_back({path, path, {}});
    if (folder.structures.empty()) files.push_back(file_of(input));
  }
  return files;
}

bool is_structure_path(const std::string& path) {
  const std::optional<AlignmentFormat> format = format_of_suffix(path);
  return format && is_structure(*format);
}

bool is_structure_folder(const std::string& path) { return !folder_of(path).structures.empty(); }

void warn_of_other_files(const std::vector<std::string>& inputs) {
  constexpr std::size_t kShown = 3;
  for (const std::string& input : inputs) {
    const Folder folder = folder_of(input);
    if (folder.structures.empty() || folder.others.empty()) continue;
    std::string names;
    for (std::size_t k = 0; k < std::min(kShown, folder.others.size()); ++k) {
      names += (k > 0 ? ", " : "") + quote(folder.others[k]);
    }
    if (folder.others.size() > kShown) names += ", ...";
    log_warning(input + ": " +
                    counted(folder.others.size(), "file is no structure and is",
                            "files are no structures and are") +
                    " left out: " + names,
                "structures have the suffixes .pdb, .ent, .cif and .mmcif");
  }
}

}  // namespace accord
