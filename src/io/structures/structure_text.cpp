// SPDX-License-Identifier: Apache-2.0
#include "io/structures/structure_text.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/structures/pdb_atoms.hpp"

namespace accord {
bool looks_like_pdb(std::string_view text) {
  constexpr std::array<std::string_view, 26> kFirst = {
      "header", "obslte", "title",  "split",  "caveat", "compnd", "source", "keywds", "expdta",
      "nummdl", "mdltyp", "author", "revdat", "jrnl",   "remark", "dbref",  "seqres", "helix",
      "sheet",  "ssbond", "cryst1", "model",  "atom",   "hetatm", "parent", "pfrmat"};
  LineReader lines(text);
  while (lines.next() && is_blank(lines.line())) {
  }
  const std::string first = lower_case(trimmed(lines.line().substr(0, 6)));
  const bool has_first = std::ranges::find(kFirst, first) != kFirst.end();
  do {
    // Behind another first record, of a program, it must be right.
    if (has_first ? is_pdb_record_of_atom(lines.line()) : is_pdb_atom(lines.line())) return true;
  } while (lines.next());
  return false;
}

bool looks_like_mmcif(std::string_view text) {
  LineReader lines(text);
  while (lines.next() && (is_blank(lines.line()) || lines.line().starts_with('#'))) {
  }
  std::string_view line = lines.line();
  return lower_case(take_word(line)).starts_with("data_") && is_blank(line);
}

}  // namespace accord
