// SPDX-License-Identifier: Apache-2.0
// accord dist in columns: models, what is counted, formats. Values are those of other programs.
#include <doctest/doctest.h>

#include <random>

#include "cli/distance_checks.hpp"
#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("dist: models of nucleotides as scikit-bio has them") {
  // scikit-bio 0.7.4: align_dists(alignment, metric, shared_by_all=False).
  const Program program;
  check_close(first_row(program, kDna, "p"),
              {0, 0.380208, 0.355670, 0.390625, 0.154639, 0.177083, 0.376289, 0.380208}, 1e-6);
  check_close(first_row(program, kDna, "JC69"),
              {0, 0.530350, 0.482164, 0.551780, 0.173179, 0.202000, 0.522442, 0.530350}, 1e-6);
  check_close(first_row(program, kDna, "k2p"),
              {0, 0.539316, 0.484670, 0.560137, 0.173305, 0.202096, 0.525869, 0.536323}, 1e-6);
  check_close(first_row(program, kDna, "TN93"),
              {0, 0.542640, 0.485732, 0.561367, 0.173352, 0.202876, 0.528886, 0.539559}, 1e-6);
  const std::string primates = source_dir() + "/datasets/primates.fa";
  check_close(first_row(program, primates, "k80"), {0, 0.041008, 0.059799}, 1e-6);
  check_close(first_row(program, primates, "tn93"), {0, 0.041177, 0.060132}, 1e-6);
  CHECK(program.run({"dist", kDna, "--aligned", "--model", "snps"})
            .out.starts_with("8\nseq1       0 73 69 75 30 34 73 73\n"));
}

TEST_CASE("dist: Kimura's distance of proteins as PHYLIP has it") {
  const Program program;
  // PHYLIP 3.697, protdist, Kimura formula.
  check_close(first_row(program, kProteins, "kimura"),
              {0, 1.408767, 1.493764, 0.388280, 1.245195, 0.741145, 1.081000, 1.451334}, 1e-6);
}

TEST_CASE("dist: unknown letters ignored or counted, NA, and a line for each pair") {
  const Program program;
  program.directory().write("a.fa", ">a\nACGTN-\n>b\nACNTNA\n>c\nTCGARA\n>d x\n----NN\n");
  const auto pairs = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {"dist", "a.fa", "--aligned", "-t", "dna", "-f", "pairs"};
    line.insert(line.end(), options.begin(), options.end());
    return program.run(line);
  };
  const Outcome snps = pairs({"--model", "snps"});
  CHECK(snps.out ==
        "first\tsecond\tdifferences\na\tb\t0\na\tc\t2\na\td\tNA\nb\tc\t2\nb\td\tNA\nc\td\tNA\n");
  CHECK(has(snps.err, "NA: 3 pairs of rows have no column to compare, such as \"a\" and \"d\""));
  // Differences also: column 3 of a and b; column 5, N against R; an N is like another.
  CHECK(pairs({"--model", "snps", "--unknown", "count"}).out ==
        "first\tsecond\tdifferences\na\tb\t1\na\tc\t3\na\td\t0\nb\tc\t4\nb\td\t1\nc\td\t2\n");
  CHECK(has(pairs({"--unknown", "count"}).out, "\na\tb\t0.200000\na\tc\t0.600000\n"));
  CHECK(has(pairs({"--percent-id"}).out, "first\tsecond\tidentity\na\tb\t100.000\na\tc\t50.000\n"));
  // 3 of 4 columns differ: more than Jukes and Cantor can tell.
  program.directory().write("far.fa", ">a\nACGT\n>b\nATCA\n");
  const Outcome far = program.run({"dist", "far.fa", "--aligned", "--model", "jc", "-t", "dna"});
  CHECK(far.out == "2\na          0.000000 NA\nb          NA 0.000000\n");
  CHECK(has(far.err, "1 pair of rows differs more than the model can tell"));
}

TEST_CASE("dist: a model makes an alignment first; what does not fit is refused") {
  const Program program;
  const Outcome made = program.run({"dist", kDna, "--gaps", "remove", "--model", "k80", "-q"});
  program.directory().write("made.fa", program.run({"align", kDna, "-q"}).out);
  CHECK(made.exit_code == 0);
  CHECK(made.out == program.run({"dist", "made.fa", "--aligned", "--model", "k80"}).out);
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--model", "kimura"},
                                             {"--model", "nothing"},
                                             {"--model", "jc", "--percent-id"},
                                             {"--model", "jc", "--identity-over", "columns"},
                                             {"--model", "jc", "--unknown", "count"},
                                             {"--unknown", "some"}}) {
    std::vector<std::string> line = {"dist", kDna, "--aligned"};
    line.insert(line.end(), options.begin(), options.end());
    CAPTURE(options[1]);
    CHECK(program.run(line).exit_code == 2);
  }
  CHECK(program.run({"dist", kProteins, "--aligned", "--model", "tn93"}).exit_code == 2);
  CHECK(program.run({"dist", example_path(), "--unknown", "count"}).exit_code == 2);
}

TEST_CASE("dist: a finished alignment is taken as it is, other sequences are aligned") {
  const Program program;
  const std::string notice =
      ": rows of one length with gaps are an alignment, which is taken as it";
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{}, {"--percent-id"}, {"--model", "p", "-f", "tsv"}}) {
    std::vector<std::string> line = {"dist", kDna};
    line.insert(line.end(), options.begin(), options.end());
    const Outcome as_it_is = program.run(line);
    CHECK(as_it_is.exit_code == 0);
    CHECK(has(as_it_is.err, notice));
    CHECK(has(as_it_is.err, "hint: '--gaps remove' aligns its sequences anew"));
    line.push_back("--aligned");
    const Outcome aligned = program.run(line);
    CHECK(aligned.out == as_it_is.out);
    CHECK(aligned.err.empty());
  }
  CHECK(program.run({"dist", "-", "-q"}, kDna).out == program.run({"dist", kDna, "-q"}).out);
  // Aligned anew: asked for, by an option that is for sequences, or since it is no alignment.
  program.directory().write("plain.fa", ">a\nACGTACGT\n>b\nACGTTCGT\n");
  program.directory().write("uneven.fa", ">a\nACG-TACGT\n>b\nACGTTCGT\n");
  program.directory().write("other.fa", ">c\nACGTACGTA\n");
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{{kDna, "--gaps", "remove"},
                                             {kDna, "--adjust-direction"},
                                             {"plain.fa"},
                                             {"uneven.fa"},
                                             {"uneven.fa", "other.fa"}}) {
    std::vector<std::string> whole = {"dist"};
    whole.insert(whole.end(), line.begin(), line.end());
    const Outcome anew = program.run(whole);
    CAPTURE(line.front());
    CHECK(anew.exit_code == 0);
    CHECK_FALSE(has(anew.err, notice));
  }
  CHECK(program.run({"dist", kDna, "--gaps", "error"}).exit_code == 65);
  CHECK(program.run({"dist", kDna, "--gaps", "remove", "-q"}).out !=
        program.run({"dist", kDna, "-q"}).out);
}

TEST_CASE("dist: the same bytes by any number of threads") {
  const Program program;
  std::mt19937 random(47);
  std::string rows;
  for (int r = 0; r < 300; ++r) {
    rows += ">r" + std::to_string(r) + "\n";
    for (int c = 0; c < 130; ++c) rows += "AACCGGTTN-"[random() % 10];
    rows += '\n';
  }
  program.directory().write("many.fa", rows);
  const auto bytes = [&](const char* threads, const char* format) {
    return program
        .run(
            {"dist", "many.fa", "--aligned", "--model", "tn93", "-f", format, "--threads", threads})
        .out;
  };
  CHECK(bytes("1", "phylip-lower").size() > 100000);
  for (const char* format : {"phylip", "phylip-lower", "tsv", "pairs"}) {
    CAPTURE(format);
    CHECK(bytes("1", format) == bytes("3", format));
  }
}
