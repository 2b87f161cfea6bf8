// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "app/cli/option_values.hpp"
#include "base/option_words.hpp"
#include "base/system_limits.hpp"
#include "io/input_options.hpp"

namespace accord {
namespace {

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

/// The option of a command line that an entry of a table is.
OptionSpec spec_of(const OptionField& field, OptionTopic topic,
                   std::function<void(const std::string&)> set) {
  return {.name = field.name,
          .letter = field.letter,
          .value = field.value,
          .help = command_line_hint(field.help),
          .topic = topic,
          .common = field.is_common,
          .brief = command_line_hint(field.brief),
          .dash = Dash::input,
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
  if (const char* text = std::getenv("ACCORD_THREADS"); text != nullptr && *text != '\0') {
    return parse_count("threads (ACCORD_THREADS)", text, 1);
  }
  int threads = available_processors();
  // Variables of other programs may hold anything: a value that is not a positive number is
  // ignored. OMP_NUM_THREADS may be a list, which begins with the outermost level.
  for (const char* variable : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
    const char* text = std::getenv(variable);
    const int limit = text == nullptr ? 0 : std::atoi(text);
    if (limit > 0) threads = std::min(threads, limit);
  }
  return threads;
}

std::optional<std::size_t> memory_budget(const ComputeOptions& options) {
  if (options.memory) return options.memory;
  if (const char* text = std::getenv("ACCORD_MEMORY"); text != nullptr && *text != '\0') {
    return parse_size("memory (ACCORD_MEMORY)", text);
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
