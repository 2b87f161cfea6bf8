// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/all_commands.hpp"
#include "app/cli/help.hpp"
#include "app/commands/commands.hpp"
#include "base/log.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Arguments = std::vector<std::string>;

/// What a line asks of align.
struct Parsed : AlignOptions {
  std::vector<std::string> files;
};

Parsed parse(const Arguments& arguments) {
  const auto options = std::make_shared<AlignOptions>();
  std::vector<std::string> files = parse_arguments(align_command(options), arguments);
  return {*options, std::move(files)};
}

/// Files and formats of the alignment, "FILE FORMAT".
Arguments outputs(const AlignOptions& options) {
  Arguments text;
  for (const AlignmentFile& file : run_files(options.output).alignments) {
    text.push_back(file.path + " " + std::string(format_name(file.format)));
  }
  return text;
}

/// The text of the usage error that a whole line gives; it always comes with a hint.
std::string refusal(const Arguments& arguments) {
  const Error error = error_of([&] { run_command_line(all_commands(), arguments); });
  CHECK(error.kind() == ErrorKind::usage);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

}  // namespace

TEST_CASE("options: a file alone is aligned with the defaults") {
  {
    const Parsed options = parse({"in.fa"});
    CHECK(options.files == Arguments{"in.fa"});
    CHECK(outputs(options) == Arguments{"- fasta"});
    CHECK_FALSE(options.input.type.has_value());
    CHECK(options.compute.device == "auto");
    CHECK(options.compute.threads == 0);
    CHECK(options.method.tree_method() == TreeMethod::upgma);
    CHECK(options.output.files.tree.empty());
    CHECK(options.output.files.distances.empty());
    CHECK(options.output.files.report.empty());
    CHECK(options.method.is_empty());
    CHECK(options.messages.verbosity == Verbosity::normal);
  }
}

TEST_CASE("options: every option of align, in both spellings, anywhere on the line") {
  const Parsed options = parse({"--out=out.fa",  "-f",         "clustal",  "--type",     "rna",
                                "in.fa",         "-d",         "gpu0",     "-j",         "3",
                                "--tree=nj",     "--tree-out", "t.nwk",    "--dist-out", "d.phy",
                                "--consistency", "0",          "--refine", "7",          "--report",
                                "r.json",        "-v"});
  CHECK(options.files == Arguments{"in.fa"});
  CHECK(outputs(options) == Arguments{"out.fa clustal"});
  CHECK(options.input.type == ResidueType::rna);
  CHECK(options.compute.device == "gpu0");
  CHECK(options.compute.threads == 3);
  CHECK(options.method.tree_method() == TreeMethod::neighbor_joining);
  CHECK(options.output.files.tree == "t.nwk");
  CHECK(options.output.files.distances == "d.phy");
  CHECK(*options.method.find<int>("consistency") == 0);
  CHECK(*options.method.find<int>("refine") == 7);
  CHECK(options.output.files.report == "r.json");
  CHECK(options.messages.verbosity == Verbosity::verbose);
  CHECK(parse({"-q", "-"}).messages.verbosity == Verbosity::quiet);
  CHECK(parse({"-q", "-"}).files == Arguments{"-"});
}

TEST_CASE("options: sizes and parts of device memory") {
  const auto opencl = [](const std::string& text) {
    return parse({"a", "--device-memory", text}).compute.opencl;
  };
  CHECK(parse({"a"}).compute.opencl.memory_percent == 80);
  CHECK(parse({"a"}).compute.opencl.memory_bytes == 0);
  CHECK(opencl("50%").memory_percent == 50);
  CHECK(opencl("1000").memory_bytes == 1000);
  CHECK(opencl("3K").memory_bytes == 3072);
  CHECK(opencl("512M").memory_bytes == 512u << 20);
  CHECK(opencl("6G").memory_bytes == std::uint64_t{6} << 30);
  CHECK(opencl("2T").memory_bytes == std::uint64_t{2} << 40);
  CHECK(opencl("6 GB").memory_bytes == std::uint64_t{6} << 30);
  CHECK(opencl("1.5g").memory_bytes == std::uint64_t{3} << 29);
  for (const char* text : {"", "0", "0%", "101%", "%", "6 X", "6GX", "G", "-1", "1.5.5G",
                           "99999999999999999999", "99999999999T"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(opencl(text), Error);
  }
}

TEST_CASE("options: any other tree is a file") {
  const Parsed options = parse({"in.fa", "--tree", "guide.nwk"});
  CHECK(options.method.tree_method() == TreeMethod::file);
  CHECK(options.method.tree_file() == "guide.nwk");
}

TEST_CASE("options: a format belongs to the output before it, else to the next one") {
  CHECK(outputs(parse({"a"})) == Arguments{"- fasta"});
  CHECK(outputs(parse({"a", "-f", "msf"})) == Arguments{"- msf"});
  CHECK(outputs(parse({"a", "-o", "x.clw"})) == Arguments{"x.clw clustal"});
  CHECK(outputs(parse({"a", "-o", "x.clw", "-f", "fasta"})) == Arguments{"x.clw fasta"});
  CHECK(outputs(parse({"a", "-f", "fasta", "-o", "x.clw"})) == Arguments{"x.clw fasta"});
  CHECK(outputs(parse({"a", "-o", "x", "-o", "y.sto.gz"})) ==
        Arguments{"x fasta", "y.sto.gz stockholm"});
  CHECK(outputs(parse({"a", "-o", "x", "-f", "msf", "-o", "y", "-f", "nexus"})) ==
        Arguments{"x msf", "y nexus"});
  CHECK(outputs(parse({"a", "-f", "msf", "-o", "x", "-f", "nexus", "-o", "y"})) ==
        Arguments{"x msf", "y nexus"});
  CHECK(outputs(parse({"a", "-o", "x", "-o", "y", "-f", "msf"})) == Arguments{"x fasta", "y msf"});
  CHECK(error_of([] {
          outputs(parse({"a", "-f", "msf", "-f", "nexus"}));
        }).kind() == ErrorKind::usage);
}

TEST_CASE("options: every command has what the help needs, and options of their own names") {
  for (const Command& command : all_commands()) {
    CAPTURE(command.name);
    CHECK_FALSE(command.summary.empty());
    CHECK(command.description.ends_with('\n'));
    CHECK(command.run != nullptr);
    std::set<std::string> names;
    std::set<char> letters;
    for (const OptionSpec& option : command.options) {
      CAPTURE(option.name);
      CHECK(names.insert(option.name).second);
      CHECK((option.letter == 0 || letters.insert(option.letter).second));
      CHECK_FALSE(option.help.empty());
      CHECK((option.set != nullptr) != option.is_file);
    }
  }
}

TEST_CASE("help: fits one screen, names every command; every option stands under its command") {
  const std::vector<Command> commands = all_commands();
  const std::string help = short_help(commands);
  CHECK(std::count(help.begin(), help.end(), '\n') <= 40);
  const std::string all = help_on("all", commands);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at);
    CAPTURE(all.substr(at, end - at));
    CHECK(end - at <= 80);
    at = end + 1;
  }
  for (const Command& command : commands) {
    const bool is_default = &command == &commands.front();
    const std::string word = is_default ? "[" + command.name + "]" : command.name;
    CHECK(help.find("\n  " + word + " ") != std::string::npos);
    const std::string page = help_on(command.name, commands);
    for (const OptionSpec& option : command.options) {
      CHECK(page.find("--" + option.name) != std::string::npos);
    }
  }
  for (const char* topic : {"input", "output", "method", "compute", "messages"}) {
    CHECK(help_on(topic, commands).find("--") != std::string::npos);
  }
  CHECK(refusal({"help", "cooking"}).find("cooking") != std::string::npos);
}

TEST_CASE("options: what makes no sense is refused with a hint") {
  CHECK(refusal({}).find("no input") != std::string::npos);
  CHECK(refusal({"align"}).find("no input") != std::string::npos);
  CHECK(refusal({"a.fa", "-i", "a.fa"}) == "a.fa is named twice");
  CHECK(refusal({"score", "a.fa"}).find("2 files") != std::string::npos);
  CHECK(refusal({"score", "a", "b", "c"}).find("'c'") != std::string::npos);
  CHECK(refusal({"devices", "a"}).find("'a'") != std::string::npos);
  CHECK(refusal({"a.fa", "--wrong"}).find("--wrong") != std::string::npos);
  CHECK(refusal({"a.fa", "--consist", "1"}).find("--consist") != std::string::npos);
  CHECK(refusal({"a.fa", "-f", "pdf"}).find("pdf") != std::string::npos);
  CHECK(refusal({"a.fa", "-t", "lipid"}).find("lipid") != std::string::npos);
  CHECK(refusal({"a.fa", "-j", "-2"}).find("-2") != std::string::npos);
  CHECK(refusal({"a.fa", "-j", "two"}).find("two") != std::string::npos);
  CHECK(refusal({"a.fa", "--refine", "-1"}).find("--refine") != std::string::npos);
  CHECK(refusal({"a.fa", "--consistency", "1.5"}).find("1.5") != std::string::npos);
  CHECK(refusal({"a.fa", "-o"}).find("--out") != std::string::npos);
  CHECK(refusal({"a.fa", "--report", "x", "--report", "y"}).find("--report") != std::string::npos);
  CHECK(refusal({"a.fa", "--order", "size"}).find("size") != std::string::npos);
  CHECK(refusal({"a.fa", "--consistency", "99999999999"}).find("99999999999") != std::string::npos);
}

TEST_CASE("options: '-' where it stands for nothing, and standard input twice") {
  CHECK(refusal({"a.fa", "--log", "-"}) == "--log -: '-' stands for no file here");
  CHECK(refusal({"batch", "a", "-O", "-"}) == "--out-dir -: '-' stands for no directory here");
  CHECK(refusal({"a.fa", "--kernel-dir", "-"}) ==
        "--kernel-dir -: '-' stands for no directory here");
  for (const Arguments& line :
       {Arguments{"-", "-"}, Arguments{"-", "--parameters", "-"}, Arguments{"-", "--tree", "-"},
        Arguments{"score", "-", "-"}, Arguments{"batch", "-", "--parameters=-", "-O", "out"}}) {
    CHECK(refusal(line) == "stdin is named twice");
  }
}

TEST_CASE("options: words and units of sizes in letters of either case") {
  for (const Arguments& line :
       {Arguments{"-f", "FASTA"}, Arguments{"--format", "Phylip-Strict"}, Arguments{"-d", "NONE"},
        Arguments{"--tree", "UPGMA"}, Arguments{"--type", "Protein"}, Arguments{"--order", "Tree"},
        Arguments{"--case", "UPPER"}, Arguments{"--mode", "Local"}, Arguments{"--memory", "8GB"},
        Arguments{"--memory", "8gib"}, Arguments{"--memory", "512 MB"},
        Arguments{"--memory", "1.5G"}, Arguments{"--memory", "900m"},
        Arguments{"--time-limit", "2H"}, Arguments{"--progress", "NONE"},
        Arguments{"--in-format", "FASTA"}}) {
    CAPTURE(line.back());
    CHECK_NOTHROW(parse({"a.fa", line[0], line[1]}));
  }
  CHECK_NOTHROW(parse_arguments(dist_command(), {"a.fa", "-f", "TSV"}));
  CHECK_NOTHROW(parse_arguments(tree_command(), {"a.fa", "--method", "NJ"}));
  CHECK_NOTHROW(parse_arguments(score_command(), {"a.fa", "b.fa", "-f", "JSON"}));
}

TEST_CASE("options: near misses are told what was probably meant") {
  const auto hint = [](const Arguments& line) {
    return error_of([&] { run_command_line(all_commands(), line); }).hint();
  };
  CHECK(refusal({"alignn", "in.fa"}) == "'alignn' is neither a command nor a file that is there");
  CHECK(hint({"alignn", "in.fa"}) == "did you mean 'accord align'?");
  CHECK(refusal({"a.fa", "--treads", "2"}) == "accord align has no option '--treads'");
  CHECK(hint({"a.fa", "--treads", "2"}).starts_with("did you mean --threads? "));
  CHECK(hint({"dist", "a.fa", "--fromat", "csv"}).starts_with("did you mean --format? "));
  CHECK(hint({"a.fa", "--output", "x"}).starts_with("did you mean --out? "));
  CHECK(hint({"a.fa", "--guide-tree", "x"}).starts_with("did you mean --tree? "));
  CHECK(hint({"a.fa", "--cooking"}).starts_with("try "));
  CHECK(hint({"batch", "a", "-o", "x"}).starts_with("did you mean -O (--out-dir)? "));
  CHECK(hint({"a.fa", "--mode", "global"}) == "use posterior, local or motifs");
  CHECK(hint({"help", "format"}).starts_with("did you mean 'accord help formats'? use align, "));
  CHECK(hint({"-d", "none", "batch", "list", "-O", "out"}) ==
        "the command comes first: 'accord batch ...'");
  CHECK(hint({"help", "cooking"}).starts_with("use align, "));
  CHECK(refusal({"a.fa", "--tree", "xx"}) ==
        "--tree xx: neither a word of the option nor a file that is there");
  CHECK(parse({"a.fa", "--tree", "-"}).method.tree_method() == TreeMethod::file);
}

TEST_CASE("options: a short option that continues as a long one is refused") {
  const auto refused = [](const Arguments& line) {
    return error_of([&] { run_command_line(all_commands(), line); });
  };
  const std::vector<std::pair<Arguments, std::string>> meant = {
      {{"p.fa", "-out", "q.fa"}, "out"},
      {{"p.fa", "-out=q.fa"}, "out"},
      {{"-in", "p.fa", "-out", "q.fa"}, "in"},
      {{"p.fa", "-output", "q.fa"}, "out"},
      {{"p.fa", "-outfile=q.fa"}, "out"},
      {{"p.fa", "-OUT", "q.fa"}, "out"},
      {{"p.fa", "-threads", "4"}, "threads"},
      {{"p.fa", "-format", "clustal"}, "format"},
      {{"p.fa", "-for", "clustal"}, "format"},
      {{"p.fa", "-type=protein"}, "type"},
      {{"p.fa", "-html", "x.html"}, "html"},
      {{"p.fa", "-quiet"}, "quiet"},
      {{"p.fa", "-verbose"}, "verbose"},
      {{"p.fa", "-version"}, "version"},
      {{"p.fa", "-device", "none"}, "device"},
      {{"batch", "fams", "-Out-dir", "o"}, "out-dir"},
      {{"dist", "p.fa", "-format", "tsv"}, "format"}};
  for (const auto& one : meant) {
    const std::string name = one.second;
    CAPTURE(name);
    const Error error = refused(one.first);
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.hint().starts_with("did you mean --" + name + "?"));
  }
  CHECK(std::string(refused({"p.fa", "-out", "q.fa"}).what()) ==
        "'-out' would be -o and its value 'ut'");
  const AlignOptions attached = parse({"a.fa", "-ofile", "-fclustal", "-j4", "-tdna", "-dnone"});
  CHECK(outputs(attached) == Arguments{"file clustal"});
  CHECK(attached.compute.threads == 4);
  CHECK(outputs(parse({"a.fa", "-o", "ut"})) == Arguments{"ut fasta"});
  CHECK_NOTHROW(parse({"a.fa", "-vv", "-q"}));
  CHECK_NOTHROW(parse({"--", "-out"}));
}

TEST_CASE("options: a suffix that stands for no format is FASTA, with a warning") {
  const auto warned = [](const std::string& path) {
    const WarningScope scope;
    CHECK(outputs(parse({"a.fa", "-o", path})) == Arguments{path + " fasta"});
    REQUIRE(scope.warnings().size() == 1);
    return scope.warnings()[0].text + "; " + scope.warnings()[0].hint;
  };
  const std::string another = "; {format} FORMAT writes another one";
  CHECK(warned("x.txt") ==
        "x.txt: written as fasta, since no format has the suffix .txt" + another);
  CHECK(warned("x.fa.tmp").ends_with("the suffix .tmp" + another));
  CHECK(warned("out.mafft.gz").ends_with("the suffix .mafft" + another));
  CHECK(warned("x.sto.tmp").ends_with("{format=stockholm} writes that format"));
  CHECK(warned("x.sto.tmp.gz").ends_with("{format=stockholm} writes that format"));
  const WarningScope scope;
  CHECK(outputs(parse({"a.fa", "-o", "x.tmp", "-f", "fasta"})) == Arguments{"x.tmp fasta"});
  CHECK(scope.warnings().empty());
}

TEST_CASE("options: a suffix of a page, or of a format that is only read, is refused") {
  const auto refused = [](const std::string& path) {
    return error_of([&] { outputs(parse({"a.fa", "-o", path})); });
  };
  for (const char* path : {"x.slx", "x.pir.gz", "x.pdb", "x.gb"}) {
    CAPTURE(path);
    CHECK(refused(path).kind() == ErrorKind::usage);
    CHECK(refused(path).hint().find("stockholm (.sto .stk .sth .stockholm)") != std::string::npos);
  }
  CHECK(refused("x.html").hint() == "--html writes pages");
  CHECK(outputs(parse({"a.fa", "-o", "x.pfam", "-f", "stockholm"})) ==
        Arguments{"x.pfam stockholm"});
  CHECK(outputs(parse({"a.fa", "-o", "PF00001.22", "-o", "x.fa.bz2", "-o", "/dev/fd/3"})) ==
        Arguments{"PF00001.22 fasta", "x.fa.bz2 fasta", "/dev/fd/3 fasta"});
  CHECK(refusal({"a.fa", "-f", "selex"}) == "--format selex: can only be read");
}

TEST_CASE("help: formats, examples, environment and the manual page") {
  const std::vector<Command> commands = all_commands();
  CHECK(help_on("formats", commands).find("HH-suite") != std::string::npos);
  CHECK(help_on("formats", commands).find("zstd") != std::string::npos);
  CHECK(help_on("environment", commands).find("ACCORD_OPENCL_LIB") != std::string::npos);
  CHECK(help_on("codes", commands).find("vertebrate mitochondrial") != std::string::npos);
  const std::string page = manual_page(commands);
  for (const char* section : {".SH EXAMPLES\n", ".SH FORMATS\n", ".SH SEE ALSO\n"}) {
    CHECK(page.find(section) != std::string::npos);
  }
}

TEST_CASE("options: an empty name is refused") {
  for (const Arguments& line : {Arguments{""}, Arguments{"a.fa", "-o", ""},
                                Arguments{"a.fa", "--report", ""}, Arguments{"-i", ""}}) {
    CHECK(refusal(line).find("the name is empty") != std::string::npos);
  }
  CHECK(refusal({"batch", "in", "-O", ""}).find("--out-dir: the name is empty") == 0);
  const auto hint = [](const char* option) {
    return error_of([&] { run_command_line(all_commands(), {"a.fa", option, ""}); }).hint();
  };
  CHECK(hint("--log") == "is a variable of the script not set?");
  CHECK(hint("--html").ends_with("'-' is standard output"));
  CHECK(hint("--parameters").ends_with("'-' is standard input"));
}

TEST_CASE("options: an empty value of any option is refused, whatever it is for") {
  for (const Arguments& line :
       {Arguments{"a.fa", "--device", ""}, Arguments{"a.fa", "-d", ""},
        Arguments{"a.fa", "--threads", ""}, Arguments{"a.fa", "--memory", ""},
        Arguments{"a.fa", "--format", ""}, Arguments{"a.fa", "--tree", ""},
        Arguments{"a.fa", "--mode", " "}, Arguments{"a.fa", "--type="},
        Arguments{"a.fa", "--max-seqs", ""}, Arguments{"batch", "a", "-O", "o", "--shard", ""},
        Arguments{"batch", "a", "-O", "o", "--beside", ""},
        Arguments{"trim", "a.fa", "--max-gaps", ""}, Arguments{"dist", "a.fa", "--format", ""}}) {
    CHECK(refusal(line).ends_with(" the value is empty"));
  }
}

TEST_CASE("options: a shard is I/N with I from 1 to N") {
  CHECK(parse_shard("3/16").number == 3);
  CHECK(parse_shard("3/16").count == 16);
  for (const char* text :
       {"", "3", "0/4", "5/4", "1/0", "1/", "/2", "1/2/3", "-1/2", "a/b", "1/2 "}) {
    CAPTURE(text);
    CHECK(error_of([&] { parse_shard(text); }).kind() == ErrorKind::usage);
  }
}
