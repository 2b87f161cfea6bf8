// SPDX-License-Identifier: Apache-2.0
#include "run/structure_run.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "core/chain_atoms.hpp"
#include "io/formats/alignment_text.hpp"
#include "io/formats/formats.hpp"
#include "io/structures/residue_names.hpp"
#include "method/structures/superposition.hpp"
#include "options/option_field.hpp"

namespace accord::run {
namespace {

constexpr std::string_view kChainLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The structures, in input order.
std::vector<std::uint32_t> structures_in_order(const SequenceSet& set) {
  const std::vector<std::uint32_t> members = sequences_with_traces(set);
  std::vector<std::uint32_t> ordered;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const auto x = static_cast<std::uint32_t>(set.from_input(k));
    if (std::ranges::binary_search(members, x)) ordered.push_back(x);
  }
  return ordered;
}

/// The name of each sequence, without blanks, by its canonical index.
std::vector<std::string> names_of(const SequenceSet& set) {
  const std::vector<std::string> in_order = unique_names(set);
  std::vector<std::string> names(set.size());
  for (std::size_t k = 0; k < in_order.size(); ++k) names[set.from_input(k)] = in_order[k];
  return names;
}

/// Writes the records of atoms of a structure.
class AtomWriter {
 public:
  AtomWriter(StructureFormat format, TextSink& out)
      : is_pdb_(format == StructureFormat::pdb), out_(out) {}

  /// `chain`: its letter in PDB, or its name in mmCIF.
  void write(const ChainAtoms& chain_atoms, const RigidMotion& motion, const std::string& chain) {
    ++chains_;
    for (const ChainAtom& atom : chain_atoms.atoms) {
      ++serial_;
      const Point at = motion(atom.at);
      if (is_pdb_) {
        write_pdb(chain_atoms, atom, at, chain);
      } else {
        write_mmcif(chain_atoms, atom, at, chain);
      }
    }
    if (is_pdb_) out_ << "TER\n";
  }
  void begin_model() { serial_ = 0; }

 private:
  static constexpr std::size_t kMostSerial = 99'999;

  static const char* record_of(const std::string& residue) {
    return residue_name(residue).kind == CompoundKind::amino_acid ? "ATOM" : "HETATM";
  }

  void write_pdb(const ChainAtoms& chain_atoms, const ChainAtom& atom, const Point& at,
                 const std::string& chain) {
    for (const double value : {at.x, at.y, at.z}) {
      if (value > -999.9995 && value < 9999.9995) continue;
      throw Error(
          ErrorKind::bad_input,
          formatted("the coordinate %.3f of a superposed atom has no place in a PDB file", value),
          "write mmCIF: name a file with the suffix .cif");
    }
    std::string number = chain_atoms.numbers[atom.residue];
    char insertion = ' ';
    if (!number.empty() && (number.back() < '0' || number.back() > '9')) {
      insertion = number.back();
      number.pop_back();
    }
    if (number.empty() || number.size() > 4) {
      number = std::to_string((atom.residue + 1) % 10'000);
      insertion = ' ';
    }
    const bool is_aligned_left = atom.name.size() > 3 || atom.element.size() > 1;
    const std::string name = (is_aligned_left ? "" : " ") + atom.name;
    out_ << formatted(
        "%-6s%5zu %-4.4s %3.3s %1.1s%4s%c   %8.3f%8.3f%8.3f%6.2f%6.2f          %2.2s\n",
        record_of(chain_atoms.names[atom.residue]), serial_ % (kMostSerial + 1), name.c_str(),
        chain_atoms.names[atom.residue].c_str(), chain.c_str(), number.c_str(), insertion, at.x,
        at.y, at.z, atom.occupancy, atom.b_factor, atom.element.c_str());
  }

  void write_mmcif(const ChainAtoms& chain_atoms, const ChainAtom& atom, const Point& at,
                   const std::string& chain) {
    std::string number = chain_atoms.numbers[atom.residue], insertion = "?";
    if (!number.empty() && (number.back() < '0' || number.back() > '9')) {
      insertion = number.back();
      number.pop_back();
    }
    const std::string& residue = chain_atoms.names[atom.residue];
    out_ << record_of(residue) << ' ' << std::to_string(serial_) << ' '
         << (atom.element.empty() ? "?" : atom.element) << ' ' << quoted(atom.name) << " . "
         << quoted(residue) << " S" << std::to_string(chains_) << " 1 "
         << std::to_string(atom.residue + 1) << ' ' << insertion
         << formatted(" %.3f %.3f %.3f %.2f %.2f ", at.x, at.y, at.z, atom.occupancy, atom.b_factor)
         << (number.empty() ? std::to_string(atom.residue + 1) : number) << ' ' << quoted(chain)
         << " 1\n";
  }

  /// A value without blanks as mmCIF has it.
  static std::string quoted(const std::string& value) {
    constexpr std::string_view kFirst = "_#$'\"[];.?";
    const bool is_plain = !value.empty() && kFirst.find(value[0]) == kFirst.npos &&
                          value.find('\'') == value.npos && value.find('"') == value.npos &&
                          !lower_case(value).starts_with("data_");
    if (is_plain) return value;
    const char mark = value.find('"') == value.npos ? '"' : '\'';
    return mark + value + mark;
  }

  bool is_pdb_;
  TextSink& out_;
  std::size_t serial_ = 0, chains_ = 0;
};

/// The structures that write_superposed() writes, in input order.
std::vector<std::uint32_t> moved_structures(const SequenceSet& set, const CommonFrame& frame) {
  std::vector<std::uint32_t> moved = structures_in_order(set);
  std::erase_if(moved, [&](std::uint32_t x) { return !frame.motions[x]; });
  return moved;
}

void write_pdb(const SequenceSet& set, const CommonFrame& frame, TextSink& out) {
  constexpr std::size_t kMostAtoms = 99'999;
  const std::vector<std::uint32_t> moved = moved_structures(set, frame);
  const std::vector<std::string> names = names_of(set);
  std::size_t atoms = 0;
  for (const std::uint32_t x : moved) atoms += set.record(x).atoms->atoms.size();
  const bool has_models = moved.size() > kChainLetters.size() || atoms > kMostAtoms;
  out << "REMARK   1 SUPERPOSED ONTO " << names[frame.reference] << '\n';
  for (std::size_t k = 0; k < moved.size(); ++k) {
    out << "REMARK   1 " << (has_models ? "MODEL " : "CHAIN ")
        << (has_models ? std::to_string(k + 1) : std::string(1, kChainLetters[k])) << ": "
        << names[moved[k]] << formatted(", TM-SCORE %.4f\n", frame.tm_scores[moved[k]]);
  }
  AtomWriter writer(StructureFormat::pdb, out);
  for (std::size_t k = 0; k < moved.size(); ++k) {
    if (has_models) out << formatted("MODEL     %4zu\n", k + 1);
    if (has_models) writer.begin_model();
    writer.write(*set.record(moved[k]).atoms, *frame.motions[moved[k]],
                 std::string(1, kChainLetters[has_models ? 0 : k]));
    if (has_models) out << "ENDMDL\n";
  }
  out << "END\n";
}

void write_mmcif(const SequenceSet& set, const CommonFrame& frame, TextSink& out) {
  const std::vector<std::string> names = names_of(set);
  out << "data_superposed\n#\n# superposed onto " << names[frame.reference] << "\n#\nloop_\n";
  for (const char* const item :
       {"group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id",
        "label_asym_id", "label_entity_id", "label_seq_id", "pdbx_PDB_ins_code", "Cartn_x",
        "Cartn_y", "Cartn_z", "occupancy", "B_iso_or_equiv", "auth_seq_id", "auth_asym_id",
        "pdbx_PDB_model_num"}) {
    out << "_atom_site." << item << '\n';
  }
  AtomWriter writer(StructureFormat::mmcif, out);
  for (const std::uint32_t x : moved_structures(set, frame)) {
    writer.write(*set.record(x).atoms, *frame.motions[x], names[x]);
  }
  out << "#\n";
}

}  // namespace

void for_each_fit(const SequenceSet& set, const Msa& msa,
                  const std::function<void(std::uint32_t x, std::uint32_t y,
                                           const std::optional<AlignedFit>& fit)>& take) {
  const std::vector<std::uint32_t> members = structures_in_order(set);
  std::vector<std::optional<AlignedFit>> fits;
  for (std::size_t k = 0; k < members.size(); ++k) {
    fits.assign(members.size() - k - 1, std::nullopt);
    parallel_for(fits.size(), [&](std::size_t m, int) {
      fits[m] = fit_aligned(set, msa, members[k], members[k + 1 + m]);
    });
    for (std::size_t m = 0; m < fits.size(); ++m) take(members[k], members[k + 1 + m], fits[m]);
  }
}

void write_tm_scores(const SequenceSet& set, const Msa& msa, TextSink& out) {
  const std::vector<std::string> names = names_of(set);
  out << "x\ty\taligned\ttm_x\ttm_y\ttm_shorter\trmsd\n";
  for_each_fit(set, msa, [&](std::uint32_t x, std::uint32_t y, const auto& fit) {
    out << names[x] << '\t' << names[y] << '\t';
    if (!fit) {
      out << "NA\tNA\tNA\tNA\tNA\n";
      return;
    }
    out << std::to_string(fit->aligned)
        << formatted("\t%.4f\t%.4f\t%.4f\t%.2f\n", fit->tm_x, fit->tm_y, fit->tm_shorter,
                     fit->rmsd);
  });
}

StructureFormat structure_format(const std::string& path, const std::string& option) {
  const std::optional<AlignmentFormat> format = format_of_suffix(path);
  if (!format || *format == AlignmentFormat::pdb) return StructureFormat::pdb;
  if (*format == AlignmentFormat::mmcif) return StructureFormat::mmcif;
  throw Error(ErrorKind::usage, option + " " + path + ": the suffix of an alignment",
              "name a file .pdb or .cif");
}

void write_superposed(const SequenceSet& set, const CommonFrame& frame, StructureFormat format,
                      TextSink& out) {
  (format == StructureFormat::pdb ? write_pdb : write_mmcif)(set, frame, out);
}

void warn_of_unmoved(const SequenceSet& set, const CommonFrame& frame) {
  std::vector<std::string> unmoved;
  for (const std::uint32_t x : structures_in_order(set)) {
    if (!frame.motions[x]) unmoved.emplace_back(set.name(x));
  }
  if (unmoved.empty()) return;
  log_warning(counted(unmoved.size(), "structure is", "structures are") +
                  " left out of the superposed ones, since fewer than three residues are aligned "
                  "with " +
                  std::string(set.name(frame.reference)) + ": " + listed(unmoved),
              "a family has one fold; align such structures apart");
}

}  // namespace accord::run
