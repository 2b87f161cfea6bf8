// SPDX-License-Identifier: Apache-2.0
#include "run/batch/outputs_inside.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

/// Whether a name leads out of the directory that it is put into: an absolute path, or one that
/// goes up by "..".
bool leads_outside(const std::string& name) {
  constexpr std::string_view kInside = "d/";
  const std::string joined = joined_path("d", name);
  if (!joined.starts_with(kInside)) return true;
  std::ptrdiff_t depth = 0;
  for (const std::string_view part : split(std::string_view(joined).substr(kInside.size()), '/')) {
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
  }
  return false;
}

}  // namespace

void check_outputs_inside(const std::vector<BatchFamily>& families) {
  for (const BatchFamily& family : families) {
    const bool is_listed = !family.listed_output.empty();
    const std::string& name = is_listed ? family.listed_output : family.id;
    if (!leads_outside(name)) continue;
    throw Error(ErrorKind::bad_input,
                "the alignment of the family " + family.id + " would be written to " + name +
                    ", outside the directory -O",
                "{allow-outside} writes it there, if you trust the manifest");
  }
}

}  // namespace accord
