// SPDX-License-Identifier: Apache-2.0
#include "io/formats/fasta.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>

#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

constexpr std::string_view kWhiteSpace = " \t\v\f";

Error bad_character(const std::string& label, std::size_t line, char c,
                    const SequenceRecord& record) {
  const std::string hint =
      c == '>' ? "a '>' must be the first character of its line"
               : "only letters, '*', '?' (not known) and the gaps '-', '.' and '~' can stand in a "
                 "sequence; {lenient} leaves others out, in an alignment it reads them as gaps";
  return line_error(label, line,
                    format_character(c) + " is not a sequence character (in sequence " +
                        quote(record.name()) + ")",
                    hint);
}

/// An error for a text that does not begin as FASTA.
Error not_fasta(std::string_view text, std::string_view line, std::size_t number,
                const std::string& label) {
  constexpr std::string_view kMega = "#mega";
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  const std::string_view first = trimmed(reader.line()).substr(0, kMega.size());
  const bool is_mega =
      std::equal(first.begin(), first.end(), kMega.begin(), kMega.end(),
                 [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
  if (is_mega) {
    return line_error(label, reader.number(), "a file of MEGA, which is not read",
                      "in MEGA 'Export Alignment' writes FASTA and NEXUS, which are");
  }
  return line_error(label, number, "not FASTA: expected '>', found " + quote(line),
                    "sequences are read as " + readable_inputs());
}

/// The number of bytes between a line of `text` and the next record.
std::size_t record_size(std::string_view text, std::string_view line) {
  const auto begin = static_cast<std::size_t>(line.data() - text.data()) + line.size();
  std::size_t end = text.find('>', begin);
  while (end < text.size() && text[end - 1] != '\n' && text[end - 1] != '\r') {
    end = text.find('>', end + 1);
  }
  return std::min(end, text.size()) - begin;
}

/// True for a line in which RNAfold says how frequent a structure is.
bool is_structure_note(std::string_view line) {
  return trimmed(line).starts_with("frequency of mfe structure");
}

}  // namespace

std::string_view structure_in(std::string_view line) {
  constexpr std::string_view kOpening = "([{<", kStructure = "()[]{}<>.,|";
  const std::string_view structure = take_word(line);
  if (structure.empty() || structure.find_first_not_of(kStructure) != structure.npos) return {};
  const std::string_view energy = trimmed(line);
  if (energy.empty()) {
    return structure.find_first_of(kOpening) == structure.npos ? std::string_view() : structure;
  }
  return kOpening.find(energy.front()) == kOpening.npos ? std::string_view() : structure;
}

std::string_view header_name(std::string_view header) {
  header = trimmed(header);
  return header.substr(0, header.find_first_of(" \t"));
}

std::vector<SequenceRecord> parse_fasta(std::string_view text, const std::string& label,
                                        OddCharacters* left_out, std::size_t lines_before) {
  std::vector<SequenceRecord> records;
  records.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '>')));
  LineReader reader(text, lines_before);
  while (reader.next()) {
    const std::string_view line = reader.line();
    if (line.starts_with('>')) {
      // Blanks may stand before the name.
      const std::size_t begin = line.find_first_not_of(kWhiteSpace, 1);
      records.push_back({std::string(line.substr(std::min(begin, line.size()))), {}});
      records.back().letters.reserve(record_size(text, line));
    } else if (line.starts_with(';')) {
      continue;  // a comment
    } else if (records.empty()) {
      if (line.starts_with('#') || line.find_first_not_of(kWhiteSpace) == line.npos) continue;
      throw not_fasta(text, line, reader.number(), label);
    } else if (structure_in(line).empty() && !is_structure_note(line)) {
      SequenceRecord& record = records.back();
      for (char c : line) {
        if (is_sequence_letter(c) || is_gap(c)) {
          record.letters += c;
        } else if (c == '~') {
          record.letters += '-';
        } else if (kWhiteSpace.find(c) == kWhiteSpace.npos) {
          if (left_out == nullptr) throw bad_character(label, reader.number(), c, record);
          left_out->add(c);
          if (left_out->keeps_columns()) record.letters += '-';
        }
      }
      if (record.letters.size() > std::numeric_limits<std::int32_t>::max()) {
        throw line_error(label, reader.number(),
                         "sequence " + quote(record.name()) + " is longer than 2^31 residues");
      }
    }
  }
  if (records.empty()) throw Error(ErrorKind::bad_input, label + ": there are no sequences");
  return records;
}

void write_fasta(const AlignmentText& alignment, std::size_t wrap, TextSink& out) {
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    out << '>' << alignment.headers[r] << '\n';
    write_wrapped(out, alignment.rows[r], wrap);
  }
}

}  // namespace accord
