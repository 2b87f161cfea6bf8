// SPDX-License-Identifier: Apache-2.0
// Predicted models: how they are told from experiments, and that their unsure residues have letters
// alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "io/structures/structure_records.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"
#include "support/structure_texts.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The atoms of 1orc, 64 residues, with the B factor that `value` gives for a residue, from 0, and
/// the number of the atom in it.
std::string atoms_with(const std::function<double(std::size_t residue, std::size_t atom)>& value) {
  std::istringstream lines(read_text(source_dir() + "/tests/data/structures/1orc.pdb"));
  std::string text, number;
  std::size_t residue = 0, atom = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("ATOM")) continue;
    if (!number.empty() && line.substr(22, 5) != number) ++residue, atom = 0;
    number = line.substr(22, 5);
    text +=
        line.substr(0, 60) + formatted("%6.2f", value(residue, atom++)) + line.substr(66) + "\n";
  }
  return text;
}

/// pLDDT of 30 in the first 20 residues, and of 90 behind them.
double low_at_first(std::size_t residue, std::size_t) { return residue < 20 ? 30 : 90; }

SequenceRecord record_of(const std::string& text, AlignmentFormat format = AlignmentFormat::pdb) {
  const std::vector<SequenceRecord> records = parse_records(text, format, "in");
  REQUIRE(records.size() == 1);
  return records.front();
}

std::ptrdiff_t known(const SequenceRecord& record) {
  return std::ranges::count_if(record.trace, [](const auto& ca) { return ca.has_value(); });
}

/// For each residue of 1orc, the number of CAs within 10 Å, itself included.
std::vector<int> contacts() {
  const SequenceRecord record = record_of(atoms_with([](std::size_t, std::size_t) { return 1; }));
  std::vector<int> counts;
  for (const auto& p : record.trace) {
    counts.push_back(static_cast<int>(
        std::ranges::count_if(record.trace, [&](const auto& q) { return distance(*p, *q) < 10; })));
  }
  return counts;
}

const std::string kTitle = "TITLE     ALPHAFOLD MONOMER V2.0 PREDICTION FOR X\n";

}  // namespace

TEST_CASE("predicted models: residues of low pLDDT have a letter, and nothing else") {
  const SequenceRecord whole = record_of(atoms_with([](std::size_t, std::size_t) { return 50; }));
  CHECK_FALSE(whole.unsure.has_value());
  for (const double scale : {1.0, 0.01}) {  // of AlphaFold, and of some files of ESMFold
    const SequenceRecord record =
        record_of(kTitle + atoms_with([&](std::size_t residue, std::size_t atom) {
                    return scale * low_at_first(residue, atom);
                  }));
    CHECK(record.unsure == 20);
    CHECK(record.letters == whole.letters);
    CHECK(record.track.substr(0, 20) == std::string(20, '?'));
    CHECK(record.track.find('?', 20) == std::string::npos);
    CHECK(known(record) == 44);
    CHECK_FALSE(record.trace[19].has_value());
    CHECK(record.trace[20]->x == whole.trace[20]->x);
  }
  // The limit itself is sure.
  CHECK(record_of(kTitle + atoms_with([](std::size_t residue, std::size_t) {
                    return residue < 10 ? 49.99 : 50.0;
                  }))
            .unsure == 10);
  SequenceRecord other = record_of(kTitle + atoms_with(low_at_first));
  const PredictedModels counts =
      predicted_models(SequenceSet({whole, other}, ResidueType::protein));
  CHECK(counts.models == 1);
  CHECK(counts.residues == 64);
  CHECK(counts.unsure == 20);
  CHECK(to_string(counts) == "1 predicted model; 20 of 64 residues below a pLDDT of 50");
}

TEST_CASE("predicted models: a file that states an experiment is none, whatever else it says") {
  const std::string atoms = atoms_with(low_at_first);
  const std::string title = "TITLE     SOLVED WITH A MODEL OF ALPHAFOLD\n";
  for (const std::string first :
       {"EXPDTA    X-RAY DIFFRACTION\n", "EXPDTA    ELECTRON MICROSCOPY\n",
        "CRYST1   42.240   42.240   42.950  90.00  90.00  90.00 P 41          4\n"}) {
    CAPTURE(first);
    CHECK_FALSE(record_of(first + title + atoms).unsure.has_value());
  }
  CHECK_FALSE(
      record_of(title + atoms + "ANISOU    1  N   GLN A   3     2406   1892\n").unsure.has_value());
  CHECK_FALSE(record_of("REMARK   3 STARTING MODEL: ALPHAFOLD\n" + atoms).unsure.has_value());
  for (const std::string first :
       {"EXPDTA    THEORETICAL MODEL\n",
        "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n"}) {
    CHECK(record_of(first + title + atoms).unsure == 20);
  }
}

TEST_CASE("predicted models: atoms alone tell a pLDDT from B factors") {
  const std::vector<int> near = contacts();
  const auto unsure = [&](const std::function<double(std::size_t, std::size_t)>& value) {
    return record_of(atoms_with(value)).unsure;
  };
  const int most = *std::ranges::max_element(near);
  const auto rising = [&](std::size_t residue, std::size_t) {
    return static_cast<double>(100 * near[residue] / most);
  };
  const auto count = std::ranges::count_if(near, [&](int n) { return 100 * n / most < 50; });
  REQUIRE(count > 5);
  CHECK(unsure(rising) == static_cast<std::uint32_t>(count));
  CHECK(
      unsure([&](std::size_t residue, std::size_t) { return near[residue] / 100.0; }).has_value());
  // Refined by residues: high where there are few contacts.
  CHECK_FALSE(unsure([&](std::size_t residue, std::size_t) {
    return static_cast<double>(100 * (most + 1 - near[residue]) / most);
  }));
  // Refined by atoms.
  CHECK_FALSE(unsure([&](std::size_t residue, std::size_t atom) {
    return rising(residue, atom) - (atom == 3 && residue == 7 ? 0.01 : 0);
  }));
  // Out of range, in part unknown, or of one value.
  CHECK_FALSE(unsure([&](std::size_t residue, std::size_t) { return 12.0 * near[residue]; }));
  CHECK_FALSE(unsure(
      [&](std::size_t residue, std::size_t) { return residue == 5 ? 0 : rising(residue, 0); }));
  CHECK_FALSE(unsure([](std::size_t, std::size_t) { return 20.0; }));
}

TEST_CASE("predicted models: one that has no pLDDT keeps its coordinates, with a warning") {
  const WarningCatcher caught;
  const SequenceRecord record = record_of(kTitle + atoms_with([](std::size_t residue, std::size_t) {
                                            return residue == 3 ? 120.0 : 30.0;
                                          }));
  CHECK_FALSE(record.unsure.has_value());
  CHECK(known(record) == 64);
  CHECK(only(caught) == "in: says that it is predicted, but its B factors are no pLDDT");
}

TEST_CASE("predicted models: one without a sure residue, and mmCIF with local metrics") {
  {
    const WarningCatcher caught;
    const SequenceRecord record =
        record_of(kTitle + atoms_with([](std::size_t, std::size_t) { return 30; }));
    CHECK(record.unsure == 64);
    CHECK(known(record) == 0);
    CHECK(record.track == std::string(64, '?'));
    CHECK(only(caught) ==
          "in: a predicted model without a residue of a pLDDT of at least 50 in chain A, so "
          "that its letters alone count");
  }
  // The metric counts, not the column of B factors, and only that of the pLDDT.
  std::string cif =
      "data_x\nloop_\n_ma_qa_metric.id\n_ma_qa_metric.mode\n_ma_qa_metric.name\n"
      "_ma_qa_metric.type\n1 global pLDDT pLDDT\n2 local pLDDT pLDDT\n3 local other zscore\n"
      "loop_\n_ma_qa_metric_local.label_asym_id\n_ma_qa_metric_local.label_seq_id\n"
      "_ma_qa_metric_local.metric_id\n_ma_qa_metric_local.metric_value\n"
      "A 1 3 10\nA 1 2 80\nA 2 3 90\nA 2 2 20.5\nA 3 2 75\n";
  const std::string atoms =
      "loop_\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n"
      "_atom_site.label_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "_atom_site.B_iso_or_equiv\n"
      "CA ALA A 1 0 0 0 5\nCA CYS A 2 3.8 0 0 95\nCA GLY A 3 7.6 0 0 5\n";
  const WarningCatcher caught;  // CA alone have no secondary structure
  const SequenceRecord record = record_of(cif + atoms, AlignmentFormat::mmcif);
  CHECK(record.unsure == 1);
  CHECK(record.trace[0].has_value());
  CHECK_FALSE(record.trace[1].has_value());
  const std::string plain = "data_x\n_struct.title 'AlphaFold prediction'\n";
  CHECK(record_of(plain + atoms, AlignmentFormat::mmcif).unsure == 2);
  CHECK_FALSE(
      record_of(plain + "_exptl.method 'X-RAY DIFFRACTION'\n" + atoms, AlignmentFormat::mmcif)
          .unsure.has_value());
}
