// SPDX-License-Identifier: Apache-2.0
// accord batch: the alignments of single runs, whatever is shared, interrupted or bad.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

namespace fs = std::filesystem;

const std::string kFamilies = source_dir() + "/datasets/simulated";

/// The program in a directory with a manifest of small families of all three types.
class BatchProgram : public Program {
 public:
  BatchProgram() {
    std::string manifest;
    for (const char* name : {"easy_8", "dna_8", "rna_10", "swapped_6", "fragments_8", "twilight_6",
                             "odd_letters_10"}) {
      names_.push_back(name);
      manifest += kFamilies + "/" + name + ".fa\n";
    }
    directory().write("list", manifest);
  }

  const std::vector<std::string>& names() const { return names_; }

  /// What `accord batch list -O out ARGUMENTS` leaves behind.
  Outcome batch(const std::string& arguments, const std::string& environment = "") const {
    return shell(environment + " $accord batch list -O out --report report.json " + arguments);
  }

  std::string path_of(const std::string& name) const {
    return directory().path("out/" + name + ".afa");
  }

  /// Compares every family with a single run.
  void check_all() const {
    for (const std::string& name : names_) {
      CAPTURE(name);
      const Outcome single = run({kFamilies + "/" + name + ".fa", "-d", "none", "-q"});
      CHECK(single.exit_code == 0);
      CHECK(file_bytes(path_of(name)) == single.out);
    }
  }

  nlohmann::json report() const {
    return nlohmann::json::parse(file_bytes(directory().path("report.json")));
  }

  /// Families of the last report with this status.
  std::size_t count(const std::string& status) const {
    const nlohmann::json all = report()["families"];
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(),
                      [&](const nlohmann::json& family) { return family["status"] == status; }));
  }

 private:
  std::vector<std::string> names_;
};

TEST_CASE("cli batch: each alignment is that of a single run, for any number of threads") {
  const BatchProgram program;
  for (const char* options : {"-d none -j 1", "-d none -j 2", "-d none -j 7"}) {
    CAPTURE(options);
    fs::remove_all(program.directory().path("out"));
    const Outcome outcome = program.batch(options);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, "7 families: 7 aligned"));
    program.check_all();
  }
  CHECK(program.count("aligned") == 7);
}

TEST_CASE("cli batch: families share a device, alone, with the host, or one that is lost") {
  const BatchProgram program;
  if (program.shell("$accord devices | grep -q cpu0").exit_code != 0) return;
  for (const char* device : {"cpu0", "cpu0,none"}) {
    CAPTURE(device);
    fs::remove_all(program.directory().path("out"));
    CHECK(program.batch(std::string("-d ") + device).exit_code == 0);
    program.check_all();
  }
  fs::remove_all(program.directory().path("out"));
  const Outcome lost =
      program.batch("-d cpu0", "ACCORD_OPENCL_FAULT=clEnqueueNDRangeKernel:3+:-36");
  CHECK(lost.exit_code == 0);
  program.check_all();
  CHECK(program.report()["compute"]["faults"]["retired"].size() == 1);
}

TEST_CASE("cli batch: a directory; a family that fails does not stop the others") {
  const BatchProgram program;
  fs::create_directory(program.directory().path("in"));
  for (const std::string& name : program.names()) {
    fs::copy(kFamilies + "/" + name + ".fa", program.directory().path("in/" + name + ".fa"));
  }
  program.directory().write("in/zero.fa", "");
  program.directory().write("in/digits.fa", std::string(100000, '7'));  // the largest comes first
  const Outcome outcome = program.shell("$accord batch in -O out -d none --report report.json");
  CHECK(outcome.exit_code == 4);
  CHECK(has(outcome.err, "family digits failed: in/digits.fa:1"));
  CHECK(has(outcome.err, "2 of 9 families failed"));
  CHECK(program.count("failed") == 2);
  CHECK(program.count("aligned") == 7);
  program.check_all();
  CHECK(!fs::exists(program.path_of("digits")));
}

TEST_CASE(
    "cli batch: a family that needs more memory than the limit is refused, the others are not") {
  const BatchProgram program;
  program.directory().write("many.fa", random_fasta(1500, 300));
  program.directory().write("list", "many\tmany.fa\neasy\t" + kFamilies + "/easy_8.fa\n");
  const Outcome outcome = program.batch("-d none -j 2 --large never --memory 100M");
  CHECK(outcome.exit_code == 4);
  CHECK(has(outcome.err, "family many failed: OutOfMemory: 1500 sequences, mean length 300"));
  CHECK(program.count("failed") == 1);
  CHECK(program.count("aligned") == 1);
}

TEST_CASE("cli batch: an error of all families stops it, unless it is to keep going") {
  const BatchProgram program;
  // The largest family comes first, and cannot be written.
  std::string manifest = "a\t" + kFamilies + "/long_4.fa\tblocked/a\n";
  for (int k = 0; k < 20; ++k) {
    manifest += "b" + std::to_string(k) + "\t" + kFamilies + "/easy_8.fa\n";
  }
  program.directory().write("list", manifest);
  fs::create_directory(program.directory().path("out"));
  program.directory().write("out/blocked", "a file where a directory should be");
  CHECK(program.batch("-d none -j 1").exit_code == 4);
  CHECK(program.count("failed") == 1);
  CHECK(program.count("not started") > 0);
  CHECK(program.batch("-d none -j 1 --keep-going").exit_code == 4);
  CHECK(program.count("failed") == 1);
  CHECK(program.count("aligned") == 20);
}

TEST_CASE("cli batch: shards are disjoint and together everything") {
  const BatchProgram program;
  std::size_t done = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    CHECK(program.batch(std::string("-d none --shard ") + shard).exit_code == 0);
    done += program.count("aligned");
  }
  CHECK(done == 7);
  program.check_all();
  CHECK(program.batch("-d none --resume").exit_code == 0);
  CHECK(program.count("complete") == 7);
  CHECK(program.batch("--shard 4/3").exit_code == 2);
}

TEST_CASE("cli batch: --resume does again what is missing, damaged or of other options") {
  const BatchProgram program;
  CHECK(program.batch("-d none").exit_code == 0);
  CHECK(program.batch("-d none --resume").exit_code == 0);
  CHECK(program.count("complete") == 7);

  fs::remove(program.path_of("easy_8"));
  fs::resize_file(program.path_of("dna_8"), 100);
  program.directory().write("out/.accord-1-0.tmp", "left by a killed run");
  CHECK(program.batch("-d none --resume -j 1").exit_code == 0);  // threads change nothing
  CHECK(program.count("aligned") == 2);
  CHECK(program.count("complete") == 5);
  program.check_all();

  CHECK(program.batch("-d none --resume --consistency 1").exit_code == 0);
  CHECK(program.count("aligned") == 7);
  CHECK(program.batch("-d none").exit_code == 0);  // without --resume all is done again
  CHECK(program.count("aligned") == 7);
  program.check_all();
}

TEST_CASE("cli batch: a killed run is completed by --resume") {
  const BatchProgram program;
  program.shell("$accord batch list -O out -d none -j 1 & sleep 0.15; kill -9 $!; wait");
  CHECK(program.batch("-d none --resume").exit_code == 0);
  CHECK(program.count("failed") == 0);
  program.check_all();
}

TEST_CASE("cli batch: the time limit says that finished families are kept") {
  const BatchProgram program;
  // The second family is a pipe that nobody writes to. A slow machine gets a longer limit.
  const Outcome outcome =
      program.shell("mkfifo pipe; printf '" + kFamilies + "/easy_8.fa\npipe\n' > two\n" +
                    "for limit in 1 10 100 1000; do\n"
                    "  $accord batch two -O out -d none --time-limit $limit 2> said; code=$?\n"
                    "  grep -q easy_8 out/.accord-batch-1-of-1.tsv && break\n"
                    "done; cat said >&2; exit $code");
  CHECK(outcome.exit_code == 124);
  CHECK(has(outcome.err, "the time limit is reached, finished families are kept"));
  CHECK(has(outcome.err, "--resume"));
  CHECK_FALSE(has(outcome.err, "nothing was written"));
  CHECK(fs::exists(program.path_of("easy_8")));
}

TEST_CASE("cli batch: links that lead nowhere fail alone, in a directory and in a manifest") {
  const BatchProgram program;
  program.shell("mkdir in; cp " + kFamilies +
                "/easy_8.fa in; ln -s loop.fa in/loop.fa; "
                "ln -s nowhere in/gone.fa");
  for (const char* source : {"in", "-"}) {
    CAPTURE(source);
    const Outcome outcome =
        program.shell("printf '%s\\n' in/* | $accord batch " + std::string(source) +
                      " -O out -d none --report report.json");
    CHECK(outcome.exit_code == 4);
    CHECK_FALSE(has(outcome.err, "internal error"));
    CHECK(program.count("failed") == 2);
    CHECK(program.count("aligned") == 1);
  }
}

TEST_CASE("cli batch: one or several files of sequences are families, as a shell names them") {
  const BatchProgram program;
  const std::string family = kFamilies + "/easy_8.fa";
  const Outcome one = program.run({"batch", family, "-O", "out", "-d", "none"});
  CHECK(one.exit_code == 0);
  CHECK(has(one.err, "1 family: 1 aligned"));
  CHECK_FALSE(has(one.err, "warning"));
  const Outcome several = program.shell("$accord batch " + kFamilies + "/{easy_8,dna_8,rna_10}.fa" +
                                        " -O out -d none --report report.json");
  CHECK(several.exit_code == 0);
  CHECK(has(several.err, "3 families: 3 aligned"));
  CHECK(file_bytes(program.path_of("dna_8")) ==
        program.run({kFamilies + "/dna_8.fa", "-d", "none", "-q"}).out);
  CHECK(has(program.report()["input"].get<std::string>(), "dna_8.fa"));
  for (const char* format : {"clustal", "stockholm", "nexus", "msf", "phylip", "json"}) {
    CAPTURE(format);
    const Outcome aligned = program.shell("$accord " + family + " -q -d none -o x.1 -f " + format +
                                          " && $accord batch x.1 -O out -d none");
    CHECK(aligned.exit_code == 0);
    CHECK(has(aligned.err, "1 family: 1 aligned"));
  }
  const Outcome on_stdin = program.shell("$accord batch - -O out <" + family);
  CHECK(on_stdin.exit_code == 65);
  CHECK(has(on_stdin.err, "sequences (fasta), not a manifest"));
  CHECK(program.shell("$accord batch " + family + " " + family + " -O out").exit_code == 2);
}

TEST_CASE("cli batch: a matrix of proteins is for families of proteins") {
  const BatchProgram program;
  program.directory().write("list", kFamilies + "/easy_8.fa\n" + kFamilies + "/dna_8.fa\n");
  const Outcome outcome =
      program.batch("-d none --matrix " + source_dir() + "/datasets/substitution/blosum62.txt");
  CHECK(outcome.exit_code == 4);
  CHECK(has(outcome.err, "family dna_8 failed: the matrix blosum62"));
  CHECK(program.count("aligned") == 1);
}

TEST_CASE("cli batch: what a directory has besides families is named in one line") {
  const Program program;
  program.shell(
      "mkdir in in/sub; for f in one.fa two.prot three.txt four; do "
      "printf '>a\\nMKV\\n>b\\nMKL\\n' >in/$f; done; cp in/one.fa in/one.aln; echo hi "
      ">in/notes.txt");
  const Outcome outcome = program.run({"batch", "in", "-O", "out", "-d", "none"});
  CHECK(outcome.exit_code == 0);
  CHECK(has(outcome.err,
            "accord: warning: in: left out 1 alignment (one.aln), 1 folder (sub), 1 other file "
            "(notes.txt)\n"));
  CHECK(has(outcome.err, "4 families: 4 aligned"));
  CHECK(program.run({"batch", "in", "-O", "out", "-d", "none", "-q"}).err.empty());
  const Outcome logged =
      program.shell("$accord batch in -O out -d none --log log -q && grep -c 'left out' log");
  CHECK(logged.out == "1\n");
}

TEST_CASE("cli batch: a manifest on stdin, and what makes no sense") {
  const BatchProgram program;
  const Outcome outcome = program.shell("head -2 list | $accord batch - -O out -d none");
  CHECK(outcome.exit_code == 0);
  CHECK(has(outcome.err, "2 families: 2 aligned"));
  CHECK(program.shell("$accord batch list -d none").exit_code == 2);
  CHECK(program.shell("$accord batch list -O out --tree some.nwk").exit_code == 2);
  CHECK(program.shell("$accord batch missing -O out").exit_code == 66);
  CHECK(program.shell("$accord batch list -O list").exit_code == 73);
}

TEST_CASE("cli batch: no file of any shard replaces another or an input, however it is named") {
  const Program program;
  const auto refused = [&](const std::string& manifest, const std::string& options) {
    CAPTURE(manifest);
    CAPTURE(options);
    program.shell(
        "rm -rf *; mkdir sub real; ln -s real link; printf '>a\\nMKV\\n>b\\nMKL\\n' "
        "| tee a.fa b.fa >sub/c.fa; ln b.fa hard.fa; ln -s b.fa soft.fa");
    program.directory().write("list.tsv", manifest);
    const std::string before = program.shell("ls -R; cat a.fa b.fa sub/c.fa list.tsv").out;
    const Outcome outcome =
        program.shell("$accord batch list.tsv -O out " + options + " 2>&1 >/dev/null");
    CHECK((outcome.exit_code == 2 || outcome.exit_code == 65));
    CHECK(outcome.out.find("accord: error: ") != std::string::npos);
    CHECK(program.shell("ls -R; cat a.fa b.fa sub/c.fa list.tsv").out == before);
  };
  // An output that is an input, by a path that is not there yet, or through links.
  refused("A\ta.fa\t../b.fa\nB\tb.fa\n", "--allow-outside");
  refused("A\ta.fa\t../hard.fa\nB\tb.fa\n", "--allow-outside");
  refused("A\ta.fa\t../soft.fa\nB\tb.fa\n", "--allow-outside");
  refused("A\ta.fa\t../sub/../b.fa\nB\tb.fa\n", "--allow-outside --shard 2/2");
  refused("A\ta.fa\t../list.tsv\n", "--allow-outside");
  refused("A\ta.fa\t../a.html\nB\tb.fa\t../a.html\n", "--allow-outside");
  // A file beside an alignment, the index, the report, the log, the record.
  refused("A\ta.fa\tB.dnd\nB\tb.fa\n", "--beside tree");
  refused("A\ta.fa\tB.confidence.tsv\nB\tb.fa\n", "--beside confidence");
  refused("A\ta.fa\tindex.html\n", "--beside page");
  refused("index\ta.fa\n", "--beside page");
  refused("A\ta.fa\tx.one\nB\tb.fa\tx.two\n", "--beside tree");
  refused("A\ta.fa\n", "--report out/A.afa");
  refused("A\ta.fa\n", "--report a.fa");
  refused("A\ta.fa\n", "--log b.fa --report hard.fa");
  refused("A\ta.fa\n", "--log list.tsv");
  refused("A\ta.fa\n", "--plan a.fa");
  refused("A\ta.fa\n", "--plan list.tsv");
  // A plan, and what is of a run.
  for (const char* of_run : {"--shard 1/2", "--resume", "--report r.json"}) {
    refused("A\ta.fa\n", std::string("--plan plan.tsv ") + of_run);
  }
  refused("A\ta.fa\t.accord-batch-1-of-1.tsv\n", "");
  refused("A\ta.fa\t../link/x\nB\tb.fa\t../real/x\n", "--allow-outside");
  // What only looks alike is not refused.
  program.directory().write("list.tsv", "A\ta.fa\t../link/x\nB\tb.fa\t../sub/x\n");
  const std::vector<std::string> run = {"batch", "list.tsv",       "-O", "out", "--beside",
                                        "tree",  "--allow-outside"};
  CHECK(program.run(run).exit_code == 0);
}

TEST_CASE("cli batch: a manifest from elsewhere writes nothing outside -O, and no ID has a NUL") {
  const Program program;
  program.shell("printf '>a\\nMKV\\n>b\\nMKL\\n' >in.fa; mkdir sub");
  const std::string here = program.directory().path("");
  const auto run = [&](const std::string& list, const std::string& options) {
    program.directory().write("list", list);
    return program.shell("rm -rf out; $accord batch list -q -O out " + options);
  };
  for (const std::string& out : std::vector<std::string>{"../x", here + "/x", "a/../../x",
                                                         "sub/../../x", "..", "/dev/null"}) {
    CAPTURE(out);
    const std::string list = "# a list\nA\tin.fa\t" + out + "\n";
    const Outcome refused = run(list, "");
    check_refused(refused, 65, "the alignment of the family A would be written to " + out);
    CHECK(has(refused.err, "--allow-outside"));
    CHECK(program.shell("ls out x").out.empty());
  }
  CHECK(run("A\tin.fa\t../x\n", "--allow-outside").exit_code == 0);
  CHECK(program.shell("cat x").out == program.run({"in.fa"}).out);
  for (const std::string& inside : std::vector<std::string>{"x", "./x", "..x"}) {
    CHECK(run("A\tin.fa\t" + inside + "\n", "").exit_code == 0);
    CHECK(program.shell("ls -A out").out.find('x') != std::string::npos);
  }
  using namespace std::string_literals;
  for (const std::string& list : {"a\0x\tin.fa\na\0y\tin.fa\n"s, "a\tin\0.fa\n"s, "in.fa\0\n"s,
                                  "a\tin.fa\tx\0y\n"s, "a\tin.fa\tx\t1\tt\0\n"s}) {
    check_refused(run(list, ""), 65, "list:1: a NUL byte");
    CHECK(program.shell("ls out").out.empty());
  }
}

TEST_CASE("cli batch: suffixes in letters of either case") {
  const Program program;
  program.shell(
      "mkdir in; for f in one.FA two.Fasta three.FAA.gz; do "
      "printf '>a\\nMKV\\n>b\\nMKL\\n' >in/$f; done; gzip in/three.FAA.gz; "
      "mv in/three.FAA.gz.gz in/three.FAA.GZ");
  const Outcome outcome = program.run({"batch", "in", "-O", "out", "-f", "Stockholm"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("3 families: 3 aligned") != std::string::npos);
  CHECK(program.shell("ls out").out == "one.sto\nthree.sto\ntwo.sto\n");
}

}  // namespace
}  // namespace accord::testing
