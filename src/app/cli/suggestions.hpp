// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// The word of a list that another one was probably meant to be: the nearest within one letter
/// added, left out, replaced or swapped with its neighbour (two, of words of five letters and
/// more). Empty if none is as near, or if the word itself is in the list.
std::string meant_word(const std::string& word, const std::vector<std::string>& words);

/// The longest word of a list, of three letters or more, that another one begins with or has
/// between its hyphens, such as "out" of "output" and "tree" of "guide-tree". Empty if there is
/// none.
std::string contained_word(const std::string& word, const std::vector<std::string>& words);

}  // namespace accord
