// SPDX-License-Identifier: Apache-2.0
// What structures say of an alignment: lDDT, TM-scores, and all of them in one frame.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/chain_atoms.hpp"
#include "io/structures/structure_reader.hpp"
#include "method/structures/aligned_fit.hpp"
#include "method/structures/lddt.hpp"
#include "run/structure_run.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A helix of `count` residues that begins at residue `first`; `turn` rotates it about z.
Trace helix(std::size_t count, std::size_t first = 0, double turn = 0, double shift = 0) {
  Trace trace;
  for (std::size_t k = first; k < first + count; ++k) {
    const double angle = 1.745 * static_cast<double>(k) + turn;
    trace.push_back(Point{2.3 * std::cos(angle) + shift, 2.3 * std::sin(angle) - shift,
                          1.5 * static_cast<double>(k) + 2 * shift});
  }
  return trace;
}

/// A structure whose atoms are its CAs.
SequenceRecord structure(const std::string& name, Trace trace) {
  SequenceRecord record{name, std::string(trace.size(), 'A')};
  auto atoms = std::make_shared<ChainAtoms>();
  for (std::size_t k = 0; k < trace.size(); ++k) {
    atoms->names.push_back("ALA");
    atoms->numbers.push_back(std::to_string(k + 1));
    if (!trace[k]) continue;
    atoms->atoms.push_back({"CA", "C", *trace[k], 1, 50, static_cast<std::uint32_t>(k)});
  }
  record.atoms = atoms;
  record.trace = std::move(trace);
  return record;
}

SequenceSet set_of(std::vector<SequenceRecord> records) {
  return SequenceSet(std::move(records), ResidueType::protein);
}

/// The alignment in which residue k of each sequence is in column k + its shift.
Msa aligned(const SequenceSet& set, const std::vector<std::uint32_t>& shifts) {
  Msa msa;
  msa.column_of.resize(set.size());
  for (std::size_t input = 0; input < set.size(); ++input) {
    const std::size_t x = set.from_input(input);
    for (std::uint32_t k = 0; k < set.length(x); ++k) {
      msa.column_of[x].push_back(k + shifts[input]);
      msa.columns = std::max(msa.columns, k + shifts[input] + 1);
    }
  }
  return msa;
}

}  // namespace

TEST_CASE("lDDT: shares of preserved distances, by hand") {
  // On a line at 0, 5 and 10 Å; in y the last is at 10.6, so that two of its three distances, and
  // one of each other residue, change by .6: three of four thresholds hold.
  const Trace x = {Point{0, 0, 0}, Point{5, 0, 0}, Point{10, 0, 0}};
  const Trace y = {Point{0, 0, 0}, Point{0, 5, 0}, Point{0, 10.6, 0}};
  const SequenceSet set = set_of({structure("x", x), structure("y", y)});
  const std::optional<Lddt> lddt = alignment_lddt(set, aligned(set, {0, 0}));
  REQUIRE(lddt);
  REQUIRE(lddt->column.size() == 3);
  CHECK(lddt->column[0] == doctest::Approx(0.875));
  CHECK(lddt->column[1] == doctest::Approx(0.875));
  CHECK(lddt->column[2] == doctest::Approx(0.75));
  CHECK(lddt->mean == doctest::Approx((0.875 + 0.875 + 0.75) / 3));
  CHECK(lddt->pairs == 6);
  // Beyond the radius nothing is compared: of 0, 5 and 20 Å the last has no neighbour.
  const Trace far = {Point{0, 0, 0}, Point{5, 0, 0}, Point{20, 0, 0}};
  const SequenceSet alone = set_of({structure("x", far), structure("y", far)});
  const std::optional<Lddt> found = alignment_lddt(alone, aligned(alone, {0, 0}));
  CHECK(found->column[0] == 1);
  CHECK(std::isnan(found->column[2]));
  CHECK(found->pairs == 4);
}

TEST_CASE("lDDT: 1 for a moved copy, less for a shifted alignment; unknown CAs do not count") {
  Trace copy = helix(30, 0, 2, 40);
  const SequenceSet set = set_of({structure("x", helix(30)), structure("y", copy)});
  const std::optional<Lddt> same = alignment_lddt(set, aligned(set, {0, 0}));
  CHECK(same->mean == doctest::Approx(1));
  CHECK(*std::ranges::min_element(same->column) == 1);
  Trace bent = helix(30);
  for (std::size_t k = 15; k < 30; ++k)
    bent[k] = Point{bent[k]->x + 9, bent[k]->y, 40 - bent[k]->z};
  const SequenceSet other = set_of({structure("x", helix(30)), structure("y", bent)});
  const std::optional<Lddt> less = alignment_lddt(other, aligned(other, {0, 0}));
  CHECK(less->mean < 0.9);
  CHECK(less->column[2] > less->column[15]);
  copy[7] = std::nullopt;
  const SequenceSet unknown = set_of(
      {structure("x", helix(30)), structure("y", copy), SequenceRecord{"s", std::string(30, 'A')}});
  const std::optional<Lddt> part = alignment_lddt(unknown, aligned(unknown, {0, 0, 0}));
  CHECK(std::isnan(part->column[7]));
  CHECK(part->column[8] == 1);
  CHECK(part->pairs == 58);
  CHECK(part->residue[unknown.from_input(2)].empty());
  const SequenceSet one = set_of({structure("x", helix(30)), {"s", "AAA"}});
  CHECK_FALSE(alignment_lddt(one, aligned(one, {0, 0})).has_value());
}

TEST_CASE("structure pairs: all, or some of each, never with itself") {
  for (const auto& [count, most] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 10}, {1, 10}, {2, 10}, {5, 20}, {5, 19}, {9, 30}, {100, 10}, {1000, 200'000}}) {
    const auto pairs = structure_pairs(count, most);
    REQUIRE(pairs.size() == count);
    std::size_t all = 0;
    for (std::size_t x = 0; x < count; ++x) {
      const std::set<std::size_t> others(pairs[x].begin(), pairs[x].end());
      CHECK(others.size() == pairs[x].size());
      CHECK_FALSE(others.contains(x));
      all += others.size();
    }
    CHECK(all <= std::max(most, count));
    if (count * (count - (count > 0)) <= most) CHECK(all == count * (count - (count > 0)));
  }
}

TEST_CASE("TM-scores: by both lengths, and the motion") {
  // y has the last 40 of the 80 residues of x.
  const SequenceSet set = set_of({structure("x", helix(80)), structure("y", helix(40, 40, 1, 25))});
  const Msa msa = aligned(set, {0, 40});
  const auto x = static_cast<std::uint32_t>(set.from_input(0));
  const auto y = static_cast<std::uint32_t>(set.from_input(1));
  const std::optional<AlignedFit> fit = fit_aligned(set, msa, x, y);
  REQUIRE(fit);
  CHECK(fit->aligned == 40);
  CHECK(fit->tm_y == doctest::Approx(1));
  CHECK(fit->tm_x == doctest::Approx(0.5));
  CHECK(fit->tm_shorter == fit->tm_y);
  CHECK(fit->rmsd < 1e-6);
  CHECK(distance(fit->motion(*set.trace(x)[50]), *set.trace(y)[10]) < 1e-6);
  CHECK(fit_aligned(set, msa, y, x)->tm_x == doctest::Approx(1));
  CHECK_FALSE(fit_aligned(set, aligned(set, {0, 78}), x, y).has_value());
  // Half of the chain elsewhere: the rest still fits.
  Trace bent = helix(80);
  for (std::size_t k = 56; k < 80; ++k) bent[k]->x += 60;
  const SequenceSet half = set_of({structure("x", helix(80)), structure("y", bent)});
  const auto part = fit_aligned(half, aligned(half, {0, 0}), 0, 1);
  CHECK(part->tm_x > 0.69);
  CHECK(part->tm_x < 0.75);
  CHECK(tm_scale(100) == doctest::Approx(1.24 * std::cbrt(85.0) - 1.8));
  CHECK(tm_scale(15) == 0.5);
  CHECK(tm_scale(17) == 0.5);
}

TEST_CASE("common frame: onto the structure that fits best, in any order of the input") {
  const Trace odd = [] {
    Trace trace = helix(60);
    for (std::size_t k = 30; k < 60; ++k) trace[k] = Point{trace[k]->z, trace[k]->y, trace[k]->x};
    return trace;
  }();
  std::vector<SequenceRecord> records = {structure("odd", odd),
                                         structure("a", helix(60, 0, 1, 9)),
                                         structure("b", helix(58, 1, 2, 30)),
                                         {"s", "AAAA"},
                                         structure("short", helix(2))};
  std::vector<std::uint32_t> shifts = {0, 0, 1, 0, 70};
  std::string reference;
  for (int round = 0; round < 4; ++round) {
    const SequenceSet set = set_of(records);
    const Msa msa = aligned(set, shifts);
    const std::optional<CommonFrame> frame = common_frame(set, msa);
    REQUIRE(frame);
    const std::string name(set.name(frame->reference));
    CHECK(name != "odd");
    if (round > 0) CHECK(name == reference);
    reference = name;
    for (std::uint32_t x = 0; x < set.size(); ++x) {
      const bool has_motion = set.name(x) != "s" && set.name(x) != "short";
      CHECK(frame->motions[x].has_value() == has_motion);
      if (set.name(x) != "a" && set.name(x) != "b") continue;
      CHECK(frame->tm_scores[x] == doctest::Approx(1));
      const Point moved = (*frame->motions[x])(*set.trace(x)[5]);
      const Trace& fixed = set.trace(frame->reference);
      const std::size_t same =
          std::size_t{5} + (set.name(x) == "b" ? 1 : 0) - (reference == "b" ? 1 : 0);
      CHECK(distance(moved, *fixed[same]) < 1e-6);
    }
    const WarningCatcher caught;
    run::warn_of_unmoved(set, *frame);
    REQUIRE(caught.warnings().size() == 1);
    CHECK(caught.warnings()[0].find("1 structure is left out") != std::string::npos);
    std::rotate(records.begin(), records.begin() + 1, records.end());
    std::rotate(shifts.begin(), shifts.begin() + 1, shifts.end());
  }
}

TEST_CASE("superposed structures: chains, then models in PDB; names in mmCIF") {
  const auto written = [](std::size_t count, StructureFormat format) {
    std::vector<SequenceRecord> records;
    for (std::size_t k = 0; k < count; ++k) {
      records.push_back(structure("n" + std::to_string(k), helix(20, 0, static_cast<double>(k))));
    }
    const SequenceSet set = set_of(std::move(records));
    const Msa msa = aligned(set, std::vector<std::uint32_t>(count, 0));
    const CommonFrame frame = *common_frame(set, msa);
    return written_text([&](TextSink& out) { run::write_superposed(set, frame, format, out); });
  };
  const std::vector<ProteinChain> chains =
      parse_structure(written(62, StructureFormat::pdb), StructureFormat::pdb, "in");
  REQUIRE(chains.size() == 62);
  CHECK(chains[0].name == "A");
  CHECK(chains[61].name == "9");
  for (const ProteinChain& chain : chains) {
    REQUIRE(chain.residues.size() == 20);
    CHECK(distance(*chain.residues[7].ca, *chains[0].residues[7].ca) < 0.01);
  }
  const std::string models = written(63, StructureFormat::pdb);
  CHECK(models.find("MODEL       63\n") != std::string::npos);
  CHECK(models.find("REMARK   1 MODEL 63: n62, TM-SCORE 1.0000\n") != std::string::npos);
  CHECK(parse_structure(models, StructureFormat::pdb, "in").size() == 1);  // the first model
  const std::vector<ProteinChain> named =
      parse_structure(written(70, StructureFormat::mmcif), StructureFormat::mmcif, "in");
  REQUIRE(named.size() == 70);
  CHECK(named[69].name == "n69");
  CHECK(distance(*named[69].residues[3].ca, *named[0].residues[3].ca) < 0.01);
}

TEST_CASE("superposed structures: odd names, insertion codes, and what PDB has no place for") {
  SequenceRecord first = structure("it's \"x\"", helix(20));
  auto atoms = std::make_shared<ChainAtoms>(*first.atoms);
  atoms->numbers[3] = "27A";
  atoms->numbers[4] = "-5";
  atoms->names[5] = "MSE";
  first.atoms = atoms;
  const SequenceSet set = set_of({first, structure("_data", helix(20))});
  const CommonFrame frame = *common_frame(set, aligned(set, {0, 0}));
  const auto text = [&](StructureFormat format, const CommonFrame& in) {
    return written_text([&](TextSink& out) { run::write_superposed(set, in, format, out); });
  };
  const std::string pdb = text(StructureFormat::pdb, frame);
  CHECK(pdb.find("  CA  ALA A  27A  ") != std::string::npos);
  CHECK(pdb.find("  CA  ALA A  -5   ") != std::string::npos);
  CHECK(pdb.find("HETATM    6  CA  MSE A   6 ") != std::string::npos);
  const auto chains =
      parse_structure(text(StructureFormat::mmcif, frame), StructureFormat::mmcif, "in");
  REQUIRE(chains.size() == 2);
  CHECK(chains[1].name == "_data");
  CHECK(chains[0].residues[5].letter == 'M');
  CommonFrame far = frame;
  for (auto& motion : far.motions) motion->shift.x += 20'000;
  CHECK_THROWS_AS(text(StructureFormat::pdb, far), Error);
  CHECK(text(StructureFormat::mmcif, far).find(" 2000") != std::string::npos);
}
