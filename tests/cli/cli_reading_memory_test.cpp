// SPDX-License-Identifier: Apache-2.0
// Small files that stand for more than the memory: every command refuses them while it reads.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "io/files/packing.hpp"
#include "io/files/text_sink.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
/// What the program takes besides its inputs, also with a sanitizer, whose allocator keeps memory.
constexpr std::size_t kMargin = 350 * kMegabyte;

/// Writes a packed FASTA file of two sequences with `megabytes` MB of letters each.
void write_bomb(const Program& program, const std::string& name, Packing packing,
                std::size_t megabytes) {
  std::ofstream file(program.directory().path(name), std::ios::binary);
  const std::string letters(kMegabyte, 'A');
  pack(
      packing,
      [&](TextSink& out) {
        for (const char* header : {">a\n", "\n>b\n"}) {
          out << header;
          for (std::size_t k = 0; k < megabytes; ++k) out << letters;
        }
        out << "\n";
      },
      [&](std::string_view part) {
        file.write(part.data(), static_cast<std::streamsize>(part.size()));
      });
}

/// Checks that a run ended for want of memory, and took about `limit` bytes at most.
void check_out_of_memory(const Outcome& outcome, const std::string& file, std::size_t limit,
                         int code = 137) {
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == code);
  CHECK(has(outcome.err, "OutOfMemory: "));
  CHECK(has(outcome.err, file + ": "));
  CHECK(has(outcome.err, "; the limit is " + std::to_string(limit / kMegabyte) + " MiB"));
  CHECK(has(outcome.err, "raise --memory"));
  CAPTURE(outcome.peak_bytes / kMegabyte);
  CHECK(outcome.peak_bytes < limit + kMargin);
}

const std::string kSmall = ">x\nMKVL\n>y\nMKIL\n";

}  // namespace

TEST_CASE("cli reading memory: a small packed file that holds much is refused by every command") {
  const Program program;
  write_bomb(program, "bomb.fa", Packing::gzip, 300);
  program.directory().write("small.fa", kSmall);
  program.directory().write("small.nwk", "(x,y);");
  REQUIRE(program.run({"small.fa", "-o", "small.aln", "--report", "report.json", "-d", "none"})
              .exit_code == 0);
  for (const char* command : {"align bomb.fa",
                              "align small.fa bomb.fa",
                              "add small.fa bomb.fa",
                              "add bomb.fa small.fa",
                              "convert bomb.fa",
                              "trim bomb.fa",
                              "score bomb.fa small.fa",
                              "score small.fa bomb.fa",
                              "compare bomb.fa small.fa",
                              "confidence bomb.fa",
                              "merge bomb.fa small.fa",
                              "codon bomb.fa",
                              "tree bomb.fa",
                              "tree --from-distances bomb.fa",
                              "dist bomb.fa",
                              "stats bomb.fa",
                              "check bomb.fa",
                              "ensemble bomb.fa -o out",
                              "core bomb.fa -o out",
                              "align small.fa --tree bomb.fa",
                              "align small.fa --parameters bomb.fa",
                              "align small.fa --track bomb.fa --track-matrix ss3",
                              "verify bomb.fa small.aln report.json",
                              "verify small.fa bomb.fa report.json"}) {
    CAPTURE(command);
    const Outcome outcome = program.shell(std::string("$accord ") + command + " --memory 100M");
    check_out_of_memory(outcome, "bomb.fa", 100 * kMegabyte);
  }
  for (const char* command : {"align bomb.fa -d none", "score bomb.fa small.fa"}) {
    CAPTURE(command);
    const Outcome outcome = program.shell(std::string("ACCORD_MEMORY=100M $accord ") + command);
    check_out_of_memory(outcome, "bomb.fa", 100 * kMegabyte);
  }
  program.directory().write("list.tsv", "bomb.fa\nsmall.fa\n");
  const Outcome batch = program.shell("$accord batch list.tsv -O made -d none -j 2 --memory 100M");
  check_out_of_memory(batch, "bomb.fa", 100 * kMegabyte, 4);
  CHECK(program.shell("test -s made/small.afa").exit_code == 0);
}

TEST_CASE("cli reading memory: all packings are bounded, whatever they hold") {
  const Program program;
  for (const Packing packing : {Packing::bzip2, Packing::xz, Packing::zstd}) {
    write_bomb(program, "bomb.fa", packing, 200);
    check_out_of_memory(program.run({"convert", "bomb.fa", "--memory", "60M"}), "bomb.fa",
                        60 * kMegabyte);
  }
  // 20 million records in 40 MB.
  std::ofstream file(program.directory().path("records.fa"), std::ios::binary);
  for (int k = 0; k < 20; ++k) {
    std::string part;
    for (std::size_t record = 0; record < 1000000; ++record) part += ">\n";
    file << part;
  }
  file.close();
  check_out_of_memory(program.run({"convert", "records.fa", "--memory", "200M"}), "records.fa",
                      200 * kMegabyte);
}

TEST_CASE("cli reading memory: the gaps of A3M are counted before they are written") {
  const Program program;
  std::string wide = ">q\nMK" + std::string(60000, 'a') + "VL\n";
  for (int k = 0; k < 6000; ++k) wide += ">s" + std::to_string(k) + "\nMKVL\n";
  program.directory().write("wide.a3m", wide);
  program.directory().write("small.fa", kSmall);
  for (const char* command : {"align wide.a3m", "add wide.a3m small.fa", "add small.fa wide.a3m",
                              "convert wide.a3m", "stats wide.a3m", "score wide.a3m wide.a3m"}) {
    CAPTURE(command);
    const Outcome outcome = program.shell(std::string("$accord ") + command + " --memory 200M");
    check_out_of_memory(outcome, "wide.a3m", 200 * kMegabyte);
    CHECK(has(outcome.err, "6001 rows of 60004 columns"));
  }
  CHECK(program.shell("$accord convert wide.a3m -f a3m --wrap 0 --memory 1G | cmp - wide.a3m")
            .exit_code == 0);
}

TEST_CASE("cli reading memory: an input without end is read up to the limits") {
  const Program program;
  // 'yes' ends when its reader has gone.
  const auto endless = [&](const std::string& lines, const std::string& options) {
    return program.shell("{ printf '>a\\n'; yes '" + lines + "'; } | $accord convert - -q " +
                         options);
  };
  const Outcome many = endless("MKVL\n>a", "--max-seqs 100");
  CHECK(many.exit_code == 65);
  CHECK(has(many.err, "stdin: more than "));
  CHECK(has(many.err, " sequences; the limit is 100"));
  const Outcome longer = endless("MKVL", "--max-length 1000");
  CHECK(longer.exit_code == 65);
  CHECK(has(longer.err, " residues; the limit is 1000"));
  check_out_of_memory(endless("MKVL", "--memory 100M"), "stdin", 100 * kMegabyte);
  check_out_of_memory(endless("MKVL\n>a", "--memory 100M"), "stdin", 100 * kMegabyte);
}
