// SPDX-License-Identifier: Apache-2.0
#include "accord/app/options.hpp"

#include <boost/program_options.hpp>
#include <sstream>

#include "accord/base/error.hpp"

namespace accord {
namespace {

namespace po = boost::program_options;

constexpr const char* kUsage =
    "accord: accurate multiple sequence alignment\n"
    "\n"
    "usage: accord [align] IN [options]   align the sequences of IN ('-' is stdin, gzip is fine)\n"
    "       accord devices                list what can compute\n"
    "       accord score TEST REF         compare an alignment with a reference\n"
    "       accord --version\n";

po::options_description align_options() {
  po::options_description options("options of align");
  auto add = options.add_options();
  add("out,o", po::value<std::string>()->default_value("-"), "output file ('-' is stdout)");
  add("format,f", po::value<std::string>(),
      "fasta or clustal (by the suffix of the output, else fasta)");
  add("type,t", po::value<std::string>()->default_value("auto"), "auto, protein, dna or rna");
  add("mode,m", po::value<std::string>()->default_value("default"),
      "default, or accurate (keeps more posterior cells, slower)");
  add("device,d", po::value<std::string>()->default_value("auto"),
      "auto (a GPU if there is one, else the host), none (the host), or an OpenCL device by its "
      "number, its name (gpu0, cpu0) or a part of its description; see 'accord devices'");
  add("threads,j", po::value<int>()->default_value(0), "threads (0: all processors allowed)");
  add("tree", po::value<std::string>()->default_value("upgma"),
      "guide tree: upgma, nj, or a Newick file");
  add("tree-out", po::value<std::string>(), "write the guide tree here (Newick)");
  add("dist-out", po::value<std::string>(), "write the distances here (PHYLIP)");
  add("consistency", po::value<int>(), "rounds of the consistency transform (default 2)");
  add("refine", po::value<int>(), "iterations of the refinement");
  add("report", po::value<std::string>(), "write a report of the run here (JSON)");
  add("verbose,v", "say what is being done and how long it took");
  add("quiet,q", "no warnings");
  add("version", "print the version");
  add("help,h", "print this text");
  return options;
}

std::string help_text() {
  std::ostringstream text;
  text << kUsage << '\n' << align_options();
  text << "\nscore: SP and TC of TEST over the core columns of REF: upper-case columns of a FASTA\n"
          "file, all columns of an MSF file, or the core blocks of a BAliBASE XML file.\n";
  return text.str();
}

[[noreturn]] void usage_error(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

ResidueType parse_type(const std::string& text) {
  for (ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    if (text == to_string(type)) return type;
  }
  usage_error("--type " + text + ": unknown type", "use auto, protein, dna or rna");
}

bool has_suffix(const std::string& text, const std::string& suffix) {
  return text.size() > suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

AlignmentFormat parse_format(const po::variables_map& values, const std::string& output) {
  if (!values.count("format")) {
    const bool clustal = has_suffix(output, ".clustal") || has_suffix(output, ".clw");
    return clustal ? AlignmentFormat::clustal : AlignmentFormat::fasta;
  }
  const auto text = values["format"].as<std::string>();
  if (text == "fasta") return AlignmentFormat::fasta;
  if (text == "clustal") return AlignmentFormat::clustal;
  usage_error("--format " + text + ": unknown format", "use fasta or clustal");
}

std::optional<int> parse_count(const po::variables_map& values, const std::string& name) {
  if (!values.count(name)) return std::nullopt;
  const int value = values[name].as<int>();
  if (value < 0) usage_error("--" + name + " " + std::to_string(value) + ": negative", "use 0 or more");
  return value;
}

std::string text_of(const po::variables_map& values, const std::string& name) {
  return values.count(name) ? values[name].as<std::string>() : std::string();
}

void read_align_options(const po::variables_map& values, Options& options) {
  options.output = text_of(values, "out");
  options.format = parse_format(values, options.output);
  if (text_of(values, "type") != "auto") options.type = parse_type(text_of(values, "type"));
  options.mode = text_of(values, "mode");
  options.device = text_of(values, "device");
  options.threads = *parse_count(values, "threads");
  options.consistency = parse_count(values, "consistency");
  options.refine = parse_count(values, "refine");
  const std::string tree = text_of(values, "tree");
  if (tree == "nj") {
    options.tree = TreeMethod::neighbor_joining;
  } else if (tree != "upgma") {
    options.tree = TreeMethod::file;
    options.tree_file = tree;
  }
  options.tree_out = text_of(values, "tree-out");
  options.dist_out = text_of(values, "dist-out");
  options.report = text_of(values, "report");
  for (const std::string& file : {options.tree_out, options.dist_out, options.report}) {
    if (file == "-" && options.output == "-") {
      usage_error("two outputs to stdout", "stdout is for the alignment: name a file, or use -o");
    }
  }
  if (values.count("quiet")) options.verbosity = Verbosity::quiet;
  if (values.count("verbose")) options.verbosity = Verbosity::verbose;
}

/// Takes the command word off the files, if there is one.
Command take_command(std::vector<std::string>& files) {
  const std::vector<std::pair<std::string, Command>> commands = {
      {"align", Command::align}, {"devices", Command::devices}, {"score", Command::score},
      {"help", Command::help}};
  for (const auto& [word, command] : commands) {
    if (!files.empty() && files.front() == word) {
      files.erase(files.begin());
      return command;
    }
  }
  return Command::align;
}

void take_files(std::vector<std::string> files, Options& options) {
  const std::size_t wanted = options.command == Command::align   ? 1
                             : options.command == Command::score ? 2
                                                                 : 0;
  if (files.size() < wanted) {
    usage_error(wanted == 1 ? "no input file" : "score needs two files, TEST and REF",
                "try 'accord --help'");
  }
  if (files.size() > wanted && options.command != Command::help) {
    usage_error("unexpected argument '" + files[wanted] + "'", "try 'accord --help'");
  }
  if (options.command == Command::align) options.input = files[0];
  if (options.command == Command::score) {
    options.test = files[0];
    options.reference = files[1];
  }
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  po::options_description all;
  all.add(align_options());
  all.add_options()("file", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("file", -1);
  po::variables_map values;
  try {
    // No abbreviated long options: a script must not change its meaning when an option is added.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).style(style).run(),
              values);
    po::notify(values);
  } catch (const po::error& error) {
    usage_error(error.what(), "try 'accord --help'");
  }
  Options options;
  options.help = help_text();
  if (values.count("version")) {
    options.command = Command::version;
    return options;
  }
  std::vector<std::string> files;
  if (values.count("file")) files = values["file"].as<std::vector<std::string>>();
  options.command = take_command(files);
  if (values.count("help")) options.command = Command::help;
  if (options.command == Command::help) return options;
  take_files(files, options);
  read_align_options(values, options);
  return options;
}

}  // namespace accord
