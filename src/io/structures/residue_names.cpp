// SPDX-License-Identifier: Apache-2.0
// Includes gemmi, and is C++17 for it: headers of gemmi 0.5 are not C++20 for clang.
#include "io/structures/residue_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <gemmi/resinfo.hpp>
#include <string>

namespace accord {
namespace {

/// Names that have the same letter, with blanks between them and at both ends.
struct NamesOfLetter {
  char letter;
  std::string_view names;
};

// Names of force fields and of programs. Some are other compounds in the Chemical Component
// Dictionary (HSE, CYN, TYM), but these are seldom seen in a chain.
constexpr std::array<NamesOfLetter, 13> kForceFields = {{
    {'C', " CYX CYM CYN CYD CYT CYF CYZ CYH CYSH CYSS CYSX CYSN CYSM CYSD CYS1 CYS2 "},
    {'D', " ASH AS4 ASPH ASPP ASP1 "},
    {'E', " GLH GL4 GLUH GLUP GLU1 PGLU "},
    {'F', " PHEH PHEU "},
    {'H',
     " HID HIE HIP HIH HSD HSE HSP HSC HIN HISA HISB HISD HISE HISH HISP HIS1 HIS2 "
     "H1D H1E H2D H2E "},
    {'K', " LYN LYP LYD LYH LSN LYSH LYSN LYSP "},
    {'N', " ASN1 "},
    {'Q', " QLN "},
    {'R', " ARN ARGN ARGP "},
    {'S', " SRO SERD S1P "},
    {'T', " THO T1P "},
    {'W', " TRPH TRPU "},
    {'Y', " TYM TYD TYO TYRU TYRH TYRD Y1P "},
}};

// Groups at the ends of chains, which have parts of a backbone.
constexpr std::string_view kCaps = " ACE NME NMA NAC NHE NH2 CT3 FOR ";

/// The meaning of a name in capitals, without the letter of an end of a chain.
ResidueName plain_name(const std::string& name) {
  for (const NamesOfLetter& entry : kForceFields) {
    if (entry.names.find(' ' + name + ' ') != entry.names.npos) {
      return {CompoundKind::amino_acid, entry.letter};
    }
  }
  if (kCaps.find(' ' + name + ' ') != kCaps.npos) return {CompoundKind::other, 'X'};
  const auto& known = gemmi::find_tabulated_residue(name);
  if (known.is_water()) return {CompoundKind::water, 'X'};
  if (known.is_nucleic_acid()) return {CompoundKind::nucleotide, 'X'};
  if (!known.is_amino_acid()) {
    return {known.found() ? CompoundKind::other : CompoundKind::unknown, 'X'};
  }
  const auto code = static_cast<unsigned char>(known.one_letter_code);  // lower case: modified
  return {known.is_standard() ? CompoundKind::amino_acid : CompoundKind::modified,
          std::isalpha(code) ? static_cast<char>(std::toupper(code)) : 'X'};
}

}  // namespace

ResidueName residue_name(std::string_view name) {
  constexpr std::size_t kPlain = 3;
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const ResidueName found = plain_name(upper);
  const bool may_have_end =
      upper.size() > kPlain && std::string_view("NCD").find(upper[0]) < kPlain;
  if (found.kind != CompoundKind::unknown || !may_have_end) return found;
  const ResidueName plain = plain_name(upper.substr(1));  // NMET, CHIE; DLEU, a mirror image
  return is_amino_acid(plain.kind) ? plain : found;
}

}  // namespace accord
