// SPDX-License-Identifier: Apache-2.0
// Families of genomes that are alike, and genomes that are added to an alignment.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/large_family.hpp"
#include "support/base_sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr std::size_t kLength = 10'300;
constexpr std::uint32_t kUnknown = 0xffffffff;  // in place of the true column of an unknown base

/// A genome with the true column of each base. Columns are places of the root, times 100, so that
/// insertions have some between.
struct Genome {
  std::string letters;
  std::vector<std::uint32_t> column;

  static Genome root(std::mt19937& random) {
    Genome genome{random_bases(random, kLength), {}};
    for (std::uint32_t i = 0; i < kLength; ++i) genome.column.push_back(100 * i);
    return genome;
  }

  void cut(std::size_t first, std::size_t count) {
    letters.erase(first, count);
    const auto at = column.begin() + static_cast<std::ptrdiff_t>(first);
    column.erase(at, at + static_cast<std::ptrdiff_t>(count));
  }
  void insert(std::size_t at, const std::string& bases) {
    letters.insert(at, bases);
    std::vector<std::uint32_t> row_columns;
    for (std::uint32_t k = 1; k <= bases.size(); ++k) row_columns.push_back(column[at - 1] + k);
    column.insert(column.begin() + static_cast<std::ptrdiff_t>(at), row_columns.begin(),
                  row_columns.end());
  }
  void hide(std::size_t first, std::size_t count) {
    letters.replace(first, count, std::string(count, 'N'));
    std::fill_n(column.begin() + static_cast<std::ptrdiff_t>(first), count, kUnknown);
  }
};

/// A relative: one base in `rarity` is another one, some are left out or put in, ends are cut off,
/// and a run is unknown.
Genome relative(std::mt19937& random, Genome genome, std::uint32_t rarity) {
  for (char& c : genome.letters) {
    if (random() % rarity == 0) c = c == 'A' ? 'C' : 'A';
  }
  for (int k = 0; k < 4; ++k) {
    const std::size_t at = 1000 + random() % 8000;
    if (k % 2) {
      genome.cut(at, 1 + random() % 20);
    } else {
      genome.insert(at, random_bases(random, 1 + random() % 20));
    }
  }
  genome.cut(0, random() % 60);
  genome.cut(genome.letters.size() - 60, random() % 60);
  genome.hide(random() % 9000, 200);
  return genome;
}

/// Genomes as a family: the k-th record is the k-th genome.
SequenceSet set_of(const std::vector<Genome>& genomes) {
  std::vector<SequenceRecord> records;
  for (const Genome& genome : genomes) {
    records.push_back({"g" + std::to_string(records.size()), genome.letters});
  }
  return SequenceSet(std::move(records), ResidueType::dna);
}

/// Of the pairs of known bases that are homologous to one of the first genome, the share that does
/// not stand in one column, and the same the other way round.
double errors_of(const Msa& msa, const SequenceSet& set, const std::vector<Genome>& genomes) {
  const std::vector<std::uint32_t>& first = msa.column_of[set.from_input(0)];
  std::size_t wrong = 0, judged = 0;
  for (std::size_t k = 1; k < genomes.size(); ++k) {
    const std::vector<std::uint32_t>& row = msa.column_of[set.from_input(k)];
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint32_t truth = genomes[k].column[i];
      if (truth == kUnknown) continue;
      const auto at = std::ranges::lower_bound(genomes[0].column, truth);
      const bool is_homologous = at != genomes[0].column.end() && *at == truth;
      const auto base = static_cast<std::size_t>(at - genomes[0].column.begin());
      judged += is_homologous;
      wrong += is_homologous ? first[base] != row[i] : std::ranges::binary_search(first, row[i]);
    }
  }
  return static_cast<double>(wrong) / static_cast<double>(judged);
}

std::vector<Genome> family_of(std::size_t count, std::uint32_t seed, std::uint32_t rarity) {
  std::mt19937 random(seed);
  std::vector<Genome> genomes = {Genome::root(random)};
  while (genomes.size() < count) genomes.push_back(relative(random, genomes[0], rarity));
  return genomes;
}

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// Of each column its place among those that were given; -1 of a new one.
std::vector<std::int64_t> given_places(const CombinedAlignment& alignment) {
  std::vector<std::int64_t> places;
  std::int64_t next = 0;
  for (const bool is_given : alignment.is_given_column) places.push_back(is_given ? next++ : -1);
  return places;
}

const AlignSettings kSettings = make_settings({}, ResidueType::dna);

Msa aligned(const SequenceSet& set, int threads) {
  const LocalThreadCount of_test(threads);
  HostBackend host;
  Scheduler scheduler(host);
  return align_sequences(set, kSettings, plan_family(set, kSettings), scheduler).msa;
}

}  // namespace

TEST_CASE("genomes: samples of words") {
  std::mt19937 random(31);
  const Genome root = Genome::root(random);
  Genome part = root;
  part.hide(2000, 3000);
  part.cut(0, 500);
  Genome other = relative(random, root, 20);
  const std::string unrelated = random_bases(random, kLength);
  const SequenceSet set({{"root", root.letters},
                         {"part", part.letters},
                         {"other", other.letters},
                         {"unrelated", unrelated},
                         {"unknown", std::string(300, 'N')}},
                        ResidueType::dna);
  std::vector<std::uint32_t> in_input;
  for (std::size_t k = 0; k < set.size(); ++k) {
    in_input.push_back(static_cast<std::uint32_t>(set.from_input(k)));
  }
  const WordSamples samples(set, in_input);
  REQUIRE(samples.size() == 5);
  CHECK(samples.words(0) > kLength / 10);
  CHECK(samples.words(0) < kLength / 6);
  CHECK(samples.similarity_to(1, samples, 0) == 1.0);
  CHECK(samples.similarity_to(0, samples, 1) == 1.0);
  // .95 to the power of 20 is .36.
  CHECK(std::abs(samples.similarity_to(0, samples, 2) - 0.36) < 0.1);
  CHECK(samples.similarity_to(0, samples, 3) < 0.01);
  CHECK(samples.similarity_to(0, samples, 4) == 0.0);
  CHECK(samples.shared_with(1, samples, 0).size() == samples.words(1));
  CHECK(samples.most_central() == 0);
}

TEST_CASE("genomes: which families have a backbone of genomes") {
  const std::vector<Genome> genomes = family_of(22, 32, 50);
  const SequenceSet set = set_of(genomes);
  const auto backbone = genome_backbone(set, kSettings);
  REQUIRE(backbone.has_value());
  CHECK(backbone->size() == kGenomeBackbone);
  CHECK(std::ranges::is_sorted(*backbone));
  CHECK(plan_family(set, kSettings).backbone == kGenomeBackbone);

  // The same ones whatever the order of the input.
  std::vector<Genome> reversed(genomes.rbegin(), genomes.rend());
  CHECK(genome_backbone(set_of(reversed), kSettings) == backbone);

  AlignSettings settings = kSettings;
  settings.backbone = 5;
  CHECK(genome_backbone(set, settings)->size() == 5);
  settings.large = LargeFamilies::never;
  CHECK(!genome_backbone(set, settings));
  CHECK(plan_family(set, settings).backbone == 22);
  settings = kSettings;
  settings.tree = TreeMethod::file;
  CHECK(!genome_backbone(set, settings));
  CHECK(!genome_backbone(set_of({genomes.begin(), genomes.begin() + 16}), kSettings));
  // Copies are one genome.
  std::vector<Genome> copies(genomes.begin(), genomes.begin() + 16);
  copies.insert(copies.end(), 4, genomes[3]);
  CHECK(!genome_backbone(set_of(copies), kSettings));

  // One that is like no other stands in the backbone; twenty of them are no family of genomes.
  std::mt19937 random(33);
  std::vector<Genome> with_unrelated = genomes;
  with_unrelated.push_back({random_bases(random, kLength), {}});
  const SequenceSet mixed = set_of(with_unrelated);
  const auto with = genome_backbone(mixed, kSettings);
  REQUIRE(with.has_value());
  CHECK(std::ranges::binary_search(*with, static_cast<std::uint32_t>(mixed.from_input(22))));
  std::vector<Genome> unrelated;
  while (unrelated.size() < 20) unrelated.push_back({random_bases(random, kLength), {}});
  CHECK(!genome_backbone(set_of(unrelated), kSettings));
  CHECK(plan_family(set_of(unrelated), kSettings).backbone == 20);
  // Nor are a short one among them, short ones, and proteins.
  std::vector<Genome> with_short = genomes;
  with_short.push_back({genomes[0].letters.substr(0, 5000), {}});
  CHECK(!genome_backbone(set_of(with_short), kSettings));
  std::vector<SequenceRecord> proteins;
  for (const Genome& genome : genomes) proteins.push_back({"p", genome.letters});
  CHECK(!genome_backbone(SequenceSet(std::move(proteins), ResidueType::protein), kSettings));
}

TEST_CASE("genomes: the nearest ones cover what others lack") {
  std::mt19937 random(34);
  const Genome root = Genome::root(random);
  std::vector<Genome> rows;
  for (int k = 0; k < 6; ++k) {
    Genome row = root;
    for (int s = 0; s < 20 + k; ++s) row.letters[2000 + random() % 6000] = 'A';
    row.cut(0, 500);
    rows.push_back(row);
  }
  Genome whole = relative(random, root, 25);  // far from all, but with the first bases
  whole = Genome{root.letters.substr(0, 600) + whole.letters.substr(600), {}};
  rows.push_back(whole);
  Genome query = root;
  query.letters[5000] = query.letters[5000] == 'A' ? 'C' : 'A';
  rows.push_back(query);
  rows.push_back({random_bases(random, kLength), {}});
  rows.push_back({root.letters.substr(0, 700), {}});
  const SequenceSet set = set_of(rows);
  const auto at = [&](std::size_t k) { return static_cast<std::uint32_t>(set.from_input(k)); };
  std::vector<std::uint32_t> members, sequences = {at(7), at(8), at(9)};
  for (std::size_t k = 0; k < 7; ++k) members.push_back(at(k));
  const NearestGenomes found = nearest_genomes(set, sequences, members);
  CHECK(found.which == std::vector<std::size_t>{0});
  const std::span<const std::uint32_t> nearest = found.nearest.of(0);
  std::vector<std::uint32_t> places(nearest.begin(), nearest.end());
  REQUIRE(places.size() == kGenomesNearest);
  CHECK(places[0] < 6);
  CHECK(std::ranges::count(places, 6u) == 1);
  std::ranges::sort(places);
  CHECK(std::ranges::adjacent_find(places) == places.end());

  // A row that is not alike fills no place.
  const std::vector<std::uint32_t> two_rows = {members[6], at(8)};
  const NearestGenomes of_two_rows = nearest_genomes(set, std::span(sequences).first(1), two_rows);
  REQUIRE(of_two_rows.which.size() == 1);
  CHECK(std::ranges::equal(of_two_rows.nearest.of(0), std::vector<std::uint32_t>{0}));
  CHECK(nearest_genomes(set, sequences, std::span(&sequences[2], 1)).which.empty());
  CHECK(nearest_genomes(set, {}, members).which.empty());
}

TEST_CASE(
    "genomes: a row that is not alike is a neighbour where those that are alike have nothing") {
  std::mt19937 random(41);
  const std::string first = random_bases(random, kLength), second = random_bases(random, kLength);
  std::string mosaic = first.substr(0, 3000) + second.substr(3000);
  for (std::size_t i = 3000; i < mosaic.size(); ++i) {
    if (random() % 100 < 15) mosaic[i] = mosaic[i] == 'A' ? 'C' : 'A';
  }
  std::vector<Genome> genomes;
  for (const std::string& letters : {first, second, mosaic, first})
    genomes.push_back({letters, {}});
  genomes.back().letters[4000] = genomes.back().letters[4000] == 'A' ? 'C' : 'A';
  const SequenceSet set = set_of(genomes);
  const auto at = [&](std::size_t k) { return static_cast<std::uint32_t>(set.from_input(k)); };
  const std::vector<std::uint32_t> rows = {at(0), at(1)}, added = {at(2), at(3)};
  const NearestGenomes found = nearest_genomes(set, added, rows);
  REQUIRE(found.which == std::vector<std::size_t>{0, 1});
  CHECK(std::ranges::equal(found.nearest.of(0), std::vector<std::uint32_t>{0, 1}));
  CHECK(std::ranges::equal(found.nearest.of(1), std::vector<std::uint32_t>{0}));
}

TEST_CASE("genomes: a family is aligned as it evolved, the same in any order and on any threads") {
  const std::vector<Genome> genomes = family_of(20, 35, 100);
  const SequenceSet set = set_of(genomes);
  REQUIRE(genome_backbone(set, kSettings).has_value());
  const Msa msa = aligned(set, 1);
  // Indels in repeats have several places.
  CHECK(errors_of(msa, set, genomes) < 2e-3);
  const std::vector<Genome> reversed(genomes.rbegin(), genomes.rend());
  const SequenceSet other = set_of(reversed);
  const Msa again = aligned(other, 3);
  CHECK(again.columns == msa.columns);
  CHECK(again.column_of == msa.column_of);
}

TEST_CASE("genomes: added to a reference, and one that is like no row") {
  std::vector<Genome> genomes = family_of(8, 36, 40);
  std::mt19937 random(37);
  const SequenceSet set = set_of(genomes);
  HostBackend host;
  Scheduler scheduler(host);
  const auto reference = static_cast<std::uint32_t>(set.from_input(0));
  const AlignedPart part{{reference}, {static_cast<std::uint32_t>(kLength), {numbers(kLength)}}};
  const CombinedAlignment added = add_sequences(set, part, kSettings, scheduler);
  CHECK(std::ranges::count(added.is_given_column, true) == kLength);
  CHECK(errors_of(added.msa, set, genomes) < 1e-3);

  // An unrelated sequence changes none of them, and is placed as in any family.
  std::vector<Genome> with_unrelated = genomes;
  with_unrelated.push_back({random_bases(random, 1500), {}});
  const SequenceSet mixed = set_of(with_unrelated);
  const AlignedPart same{{static_cast<std::uint32_t>(mixed.from_input(0))}, part.msa};
  const CombinedAlignment both = add_sequences(mixed, same, kSettings, scheduler);
  const std::vector<std::int64_t> alone = given_places(added), beside = given_places(both);
  for (std::size_t k = 0; k < genomes.size(); ++k) {
    const std::vector<std::uint32_t>& row = added.msa.column_of[set.from_input(k)];
    const std::vector<std::uint32_t>& other = both.msa.column_of[mixed.from_input(k)];
    REQUIRE(row.size() == other.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < row.size(); ++i) different += alone[row[i]] != beside[other[i]];
    CHECK(different == 0);
  }
}
