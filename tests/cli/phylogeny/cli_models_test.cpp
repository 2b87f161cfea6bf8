// SPDX-License-Identifier: Apache-2.0
// Models, supports and trees beside IQ-TREE 2.0.7 (Debian's iqtree 2.0.7+dfsg-1), run as a program.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The tree that every figure of dna_gaps_12 belongs to.
constexpr const char* kTree =
    "((seq5:0.35,(seq1:0.02,seq9:0.01):0.39):0.13,((seq6:0.41,((seq7:0.14,(seq11:0.03,seq4:0.007)"
    ":0.12):0.01,seq10:0.08):0.15):0.05,(((seq2:0.04,seq8:0.09):0.08,seq3:0.09):0.04,seq12:0.22)"
    ":0.12):0.12);\n";

std::string dna() { return source_dir() + "/datasets/simulated/dna_gaps_12.true.fa"; }
std::string proteins() { return source_dir() + "/datasets/simulated/moderate_12.true.fa"; }

std::string value_of(const std::string& table, const std::string& name) {
  const std::size_t at = table.find("\n" + name + "\t");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return table.substr(begin, table.find('\n', begin) - begin);
}

double total_of(const Outcome& outcome) {
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return std::stod(value_of(outcome.out, "log_likelihood"));
}

/// The columns of an alignment that no single residue fits, as IQ-TREE's .varsites.phy has them.
std::string variable_columns(const std::string& file) {
  FastaRows rows = parse_rows(file_bytes(file)), kept = rows;
  for (auto& row : kept) row.second.clear();
  for (std::size_t c = 0; c < rows.front().second.size(); ++c) {
    std::string known;
    for (const auto& row : rows) {
      const char letter = row.second[c];
      if (std::string("ACGT").find(letter) != std::string::npos) known += letter;
    }
    if (known.find_first_not_of(known.front()) == std::string::npos) continue;
    for (std::size_t k = 0; k < rows.size(); ++k) kept[k].second += rows[k].second[c];
  }
  std::string text;
  for (const auto& [header, letters] : kept) text += ">" + header + "\n" + letters + "\n";
  return text;
}

/// The labels of inner nodes in a Newick text, in its order.
std::vector<std::string> labels_of(const std::string& newick) {
  std::vector<std::string> labels;
  for (std::size_t at = newick.find(')'); at != std::string::npos; at = newick.find(')', at + 1)) {
    labels.push_back(newick.substr(at + 1, newick.find_first_of(":;", at) - at - 1));
  }
  return labels;
}

}  // namespace

// iqtree2 -s dna_gaps_12.true.fa -te t.nwk -m NAME -me 0.0001 -T 1; of TPM2 and TPM3 with +FQ: that
// version gives them the frequencies of TPM2u and TPM3u, which its documents do not.
TEST_CASE("models: the names of other programs, with IQ-TREE's likelihoods") {
  const Program program;
  program.directory().write("t.nwk", kTree);
  for (const auto& [names, expected] : std::vector<std::pair<std::vector<std::string>, double>>{
           {{"JC", "jc69"}, -2217.9283},
           {{"F81", "JC+F"}, -2185.6573},
           {{"K80", "K2P", "HKY+FQ"}, -2188.2011},
           {{"HKY", "HKY85", "HKY+FC", "K80+F"}, -2143.5410},
           {{"TNe", "TrNef", "TN93ef"}, -2187.6837},
           {{"TN", "TN93", "TrN"}, -2143.4762},
           {{"K81", "K3P", "TPM1"}, -2188.1769},
           {{"K81u", "TPM1uf", "K3Pu"}, -2142.1608},
           {{"TPM2", "TPM2+FQ"}, -2188.1764},
           {{"TPM2u", "TPM2uf"}, -2138.3152},
           {{"TPM3"}, -2182.1224},
           {{"TPM3u"}, -2142.4574},
           {{"TIM", "TIM1uf"}, -2142.1069},
           {{"TIMe"}, -2187.6609},
           {{"TIM2"}, -2138.2452},
           {{"TIM2e"}, -2187.6647},
           {{"TIM3"}, -2142.4046},
           {{"TIM3e"}, -2181.5880},
           {{"TVM"}, -2136.6754},
           {{"TVMe", "TVMef"}, -2181.9719},
           {{"SYM", "GTR+FE"}, -2181.4303},
           {{"GTR"}, -2136.6243},
           {{"GTR+G4", "GTRGAMMA", "gtr+gamma"}, -2110.4745}}) {
    for (const std::string& name : names) {
      CAPTURE(name);
      const double found =
          total_of(program.run({"likelihood", dna(), "--tree", "t.nwk", "--model", name}));
      CHECK(std::abs(found - expected) < 2e-3);
    }
  }
}

// iqtree2 -s FILE -te t.nwk -m MODEL -me 0.0001 -T 1: it stops at -2108.7893 for GTR+F+R4 and at
// -2114.4613 for HKY+F+I+R3, lower than here; on the second file at what stands here.
TEST_CASE("models: free rates are as likely as IQ-TREE's, or more") {
  const Program program;
  program.directory().write("t.nwk", kTree);
  const auto found = [&](const std::string& file, std::vector<std::string> more) {
    more.insert(more.begin(), {"likelihood", file, "--model"});
    return program.run(more);
  };
  CHECK(total_of(found(dna(), {"GTR+R4", "--tree", "t.nwk"})) > -2108.35);
  CHECK(total_of(found(dna(), {"HKY+I+R3", "--tree", "t.nwk"})) > -2114.28);
  total_of(found(proteins(), {"LG+G4", "--tree-out", "p.nwk"}));
  const Outcome two = found(proteins(), {"LG+R2", "--tree", "p.nwk"});
  CHECK(std::abs(total_of(two) + 3409.5224) < 2e-3);
  CHECK(std::abs(std::stod(value_of(two.out, "weight_1")) - 0.5675) < 1e-3);
  CHECK(std::abs(std::stod(value_of(two.out, "rate_2")) - 1.9861) < 1e-3);
  CHECK(std::abs(total_of(found(proteins(), {"LG+R4", "--tree", "p.nwk"})) + 3403.6552) < 2e-3);
  // Given weights and rates are kept, whatever their sums.
  const Outcome given = found(proteins(), {"LG+R2{1.135,0.497,0.865,3.9722}", "--tree", "p.nwk"});
  CHECK(std::abs(total_of(given) + 3409.5224) < 2e-2);
  CHECK(value_of(given.out, "free_parameters") == "21");
  CHECK(value_of(two.out, "free_parameters") == "23");
}

// iqtree2 -s v.fa -te t.nwk -m NAME -me 0.0001 -T 1; v.fa as IQ-TREE's .varsites.phy.
TEST_CASE("models: sites that vary alone, with IQ-TREE's likelihoods") {
  const Program program;
  program.directory().write("t.nwk", kTree);
  program.directory().write("v.fa", variable_columns(dna()));
  const auto fitted = [&](const std::string& model) {
    return program.run(
        {"likelihood", "v.fa", "--tree", "t.nwk", "--model", model, "--sites", "sites.tsv"});
  };
  CHECK(std::abs(total_of(fitted("JC+ASC")) + 1894.9876) < 2e-3);
  CHECK(std::abs(total_of(fitted("HKY+ASC")) + 1835.8912) < 2e-3);
  const Outcome gamma = fitted("ASC_GTRGAMMA");
  CHECK(std::abs(total_of(gamma) + 1825.0432) < 2e-3);
  CHECK(value_of(gamma.out, "sites") == "191");
  // The sites are those of the alignment, and add up.
  std::istringstream sites(file_bytes(program.directory().path("sites.tsv")));
  std::string line;
  double sum = 0;
  std::size_t count = 0;
  std::getline(sites, line);
  for (; std::getline(sites, line); ++count) sum += std::stod(line.substr(line.find('\t')));
  CHECK(count == 191);
  CHECK(std::abs(sum - total_of(gamma)) < 1e-5);
  // A search with it, and what it refuses.
  CHECK(total_of(program.run(
            {"likelihood", "v.fa", "--model", "GTR+G4+ASC", "--nni", "--spr", "5"})) > -1825.05);
  const Outcome constant = program.run({"likelihood", dna(), "--model", "HKY+ASC"});
  CHECK(constant.exit_code == 65);
  CHECK(constant.err.find("105 sites may be the same in all rows, the first of them site 11") !=
        std::string::npos);
  CHECK(program.run({"likelihood", "v.fa", "--model", "HKY+I+ASC"}).exit_code == 2);
}

// iqtree2 -s dna_gaps_12.true.fa -te t.nwk -m GTR+F+G4 -me 0.0001 -T 1 --alrt 100000, with
// --abayes, and with --alrt 0; branches in the order of the closing parentheses of the tree.
TEST_CASE("support: beside IQ-TREE's, branch by branch") {
  const Program program;
  program.directory().write("t.nwk", kTree);
  const auto labels = [&](const std::string& kinds, const std::string& threads) {
    const Outcome outcome =
        program.run({"likelihood", dna(), "--tree", "t.nwk", "--model", "GTR+G4", "--support",
                     kinds, "--tree-out", "s.nwk", "--threads", threads});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return labels_of(file_bytes(program.directory().path("s.nwk")));
  };
  const std::vector<double> sh = {99.5, 97.4, 99.9, 0, 98.6, 59, 98.2, 84.1, 90.8, 97.4};
  const std::vector<double> abayes = {1, 1, 1, 0.333, 1, 0.591, 1, 0.905, 0.969, 1};
  // Next to 0 IQ-TREE reads the distribution off a table: the fourth is left out.
  const std::vector<double> alrt = {1, 1, 1, -1, 1, 0.759, 1, 0.974, 0.993, 1};
  const std::vector<std::string> found_sh = labels("sh-alrt", "1");
  const std::vector<std::string> found_abayes = labels("abayes", "1");
  const std::vector<std::string> found_alrt = labels("aLRT", "1");
  REQUIRE(found_sh.size() == 11);  // the last is the root
  CHECK(found_sh.back().empty());
  const double deviation = 100 * 3 * std::sqrt(0.25 / 1000);  // of 1,000 replicates, three times
  for (std::size_t k = 0; k < sh.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(std::stod(found_sh[k]) - sh[k]) < deviation);
    CHECK(std::abs(std::stod(found_abayes[k]) - abayes[k]) < 0.02);
    if (alrt[k] >= 0) CHECK(std::abs(std::stod(found_alrt[k]) - alrt[k]) < 0.03);
  }
  // Several kinds, any number of threads.
  const std::vector<std::string> both = labels("sh-alrt,abayes", "2");
  for (std::size_t k = 0; k < 10; ++k) CHECK(both[k] == found_sh[k] + "/" + found_abayes[k]);
}

TEST_CASE("support: what has none, and where it does not belong") {
  const Program program;
  program.directory().write("t.nwk", "((human:0.1,chimp:0.1):0.1,gorilla:0.2);\n");
  const std::string primates = source_dir() + "/datasets/primates.fa";
  const Outcome few = program.run({"likelihood", primates, "--tree", "t.nwk", "--model", "JC",
                                   "--support", "sh-alrt", "--tree-out", "s.nwk"});
  CHECK(few.exit_code == 0);
  for (const std::string& label : labels_of(file_bytes(program.directory().path("s.nwk")))) {
    CHECK(label.empty());
  }
  for (const std::string& line : std::vector<std::string>{
           "likelihood " + primates + " --support sh-alrt",
           "likelihood " + primates + " --support bootstrap --tree-out x.nwk",
           "likelihood " + primates + " --support alrt --tree-out x.nwk --precision single",
           "tree " + primates + " --support alrt", "likelihood " + primates + " --spr 5",
           "likelihood " + primates + " --model JC --models m.tsv",
           "likelihood " + primates + " --model auto --fit lengths"}) {
    CAPTURE(line);
    const Outcome refused = program.shell("$accord " + line);
    CHECK(refused.exit_code == 2);
    CHECK(refused.out.empty());
  }
}

// iqtree2 -s dna_gaps_12.true.fa -te t.nwk -m MF -mset JC,F81,K80,HKY,TNe,TN,SYM,GTR
// -mrate E,I,G,I+G,R -merit BIC -T 1: its five best, and its BIC.
TEST_CASE("model auto: the model of the lowest BIC, as ModelFinder's") {
  const Program program;
  program.directory().write("t.nwk", kTree);
  const Outcome found =
      program.run({"likelihood", dna(), "--tree", "t.nwk", "--model", "auto", "--models", "m.tsv"});
  CHECK(std::abs(total_of(found) + 2115.463) < 0.01);
  CHECK(value_of(found.out, "model") == "HKY+G4");
  const std::string table = "\n" + file_bytes(program.directory().path("m.tsv"));
  CHECK(std::count(table.begin(), table.end(), '\n') >= 1 + 1 + 32 + 2);
  const std::vector<std::pair<std::string, double>> expected = {{"HKY+G4", 4378.875},
                                                                {"HKY+I+G4", 4382.970},
                                                                {"TN+G4", 4384.367},
                                                                {"HKY+R2", 4385.225},
                                                                {"HKY+I", 4387.483}};
  for (const auto& model : expected) {
    CAPTURE(model.first);
    const std::string line = value_of(table, model.first);
    CHECK(std::abs(std::stod(line.substr(line.rfind('\t'))) - model.second) < 1.0);
  }
  // The best comes first.
  CHECK(table.find("\nHKY+G4\t") < table.find("\nHKY+I+G4\t"));
  // In a search, and for sites that vary alone.
  const Outcome tree = program.run({"tree", dna(), "--aligned", "--ml", "--model", "AUTO",
                                    "--table", "t.tsv", "--support", "abayes"});
  CHECK(tree.exit_code == 0);
  CHECK(value_of(file_bytes(program.directory().path("t.tsv")), "model") == "HKY+G4");
  CHECK(tree.out.find(")1.000:") != std::string::npos);
  program.directory().write("v.fa", variable_columns(dna()));
  const Outcome varying = program.run({"likelihood", "v.fa", "--model", "auto+ASC"});
  CHECK(varying.exit_code == 0);
  CHECK(value_of(varying.out, "model").ends_with("+ASC"));
}
