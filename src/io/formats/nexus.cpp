// SPDX-License-Identifier: Apache-2.0
#include "format_texts.hpp"

namespace accord {
namespace {

/// A name as a NEXUS token: in single quotes if it has punctuation, quotes doubled.
std::string nexus_name(const std::string& name) {
  constexpr std::string_view kPunctuation = "()[]{}/\\,;:=*'\"`+-<>|&%$#@!~^?";
  if (name.find_first_of(kPunctuation) == name.npos) return name;
  std::string token = "'";
  for (char c : name) token += c == '\'' ? std::string("''") : std::string(1, c);
  return token + "'";
}

}  // namespace

std::string format_nexus(const AlignmentText& alignment) {
  const char* type = alignment.type == ResidueType::protein ? "protein"
                     : alignment.type == ResidueType::dna   ? "dna"
                                                            : "rna";
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const std::string& name : alignment.names) {
    names.push_back(nexus_name(name));
    width = std::max(width, names.back().size());
  }
  std::string text = "#NEXUS\n\nbegin data;\n  dimensions ntax=" + std::to_string(names.size()) +
                     " nchar=" + std::to_string(alignment.columns) +
                     ";\n  format datatype=" + type + " missing=? gap=-;\n  matrix\n";
  for (std::size_t r = 0; r < names.size(); ++r) {
    text += "    " + padded(names[r], width + 1) + alignment.rows[r] + "\n";
  }
  return text + "  ;\nend;\n";
}

}  // namespace accord
