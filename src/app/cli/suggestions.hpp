// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// The word of `words` that a user probably meant by `word`: the one with the fewest differences,
/// where a difference is a letter added, left out, replaced, or swapped with its neighbour. One
/// difference is allowed, and two if `word` has five letters or more. Empty if no word is as near,
/// if `word` itself is in the list, or if `word` has less than 2 or more than 40 letters.
std::string meant_word(const std::string& word, const std::vector<std::string>& words);

/// The longest of `words`, of three letters or more, with which `word` begins or which it has
/// between hyphens, such as "out" in "output" and "tree" in "guide-tree". Empty if there is none.
std::string contained_word(const std::string& word, const std::vector<std::string>& words);

}  // namespace accord
