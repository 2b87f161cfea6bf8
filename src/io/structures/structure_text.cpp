// SPDX-License-Identifier: Apache-2.0
#include "io/structures/structure_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

// Columns of a record of an atom in a PDB file, from 0.
constexpr std::size_t kFirstCoordinate = 30, kCoordinateWidth = 8, kCoordinatesEnd = 54;
constexpr std::size_t kElementEnd = 78;

bool is_atom_record(std::string_view line) {
  return line.starts_with("ATOM") || line.starts_with("HETATM");
}

bool is_coordinate(std::string_view field) {
  field = trimmed(field);
  double value = 0;
  const auto read = std::from_chars(field.data(), field.data() + field.size(), value);
  return read.ec == std::errc() && read.ptr == field.data() + field.size() && std::isfinite(value);
}

void check_atom_record(std::string_view line, const std::string& label, std::size_t number) {
  if (!std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) {
    throw line_error(label, number, "a record of an atom with characters that are not ASCII",
                     "the file may be damaged; get it anew");
  }
  if (line.size() < kCoordinatesEnd) {
    throw line_error(label, number,
                     "a record of an atom that ends in column " + std::to_string(line.size()),
                     "the file may be cut off; get it anew");
  }
  for (std::size_t at = kFirstCoordinate; at < kCoordinatesEnd; at += kCoordinateWidth) {
    const std::string_view field = line.substr(at, kCoordinateWidth);
    if (is_coordinate(field)) continue;
    throw line_error(label, number, quote(trimmed(field)) + " is no coordinate of an atom",
                     "columns 31 to 54 have x, y and z, 8 columns each");
  }
}

}  // namespace

bool looks_like_pdb(std::string_view text) {
  constexpr std::array<std::string_view, 24> kFirst = {
      "HEADER", "OBSLTE", "TITLE",  "SPLIT",  "CAVEAT", "COMPND", "SOURCE", "KEYWDS",
      "EXPDTA", "NUMMDL", "MDLTYP", "AUTHOR", "REVDAT", "JRNL",   "REMARK", "DBREF",
      "SEQRES", "HELIX",  "SHEET",  "SSBOND", "CRYST1", "MODEL",  "ATOM",   "HETATM"};
  LineReader lines(text);
  while (lines.next() && is_blank(lines.line())) {
  }
  if (std::ranges::find(kFirst, trimmed(lines.line().substr(0, 6))) == kFirst.end()) return false;
  do {
    if (is_atom_record(lines.line())) return true;
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

std::string atom_records(std::string_view text, const std::string& label) {
  std::string records;
  LineReader lines(text);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (is_atom_record(line)) {
      const std::string_view record = line.substr(0, kElementEnd);
      check_atom_record(record, label, lines.number());
      records.append(record) += '\n';
    } else if (line.starts_with("TER") && !records.empty()) {
      records += "TER\n";
    } else if (line.starts_with("END") && !records.empty()) {
      break;
    }
  }
  return records;
}

}  // namespace accord
