// SPDX-License-Identifier: Apache-2.0
// Limits, accord check, what is said, and the page.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "cli/program.hpp"
#include "io/files/sha256.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kGood = ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n>c\nMKLAAGIG\n";

}  // namespace

TEST_CASE("limits: more memory than allowed is refused at once, with what would fit") {
  const Program program;
  program.directory().write("many.fa", random_fasta(1500, 300));
  // Processor time for reading and counting, also with a sanitizer; the pairs would take minutes.
  const Outcome outcome = program.shell(
      "( ulimit -t 60; $accord many.fa --large never -o out.fa -d none -j 2 --memory 300M )");
  CHECK(outcome.exit_code == 137);
  CHECK(outcome.err.starts_with("accord: error: OutOfMemory: 1500 sequences, mean length 300"));
  CHECK(outcome.err.find("--large always") == std::string::npos);
  CHECK(outcome.err.find("such sequences fit") != std::string::npos);
  CHECK(outcome.err.find("raise --memory") != std::string::npos);
  CHECK(program.directory().names() == std::vector<std::string>{"many.fa"});
  const Outcome fits = program.shell(
      "( ulimit -t 60; $accord many.fa --large never -o out.fa -d none -j 2 --memory 800M )");
  CHECK(fits.exit_code == 137);
  CHECK(fits.err.find("hint: '--large always' needs ") != std::string::npos);
  const Outcome variable =
      program.shell("ACCORD_MEMORY=300M $accord check many.fa --large never -d none");
  CHECK(variable.exit_code == 137);
  CHECK(variable.out.find("memory") != std::string::npos);
  program.directory().write("in.fa", kGood);
  CHECK(program.run({"in.fa", "--memory", "1G"}).exit_code == 0);
  for (const char* size : {"lots", "-1", "0", "8X", "8GG", "1e3", ""}) {
    CAPTURE(size);
    CHECK(program.run({"in.fa", "--memory", size}).exit_code == 2);
  }
}

TEST_CASE("limits: every command refuses what does not fit, in the same words") {
  const Program program;
  program.directory().write("many.fa",
                            random_fasta(1500, 300));  // rows of one length: an alignment
  for (const char* command : {"align --large never", "dist", "tree", "tree --method nj",
                              "confidence", "check --large never"}) {
    CAPTURE(command);
    const std::string line = std::string("$accord ") + command + " many.fa -j 1 --memory 40M";
    const Outcome outcome =
        program.shell(line + (std::string(command).starts_with("check") ? "" : " -o out"));
    CHECK(outcome.exit_code == 137);
    CHECK(outcome.err.find("accord: error: OutOfMemory: 1500 sequences, mean length 300, need "
                           "about ") != std::string::npos);
    CHECK(outcome.err.find("; the limit is 40 MiB") != std::string::npos);
    CHECK(outcome.err.find("such sequences fit; or raise --memory") != std::string::npos);
    CHECK(program.directory().names() == std::vector<std::string>{"many.fa"});
  }
  program.directory().write("list.tsv", "many.fa\n");
  const Outcome batch =
      program.shell("$accord batch list.tsv -O made --large never -j 1 --memory 40M");
  CHECK(batch.exit_code == 4);
  CHECK(batch.err.find("OutOfMemory: 1500 sequences, mean length 300, need about ") !=
        std::string::npos);
  program.directory().write("one.fa", ">a\n" + std::string(1000, 'A') + "\n");
  const Outcome nothing = program.run({"one.fa", "-j", "1", "--memory", "1M"});
  CHECK(nothing.exit_code == 137);
  CHECK(nothing.err.find("hint: raise --memory") != std::string::npos);
}

TEST_CASE("limits: sequences and lengths") {
  const Program program;
  program.directory().write("in.fa", kGood);
  CHECK(program.run({"in.fa", "--max-seqs", "3", "--max-length", "10"}).exit_code == 0);
  const Outcome many = program.run({"in.fa", "--max-seqs", "2"});
  CHECK(many.exit_code == 65);
  CHECK(many.err.find("3 sequences; the limit is 2") != std::string::npos);
  const Outcome longer = program.run({"in.fa", "--max-length", "9"});
  CHECK(longer.exit_code == 65);
  CHECK(longer.err.find("10 residues; the limit is 9") != std::string::npos);
  CHECK(longer.err.find("hint: cut the longest sequences") != std::string::npos);
  const Outcome batch = program.shell("echo in.fa | $accord batch - -O out --max-seqs 2 -d none");
  CHECK(batch.exit_code == 4);
  CHECK(batch.err.find("3 sequences; the limit is 2") != std::string::npos);
  CHECK(program.shell("$accord in.fa -o in.aln -d none; $accord confidence in.aln --max-seqs 2")
            .exit_code == 65);
}

TEST_CASE("limits: no output replaces an input, not even through a link") {
  const Program program;
  program.directory().write("in.fa", kGood);
  program.shell(
      "ln -s in.fa link; ln in.fa hard; echo in.fa > list; $accord tree in.fa -o tree -d none");
  for (const char* line :
       {"in.fa -o in.fa", "in.fa -o ./in.fa", "in.fa -o link", "link -o in.fa", "in.fa -o hard",
        "in.fa --report in.fa", "in.fa --tree tree --tree-out tree", "dist in.fa -f tsv -o in.fa",
        "tree in.fa -o link", "confidence in.fa -o in.fa", "in.fa -o out.fa --log in.fa",
        "check in.fa --log link", "batch list -O out --log in.fa"}) {
    CAPTURE(line);
    const Outcome outcome = program.shell("$accord " + std::string(line) + " -d none");
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("would replace the input") != std::string::npos);
    CHECK(file_bytes(program.directory().path("in.fa")) == kGood);
  }
  const Outcome redirected = program.shell("$accord - -o in.fa -d none < link");
  CHECK(redirected.exit_code == 2);
  CHECK(redirected.err.find("would replace the input") != std::string::npos);
  CHECK(file_bytes(program.directory().path("in.fa")) == kGood);
}

TEST_CASE("limits: no output replaces a parameter set, nor the log an output") {
  const Program program;
  program.directory().write("in.fa", kGood);
  program.shell("$accord help parameters-protein > set.json");
  const std::string set = file_bytes(program.directory().path("set.json"));
  for (const char* line :
       {"in.fa --report set.json", "dist in.fa -f tsv -o set.json", "in.fa -o set.json",
        "in.fa -o out.fa --log set.json", "tree in.fa -o set.json"}) {
    CAPTURE(line);
    const Outcome outcome =
        program.shell("$accord -d none --parameters set.json " + std::string(line));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("would replace the input set.json") != std::string::npos);
    CHECK(file_bytes(program.directory().path("set.json")) == set);
  }
  const Outcome both = program.shell("$accord in.fa -d none -v -o out.fa --log ./out.fa");
  CHECK(both.exit_code == 2);
  CHECK(both.err.find("two outputs to ./out.fa") != std::string::npos);
}

TEST_CASE("limits: the time limit ends a run with 124, without output") {
  const Program program;
  program.directory().write("long.fa", random_fasta(2, 60'000));
  const Outcome outcome =
      program.run({"long.fa", "-o", "out.fa", "-d", "none", "--time-limit", "0.5"});
  CHECK(outcome.exit_code == 124);
  CHECK(outcome.err.find("time limit") != std::string::npos);
  CHECK(outcome.err.find("hint: ") != std::string::npos);
  CHECK(program.directory().names() == std::vector<std::string>{"long.fa"});
  program.directory().write("in.fa", kGood);
  CHECK(program.run({"in.fa", "--time-limit", "10m"}).exit_code == 0);
  CHECK(program.run({"in.fa", "--time-limit", "soon"}).exit_code == 2);
}

TEST_CASE("check: size, estimates and problems, without an alignment") {
  const Program program;
  const Outcome good = program.run({"check", example_path()});
  CHECK(good.exit_code == 0);
  CHECK(good.err.empty());
  for (const char* text :
       {"sequences  8\n", "type       protein (detected)\n", "lengths    87-99", "pairs      28, ",
        "memory     about ", "time       ", "problems   none\n"}) {
    CAPTURE(text);
    CHECK(good.out.find(text) != std::string::npos);
  }
  program.directory().write("odd.fa", ">a\nAC-DW\n>a\n\n");
  const Outcome odd = program.run({"check", "odd.fa"});
  CHECK(odd.exit_code == 0);
  CHECK(odd.out.find("problems   4, see") != std::string::npos);
  CHECK(std::count(odd.err.begin(), odd.err.end(), '\n') >= 3);
  program.directory().write("bad.fa", ">a\nAC7\n");
  CHECK(program.run({"check", "bad.fa"}).exit_code == 65);
}

TEST_CASE("messages: -v ends with version, time and memory; -vv says more; --log has it all") {
  const Program program;
  program.directory().write("odd.fa", ">a\nAC-DW\n>a\nACDW\n");
  const std::string verbose = program.run({"odd.fa", "-v"}).err;
  const std::string last = verbose.substr(verbose.rfind('\n', verbose.size() - 2) + 1);
  CHECK(last.starts_with("accord " ACCORD_VERSION "  total "));
  CHECK(last.find("cpu ") != std::string::npos);
  CHECK(last.find("peak memory ") != std::string::npos);
  const std::string detailed = program.run({"odd.fa", "-vv"}).err;
  CHECK(detailed.find("\"cutoff\"") != std::string::npos);
  CHECK(verbose.find("\"cutoff\"") == std::string::npos);
  CHECK(program.run({"odd.fa", "-q", "--log", "run.log"}).err.empty());
  const std::string log = file_bytes(program.directory().path("run.log"));
  CHECK(log.find("accord: warning: odd.fa: ") != std::string::npos);
  CHECK(log.find("peak memory") != std::string::npos);
  program.run({"none.fa", "--log", "bad.log"});
  CHECK(file_bytes(program.directory().path("bad.log")).find("accord: error: ") !=
        std::string::npos);
  CHECK(program.run({"odd.fa", "--log", "no/such/directory"}).exit_code == 73);
}

TEST_CASE("reports: MultiQC's table") {
  const Program program;
  REQUIRE(program.run({example_path(), "-o", "a.fa", "--multiqc", "a_mqc.tsv"}).exit_code == 0);
  const std::string table = file_bytes(program.directory().path("a_mqc.tsv"));
  CHECK(table.starts_with("# id: 'accord'\n"));
  CHECK(table.find("\nSample\tsequences\tcolumns\tmean_confidence\twall_s\tdevice\nexample\t8\t") !=
        std::string::npos);
  program.shell("gzip -c " + example_path() + " >family.fa.gz");
  REQUIRE(program.run({"family.fa.gz", "-o", "a.fa", "--multiqc", "a_mqc.tsv"}).exit_code == 0);
  CHECK(has(file_bytes(program.directory().path("a_mqc.tsv")), "\nfamily\t8\t"));
}

TEST_CASE("reports: MultiQC's table of a batch has a row for each family") {
  const Program program;
  program.shell("mkdir in; cp " + example_path() + " in/one.fa; echo 'no FASTA' >in/two.fa");
  const Outcome outcome =
      program.run({"batch", "in", "-O", "out", "-d", "none", "--multiqc", "b_mqc.tsv"});
  CHECK(outcome.exit_code == 4);
  const std::string table = file_bytes(program.directory().path("b_mqc.tsv"));
  CHECK(has(table, "\nSample\tsequences\tcolumns\tmean_confidence\twall_s\tdevice\tstatus\n"));
  CHECK(has(table, "\none\t8\t107\t0.7487\t"));
  CHECK(has(table, "\taligned\n"));
  CHECK(has(table, "\ntwo\t\t\t\t\t\tfailed\n"));
  CHECK(program.run({"batch", "in", "-O", "out", "--plan", "p", "--multiqc", "m"}).exit_code == 2);
}

TEST_CASE("page: one file that holds the alignment and asks nobody for anything") {
  const Program program;
  program.directory().write("in.fa", ">a </script><b>\nMKVLAAGIVG\n>b\nMKVLAGIVG\n>c\nMKLAAGIG\n");
  REQUIRE(program.run({"in.fa", "-o", "a.fa", "--html", "a.html"}).exit_code == 0);
  std::string page = file_bytes(program.directory().path("a.html"));
  CHECK(page.starts_with("<!doctype html>"));
  // The name of the language SVG, and what a picture refers to within itself, ask nobody.
  for (const std::string_view local_name : {"http://www.w3.org/2000/svg", "url(#"}) {
    for (std::size_t k; (k = page.find(local_name)) != std::string::npos;)
      page.erase(k, local_name.size());
  }
  for (const char* word : {"http:", "https:", "src=", "@import", "url(", "fetch(", "@DATA@"}) {
    CAPTURE(word);
    CHECK(page.find(word) == std::string::npos);
  }
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(open) + open.size();
  const auto data = nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  CHECK(data["columns"] == 10);
  CHECK(data["headers"].size() == 3);
  CHECK(std::find(data["headers"].begin(), data["headers"].end(), "a </script><b>") !=
        data["headers"].end());
  CHECK(data["rows"][0].get<std::string>().size() == 10);
  CHECK(data["codes"].size() == 3);
  CHECK(data["confidence"].size() == 10);
  CHECK(data["tree"]["left"].size() == 2);
  CHECK(nlohmann::json::parse(data["report"].get<std::string>()).contains("accord_version"));
  CHECK(page.find("</script><b>") == std::string::npos);
  // Only the page's own script and style run, and nothing is loaded.
  const auto checksum_of = [&](const std::string& name, const std::string& attributes) {
    const std::string begin = "<" + name + attributes + ">";
    const std::size_t first = page.find(begin) + begin.size();
    return name + "-src 'sha256-" +
           sha256_base64(page.substr(first, page.find("</" + name + ">", first) - first)) + "'";
  };
  page = file_bytes(program.directory().path("a.html"));
  CHECK(has(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; " +
                      checksum_of("script", " type=\"module\"") + "; " + checksum_of("style", "") +
                      "; base-uri 'none'; form-action 'none'\">"));
}

TEST_CASE("help cite: each work of CITATION.cff, as a reference and as BibTeX") {
  const Program program;
  const Outcome said = program.run({"help", "cite"});
  REQUIRE(said.exit_code == 0);
  std::istringstream file(file_bytes(source_dir() + "/CITATION.cff"));
  int works = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find("doi: ");
    if (at == line.npos) continue;
    ++works;
    const std::string doi = line.substr(at + 5);
    CHECK(has(said.out, "https://doi.org/" + doi + "\n"));
    CHECK(has(said.out, "  doi = {" + doi + "}\n}\n"));
  }
  CHECK(works == 2);
  CHECK(has(said.out, "\nThe accord developers. accord: accurate multiple sequence alignment on"));
  CHECK(has(said.out,
            "\n@software{accord,\n  author = {{The accord developers}},\n"
            "  title = {{accord: accurate multiple sequence alignment on OpenCL devices}},"
            "\n  version = {" ACCORD_VERSION "}\n}\n"));
  CHECK(has(said.out,
            "\n@article{QuickProbs2,\n  author = {Gudy\u015b, Adam and Deorowicz, "
            "Sebastian},\n  title = {{QuickProbs 2: "));
  CHECK(has(said.out, "  year = {2010},\n  volume = {26},\n  pages = {1958},\n"));
  for (std::size_t begin = 0; begin < said.out.find("\nBibTeX:"); ++begin) {
    const std::size_t end = said.out.find('\n', begin);
    CHECK(end - begin <= 82);  // a letter beside ASCII has two bytes
    begin = end;
  }
}

TEST_CASE("manual page: every command and every option") {
  const Program program;
  const Outcome page = program.run({"help", "man"});
  REQUIRE(page.exit_code == 0);
  CHECK(page.out.starts_with(".TH ACCORD 1"));
  const std::string all = program.run({"help", "all"}).out;
  std::size_t options = 0;
  for (std::size_t at = all.find(" --"); at != std::string::npos; at = all.find(" --", at + 1)) {
    const std::size_t end = all.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", at + 1);
    std::string name = all.substr(at + 1, end - at - 1);
    for (std::size_t k = name.find('-'); k != std::string::npos; k = name.find('-', k + 2)) {
      name.insert(k, "\\");
    }
    CAPTURE(name);
    CHECK(page.out.find(name) != std::string::npos);
    ++options;
  }
  CHECK(options > 40);
  // Examples come first, and no option has two entries of one text.
  CHECK(page.out.find(".SH EXAMPLES") < page.out.find(".SH COMMANDS"));
  CHECK(page.out.find("\n.B accord fam.fa > fam.aln\n") < page.out.find(".SH COMMANDS"));
  std::set<std::string> entries;
  for (std::size_t at = page.out.find("\n.TP\n"); at != std::string::npos;) {
    const std::size_t next = page.out.find("\n.", page.out.find("\n.B ", at) + 1);
    CHECK(entries.insert(page.out.substr(at, next - at)).second);
    at = page.out.find("\n.TP\n", at + 1);
  }
  CHECK(entries.size() > 40);
  // Small images have a program of that name that says that there are no manual pages.
  if (program.shell("man --version").out.starts_with("man ")) {
    program.directory().write("accord.1", page.out);
    const Outcome shown = program.shell("LC_ALL=C MANWIDTH=80 man --warnings -l accord.1");
    CHECK(shown.err.empty());
    CHECK(shown.out.find("accord fam.fa > fam.aln") != std::string::npos);
    program.directory().write("shown", shown.out);
    CHECK(program.shell("grep -E '.{81}' shown").out.empty());
  }
}
