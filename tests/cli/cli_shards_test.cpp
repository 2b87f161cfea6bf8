// SPDX-License-Identifier: Apache-2.0
// One large family on many machines: core, shards and join give the bytes of one process.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "io/files/sha256.hpp"
#include "support/paths.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Related and unrelated sequences, fragments and copies, some in small letters.
std::string family_text() {
  SequenceGenerator random(46);
  const Codes root = random.background(60);
  std::string text;
  for (int k = 0; k < 70; ++k) {
    Codes codes = random.mutate(root, 0.5, 0.02, 0.2);
    if (k % 9 == 4) codes = random.background(40 + random.below(30));
    if (k % 13 == 5) codes.resize(12);
    std::string letters = letters_of(codes);
    if (k % 3 == 1) {
      for (char& c : letters) c = static_cast<char>(c - 'A' + 'a');
    }
    text += ">s" + std::to_string(k) + " number " + std::to_string(k) + "\n" + letters + "\n";
    if (k % 10 == 0) text += ">copy" + std::to_string(k) + "\n" + letters_of(codes) + "\n";
  }
  return text + ">empty\n\n";
}

const std::vector<std::string> kLarge = {"-q",     "-d",         "none", "--large",
                                         "always", "--backbone", "9"};

/// The program with a family and its alignment by one process.
struct Family {
  Program program;

  Family(const std::vector<std::string>& outputs = {"-o", "one.fa"}) {
    program.directory().write("in.fa", family_text());
    run({"in.fa"}, kLarge, outputs);
  }

  Outcome try_run(const std::vector<std::string>& a, const std::vector<std::string>& b = {},
                  const std::vector<std::string>& c = {}) const {
    std::vector<std::string> arguments = a;
    arguments.insert(arguments.end(), b.begin(), b.end());
    arguments.insert(arguments.end(), c.begin(), c.end());
    return program.run(arguments);
  }
  void run(const std::vector<std::string>& a, const std::vector<std::string>& b = {},
           const std::vector<std::string>& c = {}) const {
    const Outcome outcome = try_run(a, b, c);
    CHECK(outcome.err == "");
    REQUIRE(outcome.exit_code == 0);
  }
  std::string bytes(const std::string& name) const {
    return file_bytes(program.directory().path(name));
  }
  /// The paths of the parts of a division.
  std::vector<std::string> place(const std::string& core, std::size_t count) const {
    std::vector<std::string> parts;
    for (std::size_t k = 1; k <= count; ++k) {
      const std::string shard = std::to_string(k) + "/" + std::to_string(count);
      parts.push_back("part" + std::to_string(k) + "of" + std::to_string(count) + ".acc");
      run({"add", core, "in.fa", "--shard", shard, "-q", "-d", "none", "-o", parts.back()});
    }
    return parts;
  }
};

}  // namespace

TEST_CASE("shards: any number of parts, in any order, gives the bytes of one process") {
  const Family family({"-o", "one.fa", "-o", "one.phy", "--tree-out", "one.nwk"});
  family.run({"core", "in.fa", "-o", "core.acc"}, kLarge);
  for (const std::size_t count : {1u, 2u, 3u, 7u, 100u}) {
    CAPTURE(count);
    std::vector<std::string> parts = family.place("core.acc", count);
    for (const bool is_reversed : {false, true}) {
      if (is_reversed) std::ranges::reverse(parts);
      family.run({"join", "core.acc"}, parts,
                 {"-q", "-d", "none", "-o", "all.fa", "-o", "all.phy", "--tree-out", "all.nwk"});
      CHECK(family.bytes("all.fa") == family.bytes("one.fa"));
      CHECK(family.bytes("all.phy") == family.bytes("one.phy"));
      CHECK(family.bytes("all.nwk") == family.bytes("one.nwk"));
    }
  }
  // One thread, or two, and packed files make no difference.
  family.run({"core", "in.fa", "-o", "core.acc.zst", "--threads", "2"}, kLarge);
  family.run({"add", "core.acc.zst", "in.fa", "--shard", "1/1", "-q", "-d", "none", "--threads",
              "1", "-o", "p.acc.gz"});
  family.run({"join", "core.acc.zst", "p.acc.gz", "-q", "-d", "none", "-o", "all.fa"});
  CHECK(family.bytes("all.fa") == family.bytes("one.fa"));
}

TEST_CASE("shards: confidence, reports and pages with a core that has what they need") {
  const Family family({"-o", "one.sto", "-o", "one.json", "-o", "one.a3m", "--confidence",
                       "one.tsv", "--order", "tree"});
  std::vector<std::string> core = {"core", "in.fa", "-o", "core.acc", "--with-confidence"};
  family.run(core, kLarge);
  const std::vector<std::string> parts = family.place("core.acc", 2);
  family.run(
      {"join", "core.acc"}, parts,
      {"-q", "-d", "none", "-o", "all.sto", "-o", "all.json", "-o", "all.a3m", "--confidence",
       "all.tsv", "--order", "tree", "--report", "r.json", "--html", "p.html"});
  for (const std::string suffix : {"sto", "json", "a3m", "tsv"}) {
    CAPTURE(suffix);
    CHECK(family.bytes("all." + suffix) == family.bytes("one." + suffix));
  }
  const auto report = nlohmann::json::parse(family.bytes("r.json"));
  CHECK(report["command"] == "join");
  CHECK(report["input"]["sequences"] == 78);
  CHECK(report["input"]["path"] == "in.fa");
  CHECK(report["input"]["type_detected"] == true);
  REQUIRE(report["input"]["files"].size() == 3);
  CHECK(report["input"]["files"][0]["path"] == "core.acc");
  CHECK(report["input"]["files"][2]["sha256"] == sha256(family.bytes(parts[1])));
  CHECK(report["parameters"]["backbone_sequences"] == 9);
  CHECK(report["confidence"]["mean"] > 0.0);
  // There are sequences that are placed again among all others, when the parts are joined.
  CHECK(std::ranges::any_of(report["stages"],
                            [](const auto& stage) { return stage["name"] == "uncertain"; }));
  CHECK(family.bytes("p.html").find("\"groups\":{\"core\":\"backbone\"") != std::string::npos);

  family.run({"core", "in.fa", "-o", "plain.acc"}, kLarge);
  check_refused(family.try_run({"join", "plain.acc"}, parts, {"-q", "-o", "all.sto"}), 2,
                "plain.acc has no confidence");
}

TEST_CASE("shards: options of the method are those of the core") {
  const Family family;
  const std::vector<std::string> method = {"--consistency", "0", "--refine", "1", "--tree", "nj"};
  family.run({"in.fa", "-o", "one.fa"}, kLarge, method);
  std::vector<std::string> core = {"core", "in.fa", "-o", "core.acc"};
  core.insert(core.end(), method.begin(), method.end());
  family.run(core, kLarge);
  family.run({"join", "core.acc", "-q", "-d", "none", "-o", "all.fa"}, family.place("core.acc", 2));
  CHECK(family.bytes("all.fa") == family.bytes("one.fa"));
}

TEST_CASE("shards: what does not belong together is refused with a line") {
  const Family family;
  family.run({"core", "in.fa", "-o", "core.acc"}, kLarge);
  family.run({"core", "in.fa", "-o", "other.acc", "--refine", "0"}, kLarge);
  const std::vector<std::string> parts = family.place("core.acc", 2);
  family.program.directory().write("few.fa", family_text().substr(0, 300));
  const auto join = [&](const std::vector<std::string>& files) {
    return family.try_run({"join"}, files, {"-q", "-d", "none"});
  };
  check_refused(join({"core.acc", parts[0]}), 65, "1 of 2 shards is missing: 2/2");
  check_refused(join({"other.acc", parts[0], parts[1]}), 65, "placed in the core ");
  check_refused(join({parts[0], parts[1]}), 65, "a part, not a core");
  check_refused(join({"core.acc", "core.acc"}), 2, "named twice");
  check_refused(join({"core.acc", "in.fa"}), 65, "in.fa: no part of a family in shards");
  family.run({"add", "core.acc", "in.fa", "--shard", "2/2", "-q", "-d", "none", "-o", "again.acc"});
  check_refused(join({"core.acc", parts[0], parts[1], "again.acc"}), 65,
                "part2of2.acc and again.acc are both the shard 2/2");
  const std::string text = family.bytes(parts[1]);
  family.program.directory().write("cut.acc", text.substr(0, text.size() / 2));
  check_refused(join({"core.acc", parts[0], "cut.acc"}), 65, "cut.acc: cut off");

  const std::string core = family.bytes("core.acc");
  const std::string lines = core.substr(0, core.rfind(";sha256 "));
  for (const auto& [from, to] :
       {std::pair{"\"places\":[", "\"places\":[9"}, std::pair{"\"left\":[", "\"left\":[9"}}) {
    std::string odd = lines;
    odd.replace(odd.find(from), std::string(from).size(), to);
    family.program.directory().write("odd.acc", odd + ";sha256 " + sha256(odd) + "\n");
    check_refused(join({"odd.acc", parts[0], parts[1]}), 65, "does not fit the members");
  }

  const auto add = [&](const std::vector<std::string>& more) {
    return family.try_run({"add", "core.acc"}, more, {"-q", "-d", "none", "-o", "p.acc"});
  };
  check_refused(add({"few.fa", "--shard", "1/2"}), 65, "few.fa is not the family of core.acc");
  check_refused(add({"in.fa", "--shard", "3/2"}), 2, "--shard 3/2");
  check_refused(add({"in.fa", "--shard", "1/2", "--type", "protein"}), 2, "the core has them");
  check_refused(add({"in.fa", "--shard", "1/2", "--gap-costs", "11,1"}), 2, "the core has them");
  check_refused(add({"in.fa", "--shard", "1/2", "-f", "fasta"}), 2, "a part is no alignment");
  check_refused(add({"in.fa", "--shard", "1/2", "--keep-columns"}), 2, "a part is no alignment");
  check_refused(family.try_run({"add", "in.fa", "few.fa", "--shard", "1/2", "-o", "p.acc"}), 65,
                "in.fa: no core of a family in shards");
  check_refused(family.try_run({"core", "in.fa", "-d", "none", "-q"}), 2,
                "the family is aligned whole");
  const Outcome too_few =
      family.try_run({"core", "few.fa", "-d", "none", "-q", "--large", "always"});
  check_refused(too_few, 2, "the family is aligned whole");
  CHECK(too_few.err.find("--large") == std::string::npos);
  check_refused(family.try_run({"core", "in.fa", "--tree", "t.nwk"}, kLarge), 2,
                "a guide tree of all sequences");
  check_refused(join({"core.acc", parts[0], parts[1], "--dist-out", "d.phy"}), 2, "--dist-out");
}
