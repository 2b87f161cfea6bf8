// SPDX-License-Identifier: Apache-2.0
// The progress of a search for a tree of maximum likelihood.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/host/host_backend.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/model_choice.hpp"

using namespace accord;

namespace {

/// Keeps the stages of a run, with the items of each that are done.
struct Stages : ProgressListener {
  void begin(const std::string& stage, const std::string&, std::uint64_t items,
             std::uint64_t) override {
    if (names.empty() || names.back() != stage) names.push_back(stage);
    all[stage] = items;
    last = stage;
  }
  void advance(std::uint64_t items, std::uint64_t) override { done[last] += items; }

  std::vector<std::string> names;
  std::map<std::string, std::uint64_t> all, done;
  std::string last;
};

LikelihoodInput input() {
  std::vector<SequenceRecord> rows;
  const char* letters[] = {"ACGTACGTAACCGGTTACGA", "ACGTACGTAACCGGTTACGT", "ACGAACGTATCCGGTTACTT",
                           "TCGAACGTATCCGCTTACTT", "TCGAACTTATCAGCTTACTA"};
  for (const char* row : letters) {
    rows.push_back({});
    rows.back().header = "r" + std::to_string(rows.size());
    rows.back().letters = row;
  }
  return likelihood_input(rows, {0, 1, 2, 3, 4}, ResidueType::dna, "auto", "rows");
}

}  // namespace

TEST_CASE("search log: a search has its stages, and each step counts") {
  HostBackend host;
  Scheduler scheduler(host);
  Stages stages;
  SearchLog log(&stages);
  LikelihoodInput one = input();
  const std::size_t fitted =
      choose_model(one, neighbor_joining_tree(one, scheduler), ResidueType::dna, scheduler, log)
          .size();
  CHECK(stages.done["models"] == fitted);
  CHECK(stages.all["models"] >= fitted);
  CHECK(stages.done["near models"] > 0);
  ml_tree(one, FitTarget::all, 3, scheduler, log);
  CHECK(stages.names == std::vector<std::string>{"models", "near models", "first tree",
                                                 "interchanges", "regrafts", "fit"});
  CHECK(stages.done["first tree"] == 1);
  CHECK(stages.done["interchanges"] > 0);
  CHECK(stages.done["fit"] == 1);
}
