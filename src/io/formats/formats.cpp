// SPDX-License-Identifier: Apache-2.0
#include "io/formats/formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/packing.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/fasta.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/nexus_words.hpp"
#include "io/structures/structure_reader.hpp"
#include "io/structures/structure_records.hpp"
#include "io/structures/structure_text.hpp"

namespace accord {
namespace {

struct FormatEntry {
  AlignmentFormat format;
  std::string_view name;
  bool is_writable;
  std::array<std::string_view, 18> suffixes;
};

/// The suffixes of FASTA files that are alignments. ".aln" is FASTA, as in the modules of nf-core.
constexpr std::array<std::string_view, 3> kAlignedFasta = {".afa", ".aln", ".msa"};

constexpr std::array<FormatEntry, 17> kFormats = {{
    {AlignmentFormat::fasta,
     "fasta",
     true,
     {".fa", ".fasta", ".fas", ".mfa", ".faa", ".fna", ".ffn", ".frn", ".fsa", ".tfa", ".pep",
      ".seq", ".seqs", ".aa", ".prot", kAlignedFasta[0], kAlignedFasta[1], kAlignedFasta[2]}},
    {AlignmentFormat::clustal, "clustal", true, {".clw", ".clustal", ".clustalw"}},
    {AlignmentFormat::stockholm, "stockholm", true, {".sto", ".stk", ".sth", ".stockholm"}},
    {AlignmentFormat::phylip, "phylip", true, {".phy", ".phylip"}},
    {AlignmentFormat::phylip_strict, "phylip-strict", true, {}},
    {AlignmentFormat::msf, "msf", true, {".msf"}},
    {AlignmentFormat::nexus, "nexus", true, {".nex", ".nexus", ".nxs"}},
    {AlignmentFormat::a2m, "a2m", true, {".a2m"}},
    {AlignmentFormat::a3m, "a3m", true, {".a3m"}},
    {AlignmentFormat::json, "json", true, {".json"}},
    {AlignmentFormat::pir, "pir", false, {".pir"}},
    {AlignmentFormat::selex, "selex", false, {".slx", ".selex"}},
    {AlignmentFormat::fastq, "fastq", false, {".fastq", ".fq"}},
    {AlignmentFormat::genbank, "genbank", false, {".gb", ".gbk", ".gbff", ".genbank", ".gp"}},
    {AlignmentFormat::embl, "embl", false, {".embl"}},
    {AlignmentFormat::pdb, "pdb", false, {".pdb", ".ent"}},
    {AlignmentFormat::mmcif, "mmcif", false, {".cif", ".mmcif"}},
}};

std::string listed(bool only_writable) {
  std::string text;
  for (const FormatEntry& entry : kFormats) {
    if (only_writable && !entry.is_writable) continue;
    text += (text.empty() ? "" : ", ") + std::string(entry.name);
  }
  return text;
}

/// A suffix in the table, and its format; null if a path has none of them.
struct KnownSuffix {
  const FormatEntry* entry = nullptr;
  std::string_view suffix = {};
};

KnownSuffix known_suffix(std::string_view path) {
  const std::string lower = lower_case(without_packing_suffix(path));
  for (const FormatEntry& entry : kFormats) {
    for (const std::string_view suffix : entry.suffixes) {
      if (!suffix.empty() && lower.size() > suffix.size() && lower.ends_with(suffix)) {
        return {&entry, suffix};
      }
    }
  }
  return {};
}

/// True if a text has a record of FASTA, perhaps behind comments (`#`).
bool has_records(std::string_view text) {
  LineReader reader(text);
  while (reader.next() && (is_blank(reader.line()) || reader.line().starts_with('#'))) {
  }
  return reader.line().starts_with('>');
}

/// True if the first line of a text, behind comments of MODELLER, is the mark of PIR.
bool begins_as_pir(std::string_view text) {
  LineReader reader(text);
  while (reader.next() && (is_blank(reader.line()) || is_pir_comment(trimmed(reader.line())))) {
  }
  return looks_like_pir(trimmed(reader.line()));
}

/// True if the header of Stockholm is among the first lines, those that begin with `#`.
bool has_stockholm_header(std::string_view text) {
  for (LineReader reader(text); reader.next();) {
    const std::string_view line = trimmed(reader.line());
    if (line.starts_with("# STOCKHOLM")) return true;
    if (!line.empty() && line[0] != '#') return false;
  }
  return false;
}

}  // namespace

std::string_view format_name(AlignmentFormat format) {
  return kFormats[static_cast<std::size_t>(format)].name;
}

std::string suffix_of(AlignmentFormat format) {
  if (format == AlignmentFormat::fasta) return std::string(kAlignedFasta[0]);
  // Programs that read names of 10 characters take the suffix of PHYLIP.
  if (format == AlignmentFormat::phylip_strict) format = AlignmentFormat::phylip;
  return std::string(kFormats[static_cast<std::size_t>(format)].suffixes[0]);
}

std::optional<AlignmentFormat> format_named(std::string_view name) {
  for (const FormatEntry& entry : kFormats) {
    if (entry.name == name) return entry.format;
  }
  return std::nullopt;
}

std::string writable_formats() { return listed(true); }

std::string readable_formats() { return listed(false); }

std::string readable_inputs() {
  return readable_formats() + ", plain or compressed with " + packings();
}

bool is_writable(AlignmentFormat format) {
  return kFormats[static_cast<std::size_t>(format)].is_writable;
}

bool is_structure(AlignmentFormat format) {
  return format == AlignmentFormat::pdb || format == AlignmentFormat::mmcif;
}

bool shows_confidence(AlignmentFormat format) {
  return format == AlignmentFormat::stockholm || format == AlignmentFormat::json;
}

std::optional<AlignmentFormat> format_of_suffix(std::string_view path) {
  const KnownSuffix known = known_suffix(path);
  return known.entry == nullptr ? std::nullopt : std::optional(known.entry->format);
}

FileContent content_of_suffix(std::string_view path) {
  const KnownSuffix known = known_suffix(path);
  if (known.entry == nullptr) return FileContent::unknown;
  if (std::ranges::find(kAlignedFasta, known.suffix) != kAlignedFasta.end()) {
    return FileContent::alignment;
  }
  switch (known.entry->format) {
    case AlignmentFormat::json:
      return FileContent::unknown;
    case AlignmentFormat::fasta:
    case AlignmentFormat::fastq:
    case AlignmentFormat::genbank:
    case AlignmentFormat::embl:
    case AlignmentFormat::pir:
      return FileContent::sequences;
    case AlignmentFormat::pdb:
    case AlignmentFormat::mmcif:
      return FileContent::structure;
    default:
      return FileContent::alignment;
  }
}

std::string_view without_known_suffix(std::string_view name) {
  const std::string_view rest = without_packing_suffix(name);
  return rest.substr(0, rest.size() - known_suffix(name).suffix.size());
}

std::string unknown_suffix(std::string_view path) {
  path = without_packing_suffix(path);
  if (format_of_suffix(path)) return {};
  const std::string_view name = path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
  const std::size_t dot = name.find_last_of('.');
  if (dot == name.npos || dot == 0 || dot + 1 == name.size()) return {};
  if (std::isalpha(static_cast<unsigned char>(name[dot + 1])) == 0) return {};
  return std::string(name.substr(dot));
}

std::string written_suffixes() {
  std::string text;
  for (const FormatEntry& entry : kFormats) {
    if (!entry.is_writable) continue;
    if (!text.empty()) text += ", ";
    text += entry.name;
    if (entry.suffixes[0].empty()) continue;
    text += " (";
    for (std::size_t k = 0; k < entry.suffixes.size() && !entry.suffixes[k].empty(); ++k) {
      if (k > 0) text += ' ';
      text += entry.suffixes[k];
    }
    text += ')';
  }
  return text;
}

std::optional<AlignmentFormat> detect_format(std::string_view text, std::string_view path) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  const std::string_view line = trimmed(reader.line());
  if (begins_as_pir(text)) return AlignmentFormat::pir;
  if (looks_like_a3m(line)) return AlignmentFormat::a3m;
  if (line.starts_with('#') && has_stockholm_header(text)) return AlignmentFormat::stockholm;
  if (looks_like_nexus(line)) return AlignmentFormat::nexus;
  if (line.starts_with("#=")) return AlignmentFormat::selex;
  if (line.starts_with('>') || line.starts_with(';') || has_records(text)) {
    const std::optional<AlignmentFormat> by_suffix = format_of_suffix(path);
    const bool is_marked = by_suffix == AlignmentFormat::a2m || by_suffix == AlignmentFormat::a3m;
    return is_marked ? by_suffix : AlignmentFormat::fasta;
  }
  if (line.starts_with('{')) return AlignmentFormat::json;
  if (looks_like_fastq(line)) return AlignmentFormat::fastq;
  if (looks_like_genbank(line)) return AlignmentFormat::genbank;
  if (looks_like_embl(line)) return AlignmentFormat::embl;
  if (looks_like_mmcif(text)) return AlignmentFormat::mmcif;
  const std::optional<AlignmentFormat> by_suffix = format_of_suffix(path);
  if (looks_like_pdb(text)) return AlignmentFormat::pdb;
  if (looks_like_clustal(line)) return AlignmentFormat::clustal;
  // Rows without any mark of SELEX.
  if (by_suffix == AlignmentFormat::selex && !line.empty()) return by_suffix;
  if (looks_like_msf(text)) return AlignmentFormat::msf;
  if (looks_like_phylip(line)) return AlignmentFormat::phylip;
  if (has_clustal_blocks(text)) return AlignmentFormat::clustal;
  // A structure that is cut off in front of its atoms.
  return by_suffix && is_structure(*by_suffix) ? by_suffix : std::nullopt;
}

std::size_t parsing_bytes(std::string_view text, AlignmentFormat format) {
  constexpr std::size_t kRecord = sizeof(SequenceRecord) + 64;
  constexpr std::size_t kFlatLine = 128, kBlockLine = 64, kValue = 64, kWord = 64;
  constexpr std::size_t kPdbCopies = 8;  // of the text: an atom may be a residue and a chain
  const auto count = [&](std::string_view characters) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [&](char c) { return characters.find(c) != characters.npos; }));
  };
  switch (format) {
    case AlignmentFormat::fasta:
      return text.size() + kRecord * count(">");
    case AlignmentFormat::a2m:
    case AlignmentFormat::a3m:
      return 2 * text.size() + kRecord * count(">");
    case AlignmentFormat::fastq:
      return text.size() + kRecord * count("\n\r") / 2;
    case AlignmentFormat::genbank:
    case AlignmentFormat::embl:
      return 2 * text.size() + kFlatLine * count("\n\r");
    case AlignmentFormat::json:
      return 2 * text.size() + kValue * count(",[{:");
    case AlignmentFormat::pdb:
      return kPdbCopies * text.size();
    case AlignmentFormat::mmcif:
      return 2 * text.size() + kWord * count(" \t\n\r");
    default:
      return kBlockLine * count("\n\r");
  }
}

std::size_t record_bytes(const std::vector<SequenceRecord>& records) {
  std::size_t bytes = 0;
  for (const SequenceRecord& record : records) {
    bytes += sizeof(record) + record.header.capacity() + record.letters.capacity() +
             record.track.capacity() + record.trace.capacity() * sizeof(record.trace[0]);
    if (record.atoms) bytes += record.atoms->atoms.capacity() * sizeof(ChainAtom);
  }
  return bytes;
}

std::vector<SequenceRecord> parse_records(std::string_view text, AlignmentFormat format,
                                          const std::string& label, OddCharacters* left_out) {
  if (is_structure(format)) return parse_chains(text, format, label, {});
  const ReadingHold held(text.size() + parsing_bytes(text, format), label,
                         "the records of the text");
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
    case AlignmentFormat::nexus:
      return parse_nexus(text, label, left_out);
    case AlignmentFormat::a2m:
      return parse_marked(text, label, left_out, true);
    case AlignmentFormat::a3m:
      return parse_marked(text, label, left_out, false);
    case AlignmentFormat::json:
      return parse_alignment_json(text, label, left_out);
    case AlignmentFormat::pir:
      return parse_pir(text, label, left_out);
    case AlignmentFormat::selex:
      return parse_selex(text, label, left_out);
    case AlignmentFormat::fastq:
      return parse_fastq(text, label, left_out);
    case AlignmentFormat::genbank:
      return parse_genbank(text, label, left_out);
    case AlignmentFormat::embl:
      return parse_embl(text, label, left_out);
    default:
      throw Error(ErrorKind::internal, "an alignment format without a reader");
  }
}

std::vector<SequenceRecord> parse_chains(std::string_view text, AlignmentFormat format,
                                         const std::string& label,
                                         const std::vector<std::string>& chosen, bool keeps_atoms) {
  const ReadingHold held(text.size() + parsing_bytes(text, format), label,
                         "the atoms of the structure");
  const bool is_pdb = format == AlignmentFormat::pdb;
  return structure_records(
      parse_structure(text, is_pdb ? StructureFormat::pdb : StructureFormat::mmcif, label,
                      keeps_atoms),
      chosen, label);
}

std::string format_alignment(const AlignmentText& alignment, AlignmentFormat format,
                             std::optional<std::size_t> wrap) {
  warn_of_format(alignment, format);
  return written_text([&](TextSink& out) { write_alignment(alignment, format, wrap, out); });
}

void write_alignment(const AlignmentText& alignment, AlignmentFormat format,
                     std::optional<std::size_t> wrap, TextSink& out) {
  constexpr std::size_t kLineColumns = 60;
  const std::size_t columns = wrap.value_or(kLineColumns);
  switch (format) {
    case AlignmentFormat::fasta:
      return write_fasta(alignment, columns, out);
    case AlignmentFormat::clustal:
      return write_clustal(alignment, columns, out);
    case AlignmentFormat::stockholm:
      return write_stockholm(alignment, wrap.value_or(0), out);
    case AlignmentFormat::phylip:
      return write_phylip(alignment, false, out);
    case AlignmentFormat::phylip_strict:
      return write_phylip(alignment, true, out);
    case AlignmentFormat::msf:
      return write_msf(alignment, out);
    case AlignmentFormat::nexus:
      return write_nexus(alignment, out);
    case AlignmentFormat::a2m:
      return write_a2m(alignment, columns, out);
    case AlignmentFormat::a3m:
      return write_a3m(alignment, columns, out);
    case AlignmentFormat::json:
      return write_alignment_json(alignment, out);
    case AlignmentFormat::pir:
    case AlignmentFormat::selex:
    case AlignmentFormat::fastq:
    case AlignmentFormat::genbank:
    case AlignmentFormat::embl:
    case AlignmentFormat::pdb:
    case AlignmentFormat::mmcif:
      break;
  }
  throw Error(ErrorKind::internal, "an alignment format without a writer");
}

void warn_of_format(const AlignmentText& alignment, AlignmentFormat format) {
  switch (format) {
    case AlignmentFormat::stockholm:
      return warn_of_stockholm(alignment);
    case AlignmentFormat::phylip_strict:
      return warn_of_strict_names(alignment);
    case AlignmentFormat::a2m:
      return warn_of_a2m(alignment);
    case AlignmentFormat::a3m:
      return warn_of_a3m(alignment);
    case AlignmentFormat::json:
      return warn_of_json(alignment);
    default:
      return;
  }
}

}  // namespace accord
