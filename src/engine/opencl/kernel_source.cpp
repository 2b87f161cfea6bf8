// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/kernel_source.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "io/files/text_input.hpp"

namespace accord::ocl {
namespace {

std::string embedded_text(std::string_view name) {
  const auto files = kernel_files();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const KernelFile& other) { return other.name == name; });
  if (file == files.end()) {
    throw Error(ErrorKind::internal, "kernel file " + std::string(name) + ": not in this program");
  }
  return std::string(file->text);
}

std::string file_text(std::string_view name, const std::string& directory) {
  const std::string path = joined_path(directory, name);
  return directory.empty() || !path_exists(path) ? embedded_text(name) : read_bytes(path);
}

/// The file that a line includes; empty if it is no `#include "..."`.
std::string_view included_file(std::string_view line) {
  constexpr std::string_view kInclude = "#include \"";
  if (!line.starts_with(kInclude)) return {};
  line.remove_prefix(kInclude.size());
  return line.substr(0, line.find('"'));
}

/// A `#line` mark: in messages, the next line has this number and file.
std::string line_mark(std::size_t number, std::string_view name) {
  return "#line " + std::to_string(number) + " \"kernels/" + std::string(name) + "\"\n";
}

void append(const std::string& name, const std::string& directory, std::set<std::string>& seen,
            std::string& out) {
  if (!seen.insert(name).second) return;
  const std::string all = file_text(name, directory);
  std::string_view text = all;
  out += line_mark(1, name);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    const std::string_view included = included_file(line);
    if (included.empty()) {
      out += line;
    } else {
      append(std::string(included), directory, seen, out);
      out += line_mark(number + 1, name);
    }
  }
}

}  // namespace

void check_kernel_directory(const std::string& directory) {
  for (const KernelFile& file : kernel_files()) {
    if (path_exists(joined_path(directory, file.name))) return;
  }
  const char* problem =
      is_directory(directory) ? ": has no kernel file of accord" : ": is not a directory";
  throw Error(ErrorKind::no_input, directory + problem,
              "{kernel-dir} takes a directory like kernels/ of the source: its files replace the "
              "built-in ones");
}

std::string expanded_source(std::string_view file, const std::string& directory) {
  std::set<std::string> seen;
  std::string out;
  append(std::string(file), directory, seen, out);
  return out;
}

std::string with_kernel_places(const std::string& messages, std::string_view expanded) {
  const std::regex whole_text("<kernel>:([0-9]{1,7})"), mark("#line ([0-9]+) \"([^\"]+)\"");
  std::vector<std::string> places;  // of each line of the text, from the first on
  std::istringstream text{std::string(expanded)};
  std::string file = "<kernel>";
  std::size_t number = 0;
  std::smatch found;
  for (std::string line; std::getline(text, line); ++number) {
    places.push_back(file + ":" + std::to_string(number));
    if (!std::regex_match(line, found, mark)) continue;
    file = found[2];
    number = std::stoul(found[1]) - 1;  // of the next line
  }
  std::string out;
  std::size_t end = 0;
  for (std::sregex_iterator at(messages.begin(), messages.end(), whole_text), none; at != none;
       ++at) {
    const std::size_t line = std::stoul((*at)[1]);
    out += messages.substr(end, static_cast<std::size_t>(at->position()) - end);
    out += line >= 1 && line <= places.size() ? places[line - 1] : at->str();
    end = static_cast<std::size_t>(at->position() + at->length());
  }
  return out + messages.substr(end);
}

}  // namespace accord::ocl
