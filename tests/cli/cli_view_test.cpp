// SPDX-License-Identifier: Apache-2.0
// accord view: the page of an alignment that any program made.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace accord::testing;

namespace {

constexpr const char* kAligned = ">a\nMKV-LAWQR\n>b\nMKVVLAWQR\n>c\nMK--LSW-R\n";

}  // namespace

TEST_CASE("view: rows, confidence and title of an alignment in any format") {
  const Program program;
  program.directory().write("a.fa", kAligned);
  REQUIRE(program.run({"view", "a.fa", "-o", "a.html"}).exit_code == 0);
  const std::string page = file_bytes(program.directory().path("a.html"));
  CHECK(has(page, "\"title\":\"a.fa\""));
  CHECK(has(page, "\"rows\":[\"MKV-LAWQR\",\"MKVVLAWQR\",\"MK--LSW-R\"]"));
  CHECK_FALSE(has(page, "\"confidence\":[]"));
  CHECK(has(page, "\"confidenceOfTrim\":true"));
  for (const char* format : {"stockholm", "clustal", "nexus", "phylip", "msf"}) {
    CAPTURE(format);
    REQUIRE(program.run({"convert", "a.fa", "-f", format, "-o", "copy"}).exit_code == 0);
    REQUIRE(program.run({"view", "copy", "-o", "copy.html"}).exit_code == 0);
    CHECK(has(file_bytes(program.directory().path("copy.html")),
              "\"rows\":[\"MKV-LAWQR\",\"MKVVLAWQR\",\"MK--LSW-R\"]"));
  }
  const Outcome without = program.run({"view", "a.fa", "--no-confidence", "-o", "-"});
  CHECK(has(without.out, "\"confidence\":[]"));
  CHECK(has(without.out, "\"mean\":null"));
}

TEST_CASE("view: a tree orders the rows and is drawn") {
  const Program program;
  program.directory().write("a.fa", kAligned);
  program.directory().write("t.nwk", "((c:1,a:1):1,b:2);\n");
  const Outcome page = program.run({"view", "a.fa", "--tree", "t.nwk", "-o", "-"});
  REQUIRE(page.exit_code == 0);
  CHECK(has(page.out, "\"rows\":[\"MK--LSW-R\",\"MKV-LAWQR\",\"MKVVLAWQR\"]"));
  CHECK_FALSE(has(page.out, "\"tree\":null"));
  program.directory().write("t.nwk", "((c:1,(a:1,x:1):1):1,b:2);\n");
  check_refused(program.run({"view", "a.fa", "--tree", "t.nwk", "-o", "-"}), 65, "leaf \"x\"");
  const Outcome pruned = program.run({"view", "a.fa", "--tree", "t.nwk", "--prune", "-o", "-"});
  CHECK(has(pruned.out, "\"rows\":[\"MK--LSW-R\",\"MKV-LAWQR\",\"MKVVLAWQR\"]"));
  program.directory().write("t.nwk", "(c:1,b:2);\n");
  check_refused(program.run({"view", "a.fa", "--tree", "t.nwk", "-o", "-"}), 65, "t.nwk");
}

TEST_CASE("view: one row, empty columns and rows, and names with markup") {
  const Program program;
  for (const char* text :
       {">a\nM\n", ">a\nM-K\n>b\nM-K\n", ">a\nMK\n>b\n--\n", ">a</script><b>\nMK\n>b\nMK\n"}) {
    CAPTURE(text);
    program.directory().write("a.fa", text);
    const Outcome page = program.run({"view", "a.fa", "-o", "-"});
    CAPTURE(page.err);
    CHECK(page.exit_code == 0);
    CHECK(has(page.out, "\"rows\":["));
    CHECK_FALSE(has(page.out, "</script><b>"));
  }
  program.directory().write("u.fa", ">a\nACDEFGH\n>b\nACDE\n");
  const Outcome unaligned = program.run({"view", "u.fa", "-o", "u.html"});
  check_refused(unaligned, 65, "not aligned");
  CHECK(has(unaligned.err, "accord align"));
}

TEST_CASE("view: a large family has no confidence, and a very large one some of its rows") {
  const Program program;
  std::string large;
  for (int k = 0; k < 701; ++k) large += ">s" + std::to_string(k) + "\nMKVLAWQR\n";
  program.directory().write("large.fa", large);
  const Outcome page = program.run({"view", "large.fa", "-o", "-"});
  REQUIRE(page.exit_code == 0);
  CHECK(has(page.err, "the page has no confidence"));
  CHECK(has(page.out, "\"part\":false"));
  for (int k = 701; k < 10'001; ++k) large += ">s" + std::to_string(k) + "\nMKVLAWQR\n";
  program.directory().write("large.fa", large);
  const Outcome some = program.run({"view", "large.fa", "--no-confidence", "-o", "-"});
  REQUIRE(some.exit_code == 0);
  CHECK_FALSE(has(some.err, "no confidence"));
  CHECK(has(some.out, "1000 of 10001 sequences"));
  CHECK(has(some.out, "\"part\":true"));
}

TEST_CASE("view: marked rows, also among those that represent a very large family") {
  const Program program;
  std::string large;
  for (int k = 0; k < 10'001; ++k) large += ">s" + std::to_string(k) + "\nMKVLAWQR\n";
  program.directory().write("large.fa", large);
  program.directory().write("names", "s9876\ns5\ns10000\n");
  const Outcome page =
      program.run({"view", "large.fa", "--no-confidence", "--mark", "names", "-o", "-"});
  REQUIRE(page.exit_code == 0);
  const std::size_t begin = page.out.find("{\"title\"");
  const std::string text = page.out.substr(begin, page.out.find("</script>", begin) - begin);
  const auto json = nlohmann::json::parse(text);
  std::vector<std::string> marked;
  for (const std::size_t r : json["groups"]["rows"]) marked.push_back(json["names"][r]);
  CHECK(marked == std::vector<std::string>{"s5", "s9876", "s10000"});
  CHECK(json["names"].size() >= 1000);
  CHECK(json["names"].size() <= 1003);
}

TEST_CASE("view: several alignments in one file, and what takes one") {
  const Program program;
  std::string text;
  for (const char* id : {"one", "two", "three", "four"}) {
    text += "# STOCKHOLM 1.0\n#=GF ID " + std::string(id) + "\na MK\nb MK\n//\n";
  }
  program.directory().write("s.sto", text);
  const Outcome page = program.shell("$accord view - --no-confidence -o - < s.sto");
  REQUIRE(page.exit_code == 0);
  CHECK(has(page.out, "\"title\":\"stdin:three\""));
  check_refused(program.run({"view", "s.sto", "-o", "f.pdf"}), 2,
                "a figure is of one alignment, and s.sto has 4 (one, two, three, ...)");
  check_refused(program.run({"convert", "s.sto"}), 65, "a file with 4 alignments");
  check_refused(program.run({"align", "s.sto"}), 65, "a file with 4 alignments");
  const Outcome one = program.run({"convert", "s.sto", "--replicate", "two", "-f", "stockholm"});
  CHECK(has(one.out, "#=GF ID two\n"));
  CHECK_FALSE(has(one.out, "#=GF ID one\n"));
}

TEST_CASE("view: without -o the page opens on the desktop, and its path is printed") {
  const Program program;
  program.directory().write("it's.fa", kAligned);
  program.directory().write("bin/xdg-open", "#!/bin/sh\nprintf '%s' \"$1\" > \"$OPENED\"\n");
  const std::string view =
      "chmod +x bin/xdg-open; mkdir -p tmp; export TMPDIR=$PWD/tmp OPENED=$PWD/opened;"
      "PATH=$PWD/bin:$PATH $accord view \"it's.fa\" ";
  const Outcome shown = program.shell("unset WAYLAND_DISPLAY; export DISPLAY=:0; " + view +
                                      "&& until [ -s opened ]; do sleep 0.01; done; cat opened");
  CAPTURE(shown.err);
  REQUIRE(shown.exit_code == 0);
  const std::string path = shown.out.substr(0, shown.out.find('\n'));
  CHECK(has(path, "/tmp/accord-"));
  CHECK(shown.out == path + "\n" + path);
  CHECK(has(file_bytes(path), "\"title\":\"it's.fa\""));
  CHECK_FALSE(has(shown.err, "no browser"));
  const Outcome hidden =
      program.shell("unset DISPLAY WAYLAND_DISPLAY; rm -f opened; " + view + "; ls opened");
  CHECK(has(hidden.err, "no browser was opened; the page is "));
  CHECK(has(hidden.err, "opened"));  // of ls
}
