// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// The word of `words` that a user probably meant by `word`: the one with the fewest differences,
/// where a difference is a letter added, left out, replaced, or swapped with its neighbour. One
/// difference is allowed, and two if `word` has five letters or more. Empty if all words have more
/// differences, if `word` itself is in the list, or if `word` has less than 2 or more than 40
/// letters.
std::string meant_word(const std::string& word, const std::vector<std::string>& words);

/// The longest of `words` that is a part of `word`: its beginning, such as "out" in "output", or a
/// whole part between hyphens, such as "tree" in "guide-tree". Words of less than three letters are
/// left out. Empty if there is none.
std::string contained_word(const std::string& word, const std::vector<std::string>& words);

}  // namespace accord
