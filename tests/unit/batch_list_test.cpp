// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

std::vector<std::string> ids_of(const std::vector<BatchFamily>& families) {
  std::vector<std::string> ids;
  for (const BatchFamily& family : families) ids.push_back(family.id);
  return ids;
}

bool has_text(const Error& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

std::vector<BatchFamily> made_up(std::size_t count) {
  std::vector<BatchFamily> families;
  for (std::size_t k = 0; k < count; ++k) {
    families.push_back({"f" + std::to_string(k), "", "", 1000 * (count - k)});
  }
  return families;
}

/// The ids of the families with their tracks; "-" if they have those of the batch.
std::vector<std::string> tracks_of(const std::vector<BatchFamily>& families) {
  std::vector<std::string> tracks;
  for (const BatchFamily& family : families) {
    tracks.push_back(family.id + " " + family.track.value_or("-"));
  }
  return tracks;
}

}  // namespace

TEST_CASE("batch list: tracks of the fifth column, of a folder, and of a path with {}") {
  const ScratchDirectory directory;
  const std::string manifest =
      directory.write("list", "a\tx.fa\t\t\tt.fa\nb\tx.fa\t\t7\t\nc\tx.fa\n");
  std::vector<BatchFamily> families = list_families({manifest}, "out", ".afa");
  CHECK(families[0].cells == 7);
  const std::vector<std::string> listed = {"b ", "a t.fa", "c -"};
  CHECK(tracks_of(families) == listed);
  name_tracks(families, "");
  CHECK(tracks_of(families) == listed);
  std::vector<BatchFamily> by_path = families;
  name_tracks(by_path, "{}/{}.db");
  CHECK(tracks_of(by_path) == std::vector<std::string>{"b ", "a t.fa", "c c/c.db"});
  directory.write("tracks/c.faa.gz", "");
  directory.write("tracks/other.fa", "");
  families.push_back({"d", "x.fa", ""});
  name_tracks(families, directory.path("tracks"));
  CHECK(families[2].track == directory.path("tracks/c.faa.gz"));
  CHECK(families[3].track == directory.path("tracks/d.fa"));  // reading it fails
  // A plan keeps them, for a family without cells, too.
  const std::string plan = format_plan(families, {}, {});
  CHECK(plan.find("a\tx.fa\t\t\tt.fa\n") != std::string::npos);
}

TEST_CASE("batch list: the FASTA files of a directory, large ones first") {
  const ScratchDirectory directory;
  directory.write("b.fa", "12");
  directory.write("a.fasta", "12");
  directory.write("large.tfa.gz", "12345");
  for (const char* other : {"a.msf", ".hidden.fa", "notes.txt", ".fa"}) directory.write(other, "x");
  const auto families = list_families({directory.path("")}, "out", ".afa");
  CHECK(ids_of(families) == std::vector<std::string>{"large", "a", "b"});
  CHECK(families[0].output == "out/large.afa");
  CHECK(families[0].bytes == 5);
  CHECK(file_bytes(families[1].input) == "12");
}

TEST_CASE("batch list: what a directory has besides families is named") {
  const ScratchDirectory directory;
  for (const char* name : {"a.fa", "b.prot", "c.txt", "d", "e.fa.txt.gz", "f.gb", "g/1abc.pdb"}) {
    directory.write("in/" + std::string(name), ">x\nMKV\n");
  }
  for (const char* name : {"a.afa", "k.sto", "l.aln", "m.msa", "1abc.pdb", "README", "notes.txt",
                           "report.json", "old/x.fa", "out/a.fa", ".hidden"}) {
    directory.write("in/" + std::string(name), "some text\n");
  }
  const WarningScope scope;
  auto ids = ids_of(list_families({directory.path("in")}, directory.path("in/out"), ".afa"));
  std::ranges::sort(ids);
  CHECK(ids == std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"});
  REQUIRE(scope.warnings().size() == 1);
  CHECK(scope.warnings()[0].text ==
        directory.path("in") +
            ": left out 4 alignments (a.afa, k.sto, l.aln, ...), 1 structure (1abc.pdb), 1 folder "
            "(old), 3 other files (README, notes.txt, report.json)");
}

TEST_CASE("batch list: alignments alone are families, unless they may be results") {
  const ScratchDirectory directory;
  directory.write("seeds/a.sto", "# STOCKHOLM 1.0\na MK\n//\n");
  directory.write("seeds/b.aln", ">a\nMK\n");
  const auto list = [&](const char* out) {
    return ids_of(list_families({directory.path("seeds")}, directory.path(out), ".afa"));
  };
  {
    const WarningScope scope;
    CHECK(list("out").size() == 2);
    CHECK(scope.warnings().empty());
  }
  CHECK(has_text(error_of([&] { list("seeds"); }), "2 alignments (a.sto, b.aln), which may be"));
  directory.write("seeds/.accord-batch-1-of-1.tsv", "");
  CHECK(has_text(error_of([&] { list("out"); }), "which may be results"));
  // Named one by one, they are families.
  CHECK(ids_of(list_families({directory.path("seeds/a.sto"), directory.path("seeds/b.aln")}, "out",
                             ".afa")) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("batch list: several sources, each a file, a list or a directory") {
  const ScratchDirectory directory;
  const std::string fasta = ">x\nMKV\n";
  const std::string a = directory.write("a.fa", fasta), b = directory.write("b", fasta);
  const std::string c = directory.write("in/c.fa", fasta), s = directory.write("s/1abc.pdb", "x");
  const std::string list = directory.write("list", "d\t" + a + "\n");
  const std::string notes = directory.write("notes", "some text\n");
  auto ids = ids_of(
      list_families({a, b, directory.path("in"), directory.path("s"), list, notes}, "out", ".afa"));
  std::ranges::sort(ids);
  CHECK(ids == std::vector<std::string>{"a", "b", "c", "d", "notes", "s"});
  CHECK(error_of([&] {
          list_families({a, directory.path("none.fa")}, "out", ".afa");
        }).kind() == ErrorKind::no_input);
  CHECK(has_text(error_of([&] {
                   list_families({a, directory.write("z/a.fa", fasta)}, "out", "");
                 }),
                 "two families are called a"));
}

TEST_CASE("batch list: a manifest with one, two and three columns") {
  const ScratchDirectory directory;
  directory.write("x.fa", "1");
  const std::string manifest =
      directory.write("list", "# comment\n\n" + directory.path("x.fa") +
                                  "\r\nname\t/nowhere/y\nz\t/nowhere/z.fa\tsub/z.out\n");
  const auto families = list_families({manifest}, "out", ".afa");
  REQUIRE(ids_of(families) == std::vector<std::string>{"x", "name", "z"});
  CHECK(families[1].input == "/nowhere/y");
  CHECK(families[1].output == "out/name.afa");
  CHECK(families[2].output == "out/sub/z.out");
}

TEST_CASE("batch list: comments, blanks and lines of blanks say nothing") {
  const ScratchDirectory directory;
  const std::string x = directory.write("x.fa", "1"), y = directory.write("my y.fa", "1");

  const auto inputs_of = [&](const std::string& text) {
    std::vector<std::string> inputs;
    for (const BatchFamily& family :
         list_families({directory.write("list", text)}, "out", ".afa")) {
      inputs.push_back(family.input);
    }
    std::sort(inputs.begin(), inputs.end());
    return inputs;
  };
  const std::vector<std::string> both = {y, x};
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    CHECK(inputs_of(x + end + end + "# done" + end + y + end) == both);
    CHECK(inputs_of("\xef\xbb\xbf# two" + end + "  " + end + "\t" + end + "  # done" + end + x +
                    " " + end + "b \t " + y) == both);
  }
  CHECK(inputs_of("nowhere.fa\n\n# done\n") == std::vector<std::string>{"nowhere.fa"});
  CHECK(inputs_of("#=== a list\n" + x) == std::vector<std::string>{x});
  // Files of sequences are families themselves.
  const std::vector<std::string> itself = {directory.path("list")};
  CHECK(inputs_of("# STOCKHOLM 1.0\na MK\n//\n") == itself);
  CHECK(inputs_of("# note\n>a\nMKVL\n") == itself);
  CHECK(inputs_of("CLUSTAL W\n\na  MKVL\nb  MKVL\n") == itself);
}

TEST_CASE("batch list: what makes no sense is an error with its place") {
  const ScratchDirectory directory;
  const auto kind_of = [&](const std::string& text) {
    const std::string manifest = directory.write("list", text);
    return error_of([&] { list_families({manifest}, directory.path(""), ".fa"); }).kind();
  };
  directory.write("in.fa", "");
  CHECK(kind_of("a.fa\nb/a.fa\n") == ErrorKind::bad_input);                // one id twice
  CHECK(kind_of("a\tx\tout\nb\ty\tout\n") == ErrorKind::bad_input);        // one output twice
  CHECK(kind_of(directory.path("in.fa") + "\n") == ErrorKind::bad_input);  // overwrites its input
  CHECK(kind_of("a\tb\tc\td\n") == ErrorKind::bad_input);                  // no number of cells
  CHECK(kind_of("a\tb\tc\t-1\n") == ErrorKind::bad_input);
  CHECK(kind_of("a\tb\tc\t1\te\tf\n") == ErrorKind::bad_input);
  CHECK(kind_of("../a\tb\n") == ErrorKind::bad_input);
  CHECK(kind_of("a\t\n") == ErrorKind::bad_input);
  CHECK(kind_of("# nothing\n") == ErrorKind::bad_input);
  const Error numbered =
      error_of([&] { list_families({directory.write("list", "a.fa\n\tb.fa\n")}, "out", ".afa"); });
  CHECK(std::string(numbered.what()).find("list:2") != std::string::npos);
  const ScratchDirectory empty;
  CHECK(error_of([&] { list_families({empty.path("")}, "out", ".afa"); }).kind() ==
        ErrorKind::bad_input);
  CHECK(error_of([&] { list_families({empty.path("no")}, "out", ".afa"); }).kind() ==
        ErrorKind::no_input);
}

TEST_CASE("batch list: shards are disjoint, together everything, and about as long") {
  for (std::size_t count : {0u, 1u, 7u, 100u}) {
    for (std::size_t shards : {1u, 2u, 3u, 16u, 200u}) {
      std::multiset<std::string> seen;
      std::vector<std::uint64_t> bytes;
      for (std::size_t k = 1; k <= shards; ++k) {
        bytes.push_back(0);
        for (const BatchFamily& family : shard_of(made_up(count), {k, shards})) {
          seen.insert(family.id);
          bytes.back() += family.bytes;
        }
      }
      const auto all = ids_of(made_up(count));
      CHECK(seen == std::multiset<std::string>(all.begin(), all.end()));
      const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
      CHECK(*most - *least <= 1000 * count);  // one family
    }
  }
}

TEST_CASE("batch list: a plan divides the families evenly by their cells, as files do not") {
  const ScratchDirectory directory;
  std::string list;
  for (int k = 0; k < 8; ++k) {
    // Sequences in one line, and the same with a letter a line, which is a larger file.
    std::string text;
    for (int n = 0; n < 3; ++n) {
      text += ">s" + std::to_string(n) + "\n";
      for (int i = 0; i < 100 - k; ++i) text += k < 4 ? "A" : "A\n\n\n\n\n\n\n\n";
      text += "\n";
    }
    directory.write("f" + std::to_string(k) + ".fa", text);
    list += "f" + std::to_string(k) + "\t" + directory.path("f" + std::to_string(k) + ".fa") +
            (k == 2 ? "\tmine.out" : "") + "\n";
  }
  list += "none\t/nowhere/z\n";
  const auto named = list_families({directory.write("list", list)}, "out", ".afa");
  const std::string plan = format_plan(named, {}, {});
  CHECK(plan.find("f0\t" + directory.path("f0.fa") + "\t\t3e+04\n") != std::string::npos);
  CHECK(plan.find("f2.fa\tmine.out\t2.881e+04\n") != std::string::npos);
  CHECK(plan.find("none\t/nowhere/z\t\n") != std::string::npos);
  const auto planned = list_families({directory.write("plan", plan)}, "out", ".phy");
  CHECK(ids_of(planned) ==
        std::vector<std::string>{"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "none"});
  CHECK(planned[0].output == "out/f0.phy");
  CHECK(planned[2].output == "out/mine.out");
  CHECK(format_plan(planned, {}, {}).find("f2.fa\tmine.out\t2.881e+04\n") != std::string::npos);
  // Longest first, each to the shard with the least work.
  CHECK(ids_of(shard_of(planned, {1, 2})) == std::vector<std::string>{"f0", "f3", "f5", "f6"});
  CHECK(ids_of(shard_of(planned, {2, 2})) ==
        std::vector<std::string>{"f1", "f2", "f4", "f7", "none"});
}

TEST_CASE("batch list: CPUs go to families by their part of the open work") {
  CHECK(cpus_for(25, 100, 16) == 8);
  CHECK(cpus_for(50, 100, 16) == 16);
  CHECK(cpus_for(1, 1e6, 16) == 1);
  CHECK(cpus_for(100, 100, 16) == 16);
  CHECK(cpus_for(1e9, 1, 16) == 16);
  CHECK(cpus_for(1, 0, 16) == 1);
  CHECK(cpus_for(1, 1, 0) == 1);
}
