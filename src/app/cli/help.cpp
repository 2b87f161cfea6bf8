// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/messages.hpp"
#include "io/formats/formats.hpp"
#include "models/parameter_set.hpp"
#include "tools/codons.hpp"

namespace accord {
namespace {

constexpr std::size_t kLineWidth = 80;

constexpr std::array<std::pair<const char*, const char*>, 13> kExitCodes = {
    {{"0", "complete; every output is written and closed"},
     {"1", "an error inside accord: please report it"},
     {"2", "the command line is wrong"},
     {"4", "batch: some families failed"},
     {"65", "bad input"},
     {"66", "an input cannot be read"},
     {"69", "the device, or the OpenCL runtime, is not there"},
     {"70", "a device failed, gave wrong results in its self-test, or the run stood still"},
     {"73", "an output cannot be created"},
     {"74", "an output could not be written to its end"},
     {"124", "--time-limit is reached"},
     {"137",
      "memory would be exceeded, or no thread could be started; the message has the word "
      "OutOfMemory"},
     {"128 + N",
      "ended by signal N, such as 130 SIGINT, 143 SIGTERM, after partial output was "
      "removed"}}};

constexpr std::array<std::pair<const char*, const char*>, 9> kEnvironment = {
    {{"ACCORD_DEVICE", "as --device"},
     {"ACCORD_THREADS", "as --threads"},
     {"ACCORD_MEMORY", "as --memory"},
     {"ACCORD_CACHE_DIR",
      "where compiled kernels are kept ('off': nowhere); else "
      "$XDG_CACHE_HOME/accord, else ~/.cache/accord"},
     {"POCL_CACHE_DIR",
      "where PoCL keeps its compiled kernels; else below $XDG_CACHE_HOME or ~/.cache, or, where "
      "these cannot be written, in a directory of accord's own"},
     {"OMP_NUM_THREADS", "the largest number of threads"},
     {"SLURM_CPUS_PER_TASK", "the largest number of threads"},
     {"ACCORD_OPENCL_LIB", "the OpenCL library to load, in place of libOpenCL"},
     {"OCL_ICD_VENDORS", "where the OpenCL loader looks for drivers"}}};

constexpr std::array<Example, 14> kExamples = {
    {{"accord fam.fa > fam.aln", "align: FASTA in, FASTA out"},
     {"accord fam.fa.gz -o fam.sto -o fam.phy", "two formats, by their suffixes"},
     {"accord fam.fa -o fam.aln --html fam.html", "a page to look at in a browser"},
     {"accord fam.fa --mode local > local.aln", "where only one region is shared"},
     {"accord confidence fam.aln > fam.tsv", "how sure each column and residue is"},
     {"accord tree --ml fam.fa > fam.nwk", "a maximum-likelihood tree", "ml"},
     {"accord batch families/ -O alignments/", "every family of a directory"},
     {"accord add seed.aln new.fa > all.aln", "new sequences into an alignment"},
     {"accord convert fam.sto -o fam.nex", "another format, the same alignment"},
     {"accord trim fam.aln > short.aln", "without columns of mostly gaps"},
     {"accord view fam.aln -o fam.html", "a page that shows any alignment"},
     {"accord codon genes.fa > codons.aln", "coding DNA through its translation"},
     {"accord ensemble fam.fa > fam.efa", "alternative alignments of a family"},
     {"accord check fam.fa", "problems, size, memory and time"}}};

constexpr std::array<std::pair<OptionTopic, const char*>, 5> kTopics = {
    {{OptionTopic::input, "input"},
     {OptionTopic::output, "output"},
     {OptionTopic::method, "method"},
     {OptionTopic::compute, "compute"},
     {OptionTopic::messages, "messages"}}};

/// Paragraphs, with empty lines between them, set in lines of kLineWidth; lines that begin with a
/// blank stay as they are.
std::string set_paragraphs(const std::string& text) {
  std::string result, paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) result += two_columns("", paragraph, 0);
    paragraph.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.empty() || line.front() == ' ') {
      flush();
      result += line + '\n';
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + line;
    }
    at = end + 1;
  }
  flush();
  return result;
}

std::string option_line(const OptionSpec& option, const std::string& text) {
  std::string names = option.letter == 0 ? "      " : std::string("  -") + option.letter + ", ";
  names += "--" + option.name + (option.value.empty() ? "" : " " + option.value);
  return two_columns(names, text, 27);
}

std::string usage_line(const Command& command, bool is_default) {
  const std::string word = is_default ? "[" + command.name + "]" : command.name;
  return word + (command.arguments.empty() ? "" : " " + command.arguments);
}

/// The options of a topic that `keep` accepts, under the name of the topic; empty if there is none.
template <class Keep>
std::string topic_section(const OptionTable& options, OptionTopic topic, const std::string& title,
                          const Keep& keep) {
  std::string text;
  for (const OptionSpec& option : options) {
    if (option.topic == topic && keep(option)) text += option_line(option, option.help);
  }
  return text.empty() ? text : "\n" + title + "\n" + text;
}

std::string command_help(const Command& command, bool is_default) {
  std::string text = "usage: accord " + usage_line(command, is_default) +
                     (command.options.empty() ? "" : " [options]") + "\n\n" +
                     set_paragraphs(command.description);
  for (const auto& [topic, name] : kTopics) {
    text += topic_section(command.options, topic, std::string(name) + ":",
                          [](const OptionSpec&) { return true; });
  }
  return text;
}

/// All options of a topic; an option of several commands appears once.
std::string topic_help(OptionTopic topic, const std::string& name,
                       const std::vector<Command>& commands) {
  OptionTable options;
  std::set<std::string> seen;
  for (const Command& command : commands) {
    for (const OptionSpec& option : command.options) {
      if (option.topic == topic && seen.insert(option.name).second) options.push_back(option);
    }
  }
  return topic_section(options, topic, "options of the topic " + name + ":",
                       [](const OptionSpec&) { return true; })
      .substr(1);
}

std::string exit_codes_help() {
  std::string text = "exit codes:\n";
  for (const auto& [code, meaning] : kExitCodes)
    text += two_columns("  " + std::string(code), meaning, 12);
  return text;
}

std::string formats_help() {
  return "formats that are written, with their suffixes:\n" +
         two_columns("", written_suffixes(), 2) +
         "formats that are read, recognised by their content:\n" +
         two_columns("", readable_inputs(), 2) +
         set_paragraphs(
             "\n"
             "Ensemble FASTA (EFA), which 'accord ensemble' writes, is several alignments in one "
             "file, each behind a line '<' and its name. 'accord convert' and 'accord confidence' "
             "read one of them, --replicate NAME; 'accord compare' reads all.\n"
             "\n"
             "The name of a row is the first word of its header, in NEXUS, PHYLIP of ten columns, "
             "PIR and JSON what stands as the name there. Names with blanks stay so in NEXUS, "
             "JSON, "
             "phylip-strict, Newick, TSV and CSV; the other formats have '_' for blanks. Where a "
             "format identifies rows by their names, equal ones are numbered. phylip-strict cuts "
             "names to 10 characters. A warning names the changes, --name-map FILE lists them. "
             "JSON is UTF-8; a name that is not is taken for Latin-1.\n"
             "\n"
             "Gaps are '-', '.' and '~'; '?' is a residue that is not known, X or N for the "
             "aligner, and stays as it is. In PHYLIP '.' is the residue of the first row, in NEXUS "
             "the character of matchchar; the missing character of NEXUS becomes '?'. With "
             "--lenient other characters are left out, in the rows of an alignment they become "
             "gaps, so that columns stay. A file that ends before its header, its blocks or its "
             "last line ('//', ';', '*') say is an error, and so are a second alignment in a file, "
             "lines of a block that differ in length, and counts of CLUSTAL that are not right. "
             "In MSF, a checksum that does not fit and fewer columns in the header than there are "
             "are warnings.\n"
             "\n"
             "Of FASTQ, GenBank and EMBL names and sequences are read, in 'accord codon' the "
             "coding "
             "sequences of GenBank and EMBL. Of PDB and mmCIF the chains of proteins are read, "
             "the residues that have coordinates. Lines of structure of RNAfold, and the comments "
             "'C;' and 'R;' of MODELLER, are skipped. A file named .slx is SELEX without any mark "
             "of it. Files of MEGA are refused.\n"
             "\n"
             "In NEXUS a set such as {AG} is the letter that stands for it, equate is obeyed, "
             "rows without labels have those of the taxa block. Matrices whose rows are "
             "characters, and those of mixed data, are refused.\n"
             "\n"
             "The match columns of A2M, A3M and Stockholm ('#=GC RF') are kept in these three. "
             "Where they are not known, those of A2M are the columns in which at least half of the "
             "rows have a residue, those of A3M the ones in which the first row, for HH-suite the "
             "query, has one. The letters of the other columns are in lower case, and in A3M their "
             "gaps are left out. What begins as FASTA is read as A2M or A3M if its suffix or "
             "--in-format says so. The markup of Stockholm, and rows such as ss_pred of A3M, are "
             "kept with the columns that they belong to, and so is that of SELEX in Stockholm; the "
             "confidence of JSON stays in JSON and Stockholm. A warning says what a format has no "
             "place for.\n"
             "\n"
             "Trees are read as Newick or from the trees block of NEXUS, with labels in single or "
             "double quotes, also as MAFFT numbers them; negative lengths are taken for 0, with a "
             "warning.\n");
}

std::string examples_help(const std::vector<Command>& commands) {
  std::string text = "examples:\n";
  for (const auto& [line, meaning, option] : examples(commands)) {
    const std::string command = line;
    constexpr std::size_t kWidth = 41;  // of the longest, and a blank
    text += "  " + command + std::string(kWidth - command.size(), ' ') + "# " + meaning + '\n';
  }
  return text;
}

std::string environment_help() {
  std::string text = "environment variables; options take precedence:\n";
  for (const auto& [name, meaning] : kEnvironment) {
    text += two_columns("  " + std::string(name), meaning, 27);
  }
  return text;
}

}  // namespace

std::string two_columns(std::string left, const std::string& right, std::size_t indent) {
  std::string text = std::move(left);
  std::size_t width = text.size();
  const auto pad = [&] {
    text.append(indent - width, ' ');
    width = indent;
  };
  if (indent > 0 && width + 2 > indent) {
    text += '\n';
    width = 0;
  }
  pad();
  for (std::size_t at = 0; at < right.size();) {
    const std::size_t end = std::min(right.find(' ', at), right.size());
    const std::size_t word = end - at;
    if (width > indent && width + 1 + word > kLineWidth) {
      text += '\n';
      width = 0;
      pad();
    } else if (width > indent) {
      text += ' ';
      ++width;
    }
    text.append(right, at, word);
    width += word;
    at = end + 1;
  }
  return text + '\n';
}

std::vector<Example> examples(const std::vector<Command>& commands) {
  std::vector<Example> found;
  std::ranges::copy_if(kExamples, std::back_inserter(found), [&](const Example& example) {
    return example.option == nullptr || std::ranges::any_of(commands, [&](const Command& command) {
             return std::ranges::any_of(command.options, [&](const OptionSpec& option) {
               return option.name == example.option;
             });
           });
  });
  return found;
}

std::string short_help(const std::vector<Command>& commands) {
  std::string text =
      two_columns("", kPurpose, 0) +
      "\nusage: accord IN... [options]       align IN ('-': stdin; compressed is fine)\n"
      "       accord COMMAND ... [options]\n\n";
  for (const Command& command : commands) {
    const bool is_default = &command == &commands.front();
    text += two_columns("  " + usage_line(command, is_default), command.summary, 27);
  }
  text += '\n';
  for (const OptionSpec& option : commands.front().options) {
    if (option.common)
      text += option_line(option, option.brief.empty() ? option.help : option.brief);
  }
  return text +
         "\nMore: 'accord help examples', 'accord help all', 'COMMAND --help', '--version'\n";
}

std::vector<std::string> help_topics(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  for (const auto& [group, name] : kTopics) names.emplace_back(name);
  names.insert(names.end(),
               {"examples", "formats", "codes", "exit", "environment", "cite", "parameters",
                "parameters-protein", "parameters-nucleotide", "report", "report-schema", "man",
                "completion-bash", "completion-zsh", "completion-fish", "all"});
  return names;
}

std::string help_on(const std::string& topic, const std::vector<Command>& commands) {
  std::string everything = short_help(commands);
  for (const Command& command : commands) {
    std::string text = command_help(command, &command == &commands.front());
    if (command.name == topic) return text;
    everything += "\n" + std::string(kLineWidth, '-') + "\n" + text;
  }
  for (const auto& [group, name] : kTopics) {
    if (name == topic) return topic_help(group, name, commands);
  }
  if (topic == "all") return everything;
  if (topic == "exit") return exit_codes_help();
  if (topic == "environment") return environment_help();
  if (topic == "formats") return formats_help();
  if (topic == "codes") return "genetic codes, by NCBI's numbers:\n" + genetic_codes();
  if (topic == "examples") return examples_help(commands);
  if (topic == "cite") return citation_help();
  if (topic == "parameters") return command_line_hint(format_parameter_fields());
  if (topic == "parameters-protein") return std::string(protein_parameter_text());
  if (topic == "parameters-nucleotide") return std::string(nucleotide_parameter_text());
  if (topic == "report") return format_report_fields();
  if (topic == "report-schema") return report_schema();
  if (topic == "man") return manual_page(commands);
  constexpr std::string_view kCompletion = "completion-";
  if (topic.starts_with(kCompletion)) {
    const auto script = completion_script(topic.substr(kCompletion.size()), commands);
    if (script) return *script;
  }
  const std::vector<std::string> names = help_topics(commands);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  const std::string meant = meant_word(topic, names);
  throw Error(ErrorKind::usage, "help " + topic + ": no such topic",
              (meant.empty() ? "" : "did you mean 'accord help " + meant + "'? ") + "use " + known);
}

}  // namespace accord
