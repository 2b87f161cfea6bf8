// SPDX-License-Identifier: Apache-2.0
// What each stage hands on, for every simulated family, against goldens.tsv: a line for
// each family, a hash for each stage; and the alignments of the local modes, against local.tsv.
// If a result is changed on purpose, write
// the file anew and say in the commit what changed and why:
//
//   ACCORD_WRITE_GOLDENS=1 build/tests/accord_tests -tc='goldens*'
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "engine/host/host_backend.hpp"
#include "golden/stages.hpp"
#include "io/families/reference_alignment.hpp"
#include "io/formats/formats.hpp"
#include "method/settings.hpp"
#include "support/align_cases.hpp"
#include "support/hash.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"
#include "tools/scoring.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kGoldens = source_dir() + "/tests/golden/goldens.tsv";
const std::string kLocalGoldens = source_dir() + "/tests/golden/local.tsv";

struct Run {
  std::string family;
  std::vector<StageHash> stages;
};

/// Every family; `hashes_of` gives what is compared of it.
template <class HashesOf>
std::vector<Run> recompute(const HashesOf& hashes_of) {
  const WarningCatcher quiet;
  const ThreadCount threads(2);
  HostBackend backend;
  std::vector<Run> runs;
  for (const std::string& family : simulated_families()) {
    runs.push_back({family, hashes_of(read_simulated(family), backend)});
  }
  return runs;
}

/// A line for each run: family, then stage=hash in the order of the stages.
std::string format_goldens(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) {
    text += run.family;
    for (const auto& [stage, hash] : run.stages) text += '\t' + stage + '=' + hash;
    text += '\n';
  }
  return text;
}

/// The lines of a file by family.
std::map<std::string, std::vector<StageHash>> read_goldens(const std::string& path) {
  std::map<std::string, std::vector<StageHash>> goldens;
  std::istringstream text(file_bytes(path));
  for (std::string line; std::getline(text, line);) {
    std::istringstream fields(line);
    std::string family, field;
    fields >> family;
    std::vector<StageHash>& stages = goldens[family];
    while (fields >> field) {
      const std::size_t at = field.find('=');
      stages.emplace_back(field.substr(0, at), field.substr(at + 1));
    }
  }
  return goldens;
}

/// The first stage that is not as it was, or "".
std::string first_difference(const std::vector<StageHash>& found,
                             const std::vector<StageHash>& golden) {
  for (std::size_t k = 0; k < std::max(found.size(), golden.size()); ++k) {
    if (k >= found.size()) return golden[k].first + " is missing";
    if (k >= golden.size()) return found[k].first + " is new";
    if (found[k] != golden[k]) return found[k].first;
  }
  return {};
}

/// Compares with a file, or writes it.
void compare_with(const std::string& path, const std::vector<Run>& runs) {
  if (std::getenv("ACCORD_WRITE_GOLDENS") != nullptr) {
    std::ofstream(path, std::ios::binary) << format_goldens(runs);
    MESSAGE("wrote ", path);
  }
  const auto goldens = read_goldens(path);
  CHECK(goldens.size() == runs.size());
  for (const Run& run : runs) {
    const auto golden = goldens.find(run.family);
    const std::string difference = golden == goldens.end()
                                       ? "there is no golden"
                                       : first_difference(run.stages, golden->second);
    CHECK_MESSAGE(difference.empty(), run.family, ", first stage that differs: ", difference);
  }
}

}  // namespace

TEST_CASE("goldens: every stage of every simulated family is as it was") {
  compare_with(kGoldens, recompute([](const SequenceSet& set, Backend& backend) {
                 return hash_stages(set, default_parameters(set.type()), backend);
               }));
}

TEST_CASE("goldens: every simulated family in the local modes is as it was") {
  compare_with(kLocalGoldens, recompute([](const SequenceSet& set, Backend& backend) {
                 std::vector<StageHash> hashes;
                 for (const AlignSettings& settings : settings_of_modes(set)) {
                   if (!settings.is_local()) continue;
                   Hash hash;
                   hash.add(aligned_fasta(set, settings, backend));
                   const bool is_local = settings.mode == AlignMode::local;
                   hashes.emplace_back(is_local ? "local" : "motifs", hash.hex());
                 }
                 return hashes;
               }));
}

TEST_CASE("goldens: a run that shows its values gives the same alignment") {
  const WarningCatcher quiet;
  HostBackend backend;
  for (const char* family : {"moderate_12", "fragments_8", "dna_gaps_12"}) {
    CAPTURE(family);
    const SequenceSet set = read_simulated(family);
    for (const float cutoff : {0.01f, 0.001f}) {
      AlignSettings settings = settings_of(set);
      settings.parameters.cutoff = cutoff;
      const auto stages = hash_stages(set, settings.parameters, backend);
      Hash whole;
      whole.add(aligned_fasta(set, settings, backend));
      CHECK(stages.back() == StageHash("refined", whole.hex()));
    }
  }
}

TEST_CASE("accuracy: simulated families come close to their true alignment") {
  // About two hundredths below what was measured.
  const std::map<std::string, double> least = {
      {"close_24", 0.98},      {"easy_8", 0.86}, {"moderate_12", 0.81}, {"short_20", 0.95},
      {"duplicates_12", 0.86}, {"dna_8", 0.92},  {"dna_gaps_12", 0.92}, {"rna_10", 0.90}};
  const WarningCatcher quiet;
  const ScratchDirectory scratch;
  const ThreadCount threads(2);
  HostBackend backend;
  double sum = 0;
  for (const auto& entry : least) {
    const std::string& family = entry.first;
    const SequenceSet set = read_simulated(family);
    const std::string test =
        scratch.write("test.fa", aligned_fasta(set, settings_of(set), backend));
    const double sp = score_alignment(read_alignment(test),
                                      read_reference_alignment(simulated_path(family, ".true.fa")))
                          .sum_of_pairs();
    CHECK_MESSAGE(sp >= entry.second, family, ": SP ", sp);
    sum += sp;
  }
  const double mean = sum / static_cast<double>(least.size());
  MESSAGE("mean SP ", mean);
  CHECK(mean >= 0.90);
}
