// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/cli/option_values.hpp"
#include "base/system_limits.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

ResidueType parse_type(const std::string& text) {
  for (ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    if (text == to_string(type)) return type;
  }
  usage_error("--type " + text + ": unknown type", "use auto, protein, dna or rna");
}

ProgressStyle parse_progress(const std::string& text) {
  constexpr std::array<std::pair<const char*, ProgressStyle>, 5> kStyles = {
      {{"auto", ProgressStyle::automatic},
       {"bar", ProgressStyle::bar},
       {"plain", ProgressStyle::plain},
       {"json", ProgressStyle::json},
       {"none", ProgressStyle::none}}};
  for (const auto& [name, style] : kStyles) {
    if (text == name) return style;
  }
  usage_error("--progress " + text + ": unknown word", "use auto, bar, plain, json or none");
}

/// Reads "11,1".
GapCosts parse_gap_costs(const std::string& option, const std::string& text) {
  GapCosts costs{};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, costs.open);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',') {
    const auto second = std::from_chars(first.ptr + 1, end, costs.extend);
    if (second.ec == std::errc() && second.ptr == end && costs.open >= 0 && costs.extend > 0) {
      return costs;
    }
  }
  usage_error("--" + option + " " + text + ": no costs of gaps",
              "use two numbers, such as 11,1, the first of at least 0, the second above it");
}

/// Refuses what is neither a method nor the name of a file: a name has a suffix or a directory, or
/// something is there.
void check_tree_file(const std::string& text) {
  std::error_code error;
  if (text == "-" || text.find_first_of("./") != text.npos ||
      std::filesystem::exists(text, error)) {
    return;
  }
  usage_error("--tree " + text + ": neither a method nor a file that is there",
              "use upgma, nj, or the name of a Newick file");
}

}  // namespace

void add_input_options(OptionTable& table, FamilySource& values) {
  table.push_back({.name = "in",
                   .letter = 'i',
                   .value = "FILE",
                   .help = "an input, the same as a file without an option",
                   .topic = OptionTopic::input,
                   .repeatable = true,
                   .is_file = true,
                   .dash = Dash::input});
  table.push_back({.name = "max-seqs",
                   .value = "N",
                   .help = "refuse inputs of more sequences",
                   .topic = OptionTopic::input,
                   .set = count_in(values.most_sequences, "max-seqs")});
  table.push_back({.name = "max-length",
                   .value = "N",
                   .help = "refuse inputs with a sequence of more residues",
                   .topic = OptionTopic::input,
                   .set = count_in(values.most_residues, "max-length")});
  table.push_back({.name = "in-format",
                   .value = "FORMAT",
                   .help = "format of the input: " + readable_formats() + " (by its content)",
                   .topic = OptionTopic::input,
                   .set = [&values](const std::string& text) {
                     values.reading.format = parse_format("in-format", text);
                   }});
  table.push_back({.name = "lenient",
                   .help = "leave out characters that cannot stand in a sequence, such as digits, "
                           "with a warning (in an alignment they become gaps); they are an error "
                           "otherwise",
                   .topic = OptionTopic::input,
                   .set = flag_in(values.reading.lenient)});
  table.push_back({.name = "type",
                   .letter = 't',
                   .value = "TYPE",
                   .help = "auto, protein, dna or rna (auto)",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = [&values](const std::string& text) {
                     values.type.reset();
                     values.reading.is_type_given = text != "auto";
                     if (text != "auto") values.type = parse_type(text);
                   }});
}

void add_gaps_option(OptionTable& table, FamilySource& values) {
  table.push_back({.name = "gaps",
                   .value = "WHAT",
                   .help = "gaps of the input: remove, which warns of them, or error (remove)",
                   .topic = OptionTopic::input,
                   .set = choice_in(values.reading.refuse_gaps, "gaps", "remove", "error")});
}

void add_family_options(OptionTable& table, FamilySource& values) {
  add_input_options(table, values);
  add_gaps_option(table, values);
  add_direction_option(table, values);
}

void add_direction_option(OptionTable& table, FamilySource& values) {
  values.suggests_direction = true;
  table.push_back({.name = "adjust-direction",
                   .help = "turn nucleotide sequences round (reverse complement) that share more "
                           "with the others that way; their names then begin with _R_",
                   .topic = OptionTopic::input,
                   .set = flag_in(values.adjust_direction)});
}

void add_model_options(OptionTable& table, MethodOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::method;
  table.push_back({.name = "parameters",
                   .value = "FILE",
                   .help = "take the parameters of the models and of the method from here, see "
                           "'accord help parameters' (the built-in set for proteins or for "
                           "nucleotides)",
                   .topic = kTopic,
                   .dash = Dash::input,
                   .set = [&values](const std::string& file) {
                     values.parameters = parse_parameter_set(read_text(file), input_label(file));
                     values.parameters_file = file;
                   }});
  table.push_back({.name = "matrix",
                   .value = "FILE",
                   .help = "take the scores of letters from this substitution matrix (NCBI's "
                           "format) in place of the built-in ones; its scale is found, the gaps "
                           "stay",
                   .topic = kTopic,
                   .dash = Dash::input,
                   .set = [&values](const std::string& file) {
                     values.matrix = std::make_shared<const SubstitutionMatrix>(
                         parse_substitution_matrix(read_text(file), input_label(file)));
                     values.matrix_file = file;
                   }});
  table.push_back({.name = "gap-costs",
                   .value = "OPEN,EXTEND",
                   .help = "what a gap costs in units of --matrix, such as 11,1: OPEN, and EXTEND "
                           "for each of its residues",
                   .topic = kTopic,
                   .set = [&values](const std::string& text) {
                     values.gap_costs = parse_gap_costs("gap-costs", text);
                   }});
}

void add_method_options(OptionTable& table, MethodOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::method;
  add_model_options(table, values);
  table.push_back(
      {.name = "tree",
       .value = "TREE",
       .help = "guide tree: upgma, nj, or a Newick file (upgma; nj for the modes local and motifs)",
       .topic = kTopic,
       .common = true,
       .brief = "guide tree: upgma, nj, or a Newick file",
       .dash = Dash::input,
       .set = [&values](const std::string& text) {
         const std::string word = lower_case(text);
         values.tree = word == "upgma" ? TreeMethod::upgma
                       : word == "nj"  ? TreeMethod::neighbor_joining
                                       : TreeMethod::file;
         if (values.tree != TreeMethod::file) {
           values.tree_file.clear();
           return;
         }
         check_tree_file(text);
         values.tree_file = text;
       }});
  table.push_back({.name = "prune",
                   .help = "leave out the leaves of --tree FILE that are not among the sequences, "
                           "with a warning; they are an error otherwise",
                   .topic = kTopic,
                   .set = flag_in(values.prunes)});
  table.push_back({.name = "consistency",
                   .value = "N",
                   .help = "rounds of the consistency transform (2; 1 for more than 50 sequences)",
                   .topic = kTopic,
                   .set = count_in(values.consistency, "consistency")});
  table.push_back({.name = "intermediates",
                   .value = "N",
                   .help = "sequences that the transform goes through, at most (32; 0: all)",
                   .topic = kTopic,
                   .set = count_in(values.intermediates, "intermediates")});
  table.push_back({.name = "large",
                   .value = "WHEN",
                   .help = "align a backbone of representatives and add the other sequences to it: "
                           "auto (for more than 700 sequences, or 1e11 cells of all pairs), never "
                           "or always (auto)",
                   .topic = kTopic,
                   .set = [&values](const std::string& text) {
                     values.large = large_families(text, "--large");
                   }});
  table.push_back({.name = "backbone",
                   .value = "N",
                   .help =
                       "sequences of the backbone of a large family (100, with --effort max 200; "
                       "fewer, at least 50, if they are long)",
                   .topic = kTopic,
                   .set = [&values](const std::string& text) {
                     values.backbone = parse_count("backbone", text, 2);
                   }});
  table.push_back(
      {.name = "effort",
       .value = "EFFORT",
       .help = "work for a large family: normal, high or max (normal); without a GPU high "
               "takes four times as long, max eight times, for more accuracy",
       .topic = kTopic,
       .common = true,
       .brief = "for a large family: normal, high or max (normal)",
       .set = [&values](const std::string& text) { values.effort = effort_of(text, "--effort"); }});
  table.push_back(
      {.name = "mode",
       .value = "MODE",
       .help = "posterior; local: by local alignments and refinement along the "
               "tree, as MAFFT L-INS-i; motifs: the same with gaps in both sequences, "
               "as E-INS-i (posterior)",
       .topic = kTopic,
       .common = true,
       .brief = "posterior, local or motifs (posterior)",
       .set = [&values](const std::string& text) { values.mode = align_mode(text, "--mode"); }});
  table.push_back({.name = "refine",
                   .value = "N",
                   .help =
                       "iterations of the refinement (30); of the modes local and motifs, rounds "
                       "over all branches of the tree, at most (2)",
                   .topic = kTopic,
                   .set = count_in(values.refine, "refine")});
}

void add_code_option(OptionTable& table, std::optional<int>& code) {
  table.push_back({.name = "code",
                   .value = "N",
                   .help = "genetic code of codons, by NCBI's number (1, the standard code)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = [&code](const std::string& text) { code = parse_count("code", text); }});
}

void add_compute_options(OptionTable& table, ComputeOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::compute;
  if (const char* device = std::getenv("ACCORD_DEVICE"); device && *device) {
    values.device = lower_case(device);
  }
  table.push_back(
      {.name = "device",
       .letter = 'd',
       .value = "DEVICE",
       .help = "auto (a GPU if there is one and the host would need more than about a second, "
               "else the host), none (the host), or devices "
               "by number, name (gpu0), type (gpu), address (pci:0a:00.0) or "
               "description, with commas; see 'accord devices' ($ACCORD_DEVICE)",
       .topic = kTopic,
       .common = true,
       .brief = "auto, none (the host), gpu0; see 'accord devices'",
       .set = keep_in(values.device)});
  table.push_back({.name = "threads",
                   .letter = 'j',
                   .value = "N",
                   .help = "threads (0: as affinity, control group, OMP_NUM_THREADS and "
                           "SLURM_CPUS_PER_TASK allow)",
                   .topic = kTopic,
                   .common = true,
                   .brief = "threads (as many as the process may use)",
                   .set = count_in(values.threads, "threads")});
  table.push_back(
      {.name = "memory",
       .value = "SIZE",
       .help = "host memory that may be used, such as 8G; a family that needs more is "
               "refused at once, families of a batch wait for each other (ACCORD_MEMORY, else 80 % "
               "of what control group and "
               "machine allow)",
       .topic = kTopic,
       .set = [&values](const std::string& text) { values.memory = parse_size("memory", text); }});
  table.push_back(
      {.name = "time-limit",
       .value = "TIME",
       .help = "end after this time, such as 90 (seconds), 10m or 2h, with exit code 124",
       .topic = kTopic,
       .set = [&values](const std::string& text) {
         values.time_limit = parse_seconds("time-limit", text);
       }});
  add_opencl_options(table, values.opencl);
}

int chosen_threads(const ComputeOptions& options) {
  if (options.threads > 0) return options.threads;
  if (const char* own = std::getenv("ACCORD_THREADS"); own != nullptr && *own != '\0') {
    return parse_count("threads (ACCORD_THREADS)", own, 1);
  }
  int threads = available_processors();
  // Others' variables may hold anything; what is not a positive number is not for us. A list, as
  // OMP_NUM_THREADS may be, begins with the outermost level.
  for (const char* variable : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
    const char* text = std::getenv(variable);
    const int limit = text == nullptr ? 0 : std::atoi(text);
    if (limit > 0) threads = std::min(threads, limit);
  }
  return threads;
}

std::optional<std::size_t> memory_budget(const ComputeOptions& options) {
  if (options.memory) return options.memory;
  if (const char* own = std::getenv("ACCORD_MEMORY"); own != nullptr && *own != '\0') {
    return parse_size("memory (ACCORD_MEMORY)", own);
  }
  return usual_memory_budget();
}

void add_opencl_options(OptionTable& table, ocl::OpenClSettings& values) {
  table.push_back({.name = "kernel-dir",
                   .value = "DIR",
                   .help = "use the kernel files of this directory in place of the built-in ones "
                           "of the same names, for work on kernels",
                   .topic = OptionTopic::compute,
                   .dash = Dash::nothing,
                   .set = keep_in(values.kernel_directory)});
  table.push_back(
      {.name = "device-memory",
       .value = "SIZE",
       .help = "memory of each device that may be occupied: a size such as 6G or 512M, "
               "or a part such as 50% of what the device reports (80%)",
       .topic = OptionTopic::compute,
       .set = [&values](const std::string& text) {
         if (text.ends_with('%')) {
           const int percent = parse_count("device-memory", text.substr(0, text.size() - 1), 1);
           if (percent > 100) {
             usage_error("--device-memory " + text + ": more than all of it", "use 100% or less");
           }
           values.memory_percent = static_cast<std::uint32_t>(percent);
           values.memory_bytes = 0;
         } else {
           values.memory_bytes = parse_size("device-memory", text);
         }
       }});
}

void add_message_options(OptionTable& table, MessageOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::messages;
  table.push_back({.name = "verbose",
                   .letter = 'v',
                   .help = "say what is being done and how long it took; -vv says more",
                   .topic = kTopic,
                   .repeatable = true,
                   .common = true,
                   .brief = "say what is being done and how long it took",
                   .set = [&values](const std::string&) {
                     values.verbosity = values.verbosity >= Verbosity::verbose ? Verbosity::detailed
                                                                               : Verbosity::verbose;
                   }});
  table.push_back({.name = "quiet",
                   .letter = 'q',
                   .help = "no warnings",
                   .topic = kTopic,
                   .repeatable = true,
                   .set = [&values](const std::string&) { values.verbosity = Verbosity::quiet; }});
  table.push_back(
      {.name = "progress",
       .value = "HOW",
       .help = "show on stderr how far a run of more than a second has come: bar, plain "
               "(a line every 10 s), json (an object per line, every second), none; auto "
               "is a bar on a terminal, else plain (auto)",
       .topic = kTopic,
       .set = [&values](const std::string& text) { values.progress = parse_progress(text); }});
  table.push_back({.name = "log",
                   .value = "FILE",
                   .help = "write all messages here, too, whatever -v and -q say",
                   .topic = kTopic,
                   .dash = Dash::nothing,
                   .set = keep_in(values.log)});
}

void add_run_options(OptionTable& table, RunOptions& values) {
  add_compute_options(table, values.compute);
  add_message_options(table, values.messages);
}

ProgressStyle progress_style(const MessageOptions& options) {
  const bool is_silent =
      options.verbosity == Verbosity::quiet && options.progress == ProgressStyle::automatic;
  return is_silent ? ProgressStyle::none : options.progress;
}

}  // namespace accord
