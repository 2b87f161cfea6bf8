// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "app/cli/option_values.hpp"
#include "base/system_limits.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "io/families/input_options.hpp"
#include "io/files/reading_memory.hpp"

namespace accord {
namespace {

constexpr const char* kMemory = "memory";

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

/// The command-line option for an entry of a table.
OptionSpec spec_of(const OptionField& field, OptionTopic topic,
                   std::function<void(const std::string&)> set) {
  return {.name = field.name,
          .letter = field.letter,
          .value = field.value,
          .help = command_line_hint(field.help),
          .topic = topic,
          .common = field.is_common,
          .brief = command_line_hint(field.brief),
          .dash = field.value == "DIR" ? Dash::nothing : Dash::input,
          .set = std::move(set)};
}

void add_input_group(OptionTable& table, FamilySource& values, InputGroup group) {
  for (const InputOption& option : input_options()) {
    if (option.group != group) continue;
    table.push_back(
        spec_of(option.field, OptionTopic::input, [&values, &option](const std::string& text) {
          set_input_option(option, text, "--" + option.field.name, values);
        }));
  }
}

void add_compute_option(OptionTable& table, ComputeOptions& values, const ComputeOption& option) {
  const std::string& name = option.field.name;
  table.push_back(
      spec_of(option.field, OptionTopic::compute, [&values, name](const std::string& text) {
        set_compute_option(name, text, "--" + name, values);
      }));
  if (name != kMemory) return;
  // Files that other options name are read with the limit, too.
  table.back().comes_first = true;
  table.back().set = [&values, set = table.back().set](const std::string& text) {
    set(text);
    set_reading_limit(values.memory);
  };
}

void add_compute_group(OptionTable& table, ComputeOptions& values, ComputeGroup group) {
  for (const ComputeOption& option : compute_options()) {
    if (option.group == group) add_compute_option(table, values, option);
  }
}

void add_method_options(OptionTable& table, MethodOptions& values, bool with_all) {
  for (const MethodOption& option : method_options()) {
    if (!with_all && !option.is_of_models) continue;
    const std::string& name = option.field.name;
    table.push_back(
        spec_of(option.field, OptionTopic::method,
                [&values, name](const std::string& text) { values.set(name, text, "--" + name); }));
  }
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
  add_input_group(table, values, InputGroup::sequences);
}

void add_replicate_option(OptionTable& table, FamilySource& values) {
  table.push_back({.name = "replicate",
                   .value = "NAME",
                   .help =
                       "of several alignments in one file (EFA, Stockholm) the one of this name, "
                       "such as p0.t0, or number",
                   .topic = OptionTopic::input,
                   .set = keep_in(values.reading.replicate)});
}

void add_gaps_option(OptionTable& table, FamilySource& values) {
  add_input_group(table, values, InputGroup::gaps);
}

void add_family_options(OptionTable& table, FamilySource& values) {
  add_input_options(table, values);
  add_gaps_option(table, values);
  add_direction_option(table, values);
}

void add_direction_option(OptionTable& table, FamilySource& values) {
  values.suggests_direction = true;
  add_input_group(table, values, InputGroup::direction);
}

void add_track_options(OptionTable& table, FamilySource& values) {
  values.takes_track = true;
  add_input_group(table, values, InputGroup::track);
}

void add_model_options(OptionTable& table, MethodOptions& values) {
  add_method_options(table, values, false);
}

void add_method_options(OptionTable& table, MethodOptions& values) {
  add_method_options(table, values, true);
}

void add_code_option(OptionTable& table, std::optional<int>& code) {
  table.push_back({.name = "code",
                   .value = "N",
                   .help = "genetic code of codons, by NCBI's number (1, the standard code)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = [&code](const std::string& text) { code = parse_count("code", text); }});
}

void add_opencl_options(OptionTable& table, ComputeOptions& values) {
  values.opencl.compiles_apart = true;
  add_compute_group(table, values, ComputeGroup::devices);
}

void add_compute_options(OptionTable& table, ComputeOptions& values) {
  if (const char* device = std::getenv("ACCORD_DEVICE"); device && *device) {
    values.device = lower_case(device);
  }
  add_compute_group(table, values, ComputeGroup::runs);
  add_opencl_options(table, values);
}

int chosen_threads(const ComputeOptions& options) {
  if (options.threads > 0) return options.threads;
  if (const char* text = std::getenv("ACCORD_THREADS"); text != nullptr && *text != '\0') {
    const std::string shown = "--threads (ACCORD_THREADS)";
    ComputeOptions environment;
    set_compute_option("threads", text, shown, environment);
    return read_count(shown, text, 1);
  }
  int threads = available_processors();
  // Variables of other programs may hold anything: a value that is not a positive number is
  // ignored. OMP_NUM_THREADS may be a list, which begins with the outermost level.
  for (const char* variable : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
    const char* text = std::getenv(variable);
    const long limit = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    if (limit > 0) threads = static_cast<int>(std::min<long>(threads, limit));
  }
  return threads;
}

void add_memory_option(OptionTable& table, ComputeOptions& values) {
  for (const ComputeOption& option : compute_options()) {
    if (option.field.name == kMemory) add_compute_option(table, values, option);
  }
}

std::optional<std::size_t> memory_of_environment() {
  const char* text = std::getenv("ACCORD_MEMORY");
  if (text == nullptr || *text == '\0') return std::nullopt;
  ComputeOptions environment;
  set_compute_option(kMemory, text, "--memory (ACCORD_MEMORY)", environment);
  return environment.memory;
}

std::optional<std::size_t> memory_budget(const ComputeOptions& options) {
  if (options.memory) return options.memory;
  const std::optional<std::size_t> memory = memory_of_environment();
  return memory ? memory : usual_memory_budget();
}

void add_message_options(OptionTable& table, MessageOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::messages;
  table.push_back({.name = "verbose",
                   .letter = 'v',
                   .help = "name each step and the time that it took; -vv says more",
                   .topic = kTopic,
                   .repeatable = true,
                   .common = true,
                   .brief = "name each step and the time that it took",
                   .set = [&values](const std::string&) {
                     values.verbosity = values.verbosity >= Verbosity::verbose ? Verbosity::detailed
                                                                               : Verbosity::verbose;
                     set_verbosity(values.verbosity);
                   }});
  table.push_back({.name = "quiet",
                   .letter = 'q',
                   .help = "no warnings",
                   .topic = kTopic,
                   .repeatable = true,
                   .set = [&values](const std::string&) {
                     values.verbosity = Verbosity::quiet;
                     set_verbosity(values.verbosity);
                   }});
  table.push_back(
      {.name = "progress",
       .value = "HOW",
       .help = "show on stderr how far a run of more than a second has come: bar, plain "
               "(a line every 10 s), json (an object per line, every second), none; auto "
               "is a bar on a terminal, else plain; the time left is that of the whole run (auto)",
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
  table.push_back({.name = "trace",
                   .value = "FILE",
                   .help = "write a timeline of every thread and device here (JSON), which "
                           "https://ui.perfetto.dev and chrome://tracing show",
                   .topic = OptionTopic::messages,
                   .dash = Dash::nothing,
                   .set = [&values](const std::string& path) {
                     values.trace = path;
                     start_timeline();
                   }});
}

ProgressStyle progress_style(const MessageOptions& options) {
  const bool is_silent =
      options.verbosity == Verbosity::quiet && options.progress == ProgressStyle::automatic;
  return is_silent ? ProgressStyle::none : options.progress;
}

}  // namespace accord
