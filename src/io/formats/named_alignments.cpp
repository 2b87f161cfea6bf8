// SPDX-License-Identifier: Apache-2.0
#include "io/formats/named_alignments.hpp"

#include <algorithm>
#include <charconv>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/efa.hpp"

namespace accord {
namespace {

constexpr std::string_view kStockholmHeader = "# STOCKHOLM";

/// The name of an alignment of Stockholm; empty if it has none.
std::string name_of_stockholm(std::string_view text) {
  std::string accession;
  LineReader reader(text);
  while (reader.next()) {
    std::string_view line = trimmed(reader.line());
    if (!line.empty() && line[0] != '#') break;  // a row
    if (!line.starts_with("#=GF")) continue;
    take_word(line);
    const std::string_view tag = take_word(line);
    if (tag == "ID") return std::string(take_word(line));
    if (tag == "AC") accession = take_word(line);
  }
  return accession;
}

/// The places of the lines that begin alignments of Stockholm.
std::vector<std::size_t> stockholm_headers(std::string_view text) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(kStockholmHeader); at != text.npos;
       at = text.find(kStockholmHeader, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') places.push_back(at);
  }
  return places;
}

std::vector<NamedAlignment> stockholm_alignments(std::string_view text) {
  std::vector<NamedAlignment> alignments;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || text[first] != '#') return alignments;
  const std::vector<std::size_t> places = stockholm_headers(text);
  if (places.size() < 2) return alignments;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t begin = k == 0 ? 0 : places[k];
    const std::size_t end = k + 1 < places.size() ? places[k + 1] : text.size();
    const std::string_view part = text.substr(begin, end - begin);
    const std::string name = name_of_stockholm(part);
    alignments.push_back({name.empty() ? std::to_string(k + 1) : name, part});
  }
  return alignments;
}

/// The place of the alignment of a name or a number; the number of alignments if there is none.
std::size_t place_of(const std::vector<NamedAlignment>& alignments, const std::string& name) {
  const auto named = std::ranges::find(alignments, name, &NamedAlignment::name);
  if (named != alignments.end()) return static_cast<std::size_t>(named - alignments.begin());
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, number);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && number >= 1;
  return is_number ? std::min(number - 1, alignments.size()) : alignments.size();
}

}  // namespace

std::vector<NamedAlignment> alignments_in(std::string_view text) {
  std::vector<NamedAlignment> alignments;
  for (const EfaReplicate& replicate : efa_replicates(text)) {
    alignments.push_back({std::string(replicate.name), replicate.rows});
  }
  return alignments.empty() ? stockholm_alignments(text) : alignments;
}

std::string counted_names(const std::vector<NamedAlignment>& alignments) {
  constexpr std::size_t kShown = 3;
  std::string names;
  for (std::size_t k = 0; k < std::min(kShown, alignments.size()); ++k) {
    (names += k > 0 ? ", " : "").append(alignments[k].name);
  }
  return counted(alignments.size(), "alignment") + " (" + names +
         (alignments.size() > kShown ? ", ...)" : ")");
}

LabelledText text_of_alignment(std::string_view text, const std::string& label,
                               const std::string& name) {
  const std::vector<NamedAlignment> alignments = alignments_in(text);
  if (alignments.empty()) {
    if (name.empty()) return {label, text};
    throw Error(ErrorKind::bad_input, label + ": one alignment, not several in one file",
                "leave out {replicate}");
  }
  const std::string what = label + ": a file with " + counted_names(alignments);
  if (name.empty() && alignments.size() > 1) {
    throw Error(ErrorKind::bad_input, what,
                "'accord convert --replicate NAME' takes one of them, 'accord view' shows all");
  }
  const std::size_t found = name.empty() ? 0 : place_of(alignments, name);
  if (found == alignments.size()) {
    throw Error(ErrorKind::bad_input, what + ", none is named " + quote(name),
                "names stand behind '<' in EFA, and behind '#=GF ID' in Stockholm");
  }
  if (!name.empty() && std::ranges::count(alignments, name, &NamedAlignment::name) > 1) {
    throw Error(ErrorKind::bad_input, what + ", several are named " + quote(name),
                "give its number, from 1");
  }
  return {label + ":" + alignments[found].name, alignments[found].text};
}

}  // namespace accord
