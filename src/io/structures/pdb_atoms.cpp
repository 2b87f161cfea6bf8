// SPDX-License-Identifier: Apache-2.0
#include "io/structures/pdb_atoms.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

// Columns of a record of an atom, from 0.
constexpr std::size_t kFirstCoordinate = 30, kCoordinateWidth = 8, kCoordinatesEnd = 54;
constexpr std::size_t kName = 12, kLocation = 16, kResidue = 17, kNumber = 22;
constexpr std::size_t kSequence = 19, kSegment = 72, kElement = 76, kElementEnd = 78;
constexpr std::size_t kBFactor = 60;

/// The trimmed text of columns of a record; empty behind its end.
std::string_view field(std::string_view record, std::size_t first, std::size_t width) {
  return first < record.size() ? trimmed(record.substr(first, width)) : std::string_view{};
}

/// Whether a line begins with the name of a record, in letters of any case.
bool is_record(std::string_view line, std::string_view name) {
  return lower_case(line.substr(0, name.size())) == name;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number =
      read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

/// The first field of coordinates that is no number; none if all are numbers.
std::optional<std::string_view> odd_coordinate(std::string_view record) {
  for (std::size_t at = kFirstCoordinate; at < kCoordinatesEnd; at += kCoordinateWidth) {
    const std::string_view text = field(record, at, kCoordinateWidth);
    if (!number_in(text)) return text;
  }
  return std::nullopt;
}

void check_atom_record(std::string_view record, const std::string& label, std::size_t line) {
  if (!std::ranges::all_of(record, [](char c) { return c >= ' ' && c <= '~'; })) {
    throw line_error(label, line, "a record of an atom with characters that are not ASCII",
                     "the file may be damaged; get it anew");
  }
  if (record.size() < kCoordinatesEnd) {
    throw line_error(label, line,
                     "a record of an atom that ends in column " + std::to_string(record.size()),
                     "the file may be cut off; get it anew");
  }
  if (const auto odd = odd_coordinate(record)) {
    throw line_error(label, line, quote(*odd) + " is no coordinate of an atom",
                     "columns 31 to 54 have x, y and z, 8 columns each");
  }
}

/// What the chains of a PDB file need.
struct PdbRecords {
  /// The records of the atoms of the first model, cut behind the element; an empty one for TER.
  std::vector<std::string_view> atoms;
  std::unordered_set<std::string_view> sequence;  ///< names of residues in SEQRES
  StructureOrigin origin;
};

/// Takes from a record what it says of the origin of the structure.
void take_origin(std::string_view line, StructureOrigin& origin) {
  const auto is = [&](std::string_view name) { return is_record(line, name); };
  if (is("expdta")) {
    origin.take_method(field(line, 6, line.size()));
  } else if (is("cryst1")) {
    origin.take_cell(number_in(field(line, 6, 9)).value_or(0));
  } else if (is("anisou")) {
    origin.is_experiment = true;
  } else if (is("header") || is("title") || is("compnd")) {
    origin.take_text(line);
  }
}

PdbRecords records_of(std::string_view text, const std::string& label) {
  PdbRecords found;
  std::vector<std::string_view>& records = found.atoms;
  bool is_first_model = true, is_ended = false;
  double model = 1;
  for (LineReader lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (is_pdb_record_of_atom(line)) {
      if (is_ended) {
        throw line_error(label, lines.number(), "an atom behind END",
                         "a file has one structure; make a file of each");
      }
      if (!is_first_model) continue;
      records.push_back(line.substr(0, kElementEnd));
      check_atom_record(records.back(), label, lines.number());
    } else if (is_record(line, "model")) {
      const double number = number_in(field(line, 6, line.size())).value_or(model);
      if (number == model + 1) is_ended = false;  // some programs end each model
      model = number;
      if (!records.empty()) is_first_model = false;
    } else if (is_record(line, "seqres")) {
      for (std::string_view rest = field(line, kSequence, line.size()); !rest.empty();) {
        found.sequence.insert(take_word(rest));
      }
    } else if (take_origin(line, found.origin); records.empty()) {
      continue;
    } else if (is_record(line, "ter")) {
      if (is_first_model) records.emplace_back();
    } else if (is_record(line, "endmdl")) {
      is_first_model = false;
    } else if (is_record(line, "end")) {
      is_ended = true;
    }
  }
  return found;
}

/// The columns of the name of a residue: four, with column 21, or three. See read_pdb_atoms.
std::size_t width_of_residue(const std::vector<std::string_view>& records) {
  constexpr std::size_t kPlain = 3, kLong = 4;
  constexpr char kBlank = ' ';
  std::vector<std::string_view> residues;  // their names, of four columns, and chains
  for (const std::string_view record : records) {
    if (field(record, kName, 4) == "CA") residues.push_back(record.substr(kResidue, kLong + 1));
  }
  std::size_t used = 0, of_residue = 0;
  for (std::size_t k = 0; k < residues.size(); ++k) {
    if (residues[k][kPlain] == kBlank) continue;
    const auto chain_of = [&](std::size_t other) { return residues[other].substr(kPlain); };
    const bool is_between = k > 0 && k + 1 < residues.size() &&
                            chain_of(k - 1) == chain_of(k + 1) && chain_of(k - 1) != chain_of(k);
    ++used;
    if (is_between || is_amino_acid(residue_name(residues[k].substr(0, kLong)).kind)) ++of_residue;
  }
  return 2 * of_residue > used ? kLong : kPlain;
}

/// Whether a record states that its element is calcium, or, without an element, has a name that
/// begins in the first column of names, as those of metals do.
bool is_calcium(std::string_view record) {
  const std::string_view element = field(record, kElement, 2);
  return element.empty() ? record.substr(kName, 3) == "CA " : lower_case(element) == "ca";
}

}  // namespace

bool is_pdb_record_of_atom(std::string_view line) {
  return is_record(line, "atom") || is_record(line, "hetatm");
}

bool is_pdb_atom(std::string_view line) {
  return is_pdb_record_of_atom(line) && line.size() >= kCoordinatesEnd && !odd_coordinate(line);
}

StructureOrigin read_pdb_atoms(std::string_view text, const std::string& label,
                               ResidueList& residues) {
  const PdbRecords found = records_of(text, label);
  const std::size_t width = width_of_residue(found.atoms);
  for (const std::string_view record : found.atoms) {
    if (record.empty()) {
      residues.end_chain();
      continue;
    }
    const auto coordinate = [&](std::size_t k) {
      return *number_in(field(record, kFirstCoordinate + k * kCoordinateWidth, kCoordinateWidth));
    };
    StructureAtom atom;
    atom.name = field(record, kName, 4);
    atom.location = record[kLocation];
    atom.residue = field(record, kResidue, width);
    atom.chain = field(record, kResidue + width, kNumber - kResidue - width);
    atom.number = field(record, kNumber, 5);
    atom.segment = field(record, kSegment, 4);
    atom.element = field(record, kElement, 2);
    atom.is_hetero = is_record(record, "hetatm");
    atom.is_in_sequence = found.sequence.contains(atom.residue);
    atom.is_calcium = is_calcium(record);
    // Without an occupancy, that of all atoms is 0, or 1 where the record ends before it.
    if (record.size() > kCoordinatesEnd + 4) {
      atom.occupancy = number_in(field(record, kCoordinatesEnd, 6)).value_or(0);
    }
    atom.b_factor = number_in(field(record, kBFactor, 6));
    atom.at = {coordinate(0), coordinate(1), coordinate(2)};
    residues.add(atom);
  }
  return found.origin;
}

}  // namespace accord
