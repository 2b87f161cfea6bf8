// SPDX-License-Identifier: Apache-2.0
#include "base/packages.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

namespace accord {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// The words of the lines ID and ID_LIKE of an os-release file, such as "linuxmint ubuntu debian".
std::vector<std::string> system_names(std::string_view os_release) {
  std::vector<std::string> names;
  for (const char* key : {"ID=", "ID_LIKE="}) {
    for (std::string line : split(os_release, '\n')) {
      if (!line.starts_with(key)) continue;
      line.erase(0, std::string_view(key).size());
      std::erase_if(line, [](char c) { return c == '"' || c == '\'' || c == '\r'; });
      for (std::string& name : split(line, ' ')) names.push_back(std::move(name));
    }
  }
  return names;
}

/// Whether the program of this process lies below $CONDA_PREFIX.
bool is_in_conda() {
  const char* prefix = std::getenv("CONDA_PREFIX");
  if (prefix == nullptr || *prefix == '\0') return false;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path directory = fs::weakly_canonical(prefix, error);
  return !error &&
         std::mismatch(directory.begin(), directory.end(), program.begin(), program.end()).first ==
             directory.end();
}

}  // namespace

std::string packages_column(std::string_view os_release, bool is_in_conda) {
  if (is_in_conda) return "conda";
  constexpr std::array<std::pair<const char*, const char*>, 6> kColumns = {{{"debian", "debian"},
                                                                            {"ubuntu", "debian"},
                                                                            {"fedora", "fedora"},
                                                                            {"rhel", "fedora"},
                                                                            {"centos", "fedora"},
                                                                            {"arch", "arch"}}};
  for (const std::string& name : system_names(os_release)) {
    for (const auto& [system, column] : kColumns) {
      if (name == system) return column;
    }
  }
  return "words";
}

std::string install_command(std::string_view key, std::string_view column) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kCommands = {
      {{"debian", "apt-get install "},
       {"fedora", "dnf install "},
       {"arch", "pacman -S "},
       {"conda", "conda install -c conda-forge "},
       {"words", ""}}};
  std::vector<std::string> header;
  for (const std::string& line : split(packages_table(), '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> cells = split(line, '\t');
    if (header.empty()) header = cells;
    if (cells.front() != key) continue;
    const auto at = std::find(header.begin(), header.end(), column) - header.begin();
    const auto* const command =
        std::find_if(kCommands.begin(), kCommands.end(),
                     [&](const auto& known) { return known.first == column; });
    return command->second + cells.at(static_cast<std::size_t>(at));
  }
  return std::string(key);
}

std::string install_command(std::string_view key) {
  std::ifstream file("/etc/os-release");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return install_command(key, packages_column(text, is_in_conda()));
}

}  // namespace accord
