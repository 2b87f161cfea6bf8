// SPDX-License-Identifier: Apache-2.0
#include "accord/io/formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "accord/base/error.hpp"
#include "accord/io/fasta.hpp"
#include "accord/io/text_input.hpp"
#include "format_texts.hpp"

namespace accord {
namespace {

struct FormatEntry {
  AlignmentFormat format;
  std::string_view name;
  bool is_readable;
  std::array<std::string_view, 7> suffixes;
};

// ".aln" is FASTA, as the modules of nf-core have it.
constexpr std::array<FormatEntry, 10> kFormats = {{
    {AlignmentFormat::fasta,
     "fasta",
     true,
     {".fa", ".fasta", ".fas", ".afa", ".mfa", ".faa", ".aln"}},
    {AlignmentFormat::clustal, "clustal", true, {".clw", ".clustal", ".clustalw"}},
    {AlignmentFormat::stockholm, "stockholm", true, {".sto", ".stk", ".sth", ".stockholm"}},
    {AlignmentFormat::phylip, "phylip", true, {".phy", ".phylip"}},
    {AlignmentFormat::phylip_strict, "phylip-strict", true, {}},
    {AlignmentFormat::msf, "msf", true, {".msf"}},
    {AlignmentFormat::nexus, "nexus", false, {".nex", ".nexus", ".nxs"}},
    {AlignmentFormat::a2m, "a2m", false, {".a2m"}},
    {AlignmentFormat::a3m, "a3m", false, {".a3m"}},
    {AlignmentFormat::json, "json", false, {".json"}},
}};

std::string listed(bool only_readable) {
  std::string text;
  for (const FormatEntry& entry : kFormats) {
    if (only_readable && !entry.is_readable) continue;
    text += (text.empty() ? "" : ", ") + std::string(entry.name);
  }
  return text;
}

}  // namespace

std::string_view name_of(AlignmentFormat format) {
  return kFormats[static_cast<std::size_t>(format)].name;
}

std::optional<AlignmentFormat> format_named(std::string_view name) {
  for (const FormatEntry& entry : kFormats) {
    if (entry.name == name) return entry.format;
  }
  return std::nullopt;
}

std::string writable_formats() { return listed(false); }

std::string readable_formats() { return listed(true); }

bool shows_confidence(AlignmentFormat format) {
  return format == AlignmentFormat::stockholm || format == AlignmentFormat::json;
}

std::optional<AlignmentFormat> format_of_suffix(std::string_view path) {
  std::string lower(path);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.ends_with(".gz")) lower.resize(lower.size() - 3);
  for (const FormatEntry& entry : kFormats) {
    for (std::string_view suffix : entry.suffixes) {
      if (!suffix.empty() && lower.size() > suffix.size() && lower.ends_with(suffix)) {
        return entry.format;
      }
    }
  }
  return std::nullopt;
}

std::optional<AlignmentFormat> detect_format(std::string_view text) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  const std::string_view line = trimmed(reader.line());
  if (line.starts_with('>') || line.starts_with(';')) return AlignmentFormat::fasta;
  if (line.starts_with("# STOCKHOLM")) return AlignmentFormat::stockholm;
  if (looks_like_clustal(line)) return AlignmentFormat::clustal;
  if (looks_like_msf(text)) return AlignmentFormat::msf;
  if (looks_like_phylip(line)) return AlignmentFormat::phylip;
  return std::nullopt;
}

std::vector<SequenceRecord> parse_records(std::string_view text, AlignmentFormat format,
                                          const std::string& label, OddCharacters* left_out) {
  switch (format) {
    case AlignmentFormat::fasta:
      return parse_fasta(text, label, left_out);
    case AlignmentFormat::clustal:
      return parse_clustal(text, label, left_out);
    case AlignmentFormat::stockholm:
      return parse_stockholm(text, label, left_out);
    case AlignmentFormat::phylip:
      return parse_phylip(text, label, left_out, false);
    case AlignmentFormat::phylip_strict:
      return parse_phylip(text, label, left_out, true);
    case AlignmentFormat::msf:
      return parse_msf(text, label, left_out);
    default:
      throw Error(ErrorKind::usage, std::string(name_of(format)) + " cannot be read",
                  "use one of " + readable_formats());
  }
}

std::string format_alignment(const AlignmentText& alignment, AlignmentFormat format,
                             std::optional<std::size_t> wrap) {
  constexpr std::size_t kLineColumns = 60;
  const std::size_t columns = wrap.value_or(kLineColumns);
  switch (format) {
    case AlignmentFormat::fasta:
      return format_fasta(alignment, columns);
    case AlignmentFormat::clustal:
      return format_clustal(alignment, columns);
    case AlignmentFormat::stockholm:
      return format_stockholm(alignment, wrap.value_or(0));
    case AlignmentFormat::phylip:
      return format_phylip(alignment, false);
    case AlignmentFormat::phylip_strict:
      return format_phylip(alignment, true);
    case AlignmentFormat::msf:
      return format_msf(alignment);
    case AlignmentFormat::nexus:
      return format_nexus(alignment);
    case AlignmentFormat::a2m:
      return format_a2m(alignment, columns);
    case AlignmentFormat::a3m:
      return format_a3m(alignment, columns);
    case AlignmentFormat::json:
      return format_alignment_json(alignment);
  }
  throw Error(ErrorKind::internal, "an alignment format without a writer");
}

}  // namespace accord
