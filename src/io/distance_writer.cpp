// SPDX-License-Identifier: Apache-2.0
#include "accord/io/distance_writer.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "accord/io/plain_name.hpp"

namespace accord {

std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set) {
  constexpr int kDecimals = 6;
  constexpr std::size_t kNarrowest = 10;  // as in strict PHYLIP, so that short names work there
  std::vector<std::string> names;
  std::size_t name_width = kNarrowest;
  for (std::size_t k = 0; k < set.size(); ++k) {
    names.push_back(plain_name(set, k));
    name_width = std::max(name_width, names.back().size());
  }

  std::string text = std::to_string(set.size()) + "\n";
  for (std::size_t k = 0; k < set.size(); ++k) {
    text += names[k] + std::string(name_width - names[k].size(), ' ');
    for (std::size_t l = 0; l < set.size(); ++l) {
      char digits[64];
      const float distance = distances.at(set.from_input(k), set.from_input(l));
      const auto end = std::to_chars(digits, digits + sizeof digits, distance,
                                     std::chars_format::fixed, kDecimals);
      text += ' ';
      text.append(digits, end.ptr);
    }
    text += '\n';
  }
  return text;
}

}  // namespace accord
