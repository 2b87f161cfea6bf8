// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl/kernel_source.hpp"

#include <algorithm>
#include <set>

#include "accord/base/error.hpp"

namespace accord::ocl {
namespace {

std::string_view file_text(std::string_view name) {
  const auto files = kernel_files();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const KernelFile& other) { return other.name == name; });
  if (file == files.end()) {
    throw Error(ErrorKind::internal, "kernel file " + std::string(name) + ": not in this program");
  }
  return file->text;
}

/// The file that a line includes; empty if it is no `#include "..."`.
std::string_view included_file(std::string_view line) {
  constexpr std::string_view kInclude = "#include \"";
  if (!line.starts_with(kInclude)) return {};
  line.remove_prefix(kInclude.size());
  return line.substr(0, line.find('"'));
}

/// Makes messages about the next line name this one.
std::string line_mark(std::size_t number, std::string_view name) {
  return "#line " + std::to_string(number) + " \"kernels/" + std::string(name) + "\"\n";
}

void append(std::string_view name, std::set<std::string_view>& seen, std::string& out) {
  if (!seen.insert(name).second) return;
  std::string_view text = file_text(name);
  out += line_mark(1, name);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    const std::string_view included = included_file(line);
    if (included.empty()) {
      out += line;
    } else {
      append(included, seen, out);
      out += line_mark(number + 1, name);
    }
  }
}

}  // namespace

std::string expanded_source(std::string_view file) {
  std::set<std::string_view> seen;
  std::string out;
  append(file, seen, out);
  return out;
}

}  // namespace accord::ocl
