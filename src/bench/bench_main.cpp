// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "bench/bench.hpp"
#include "bench/peak_rates.hpp"
#include "engine/opencl/kernel_compiler.hpp"
#include "io/files/output_file.hpp"
#include "run/devices/device_choice.hpp"
#include "run/devices/open_backends.hpp"
#ifdef ACCORD_PHYLOGENY
#include "bench/phylogeny/likelihood_bench.hpp"
#endif

namespace accord {
namespace {

using nlohmann::ordered_json;

struct BenchOptions {
  BenchSizes sizes;
  bool posteriors = true, consistency = true, neighbor_joining = true, json = false;
  std::vector<BenchStage> others;
  std::vector<bool> measures;  ///< of each of these
  ComputeOptions compute;
};

/// A backend, and how to find its peak rates.
struct Measured {
  Backend* backend;
  std::function<PeakRates()> measure_peaks;
};

/// The backends that were asked for. A device is found again by its description, which is the name
/// of its backend.
std::vector<Measured> measured_backends(const OpenBackends& opened, const DeviceChoice& choice,
                                        const ocl::OpenClSettings& settings) {
  std::vector<Measured> found;
  for (Backend* backend : opened.ready()) {
    const auto device = std::ranges::find(choice.devices, backend->name(), ocl::format_device);
    if (device == choice.devices.end()) {
      found.push_back(
          {backend, [] { return host::measure_peak_rates(*host::available_kernels().front()); }});
    } else {
      found.push_back({backend, [&settings, &info = *device] {
                         return ocl::measure_peak_rates(info, settings);
                       }});
    }
  }
  return found;
}

const char* to_string(PeakLimit limit) {
  switch (limit) {
    case PeakLimit::arithmetic:
      return "arithmetic";
    case PeakLimit::doubles:
      return "doubles";
    case PeakLimit::copy:
      break;
  }
  return "copy";
}

std::string text_of(const PeakRates& peaks, const std::string& backend) {
  std::string line =
      formatted("%-16s copy %.4g bytes/s, arithmetic %.4g multiply-adds/s, of doubles %.4g", "peak",
                peaks.copy_bytes, peaks.arithmetic, peaks.of_doubles);
  if (peaks.upload_bytes > 0) {
    line += formatted(", to the device %.4g bytes/s, back %.4g", peaks.upload_bytes,
                      peaks.download_bytes);
  }
  return line + "  " + backend + "\n";
}

std::string text_of(const Measurement& measured, const PeakRates& peaks,
                    const std::string& backend) {
  std::string line =
      formatted("%-16s %10.4f s %12.4g %s/s, %.3g %% of the peak (%s)", measured.stage.c_str(),
                measured.seconds, measured.rate(), measured.unit.c_str(),
                100 * measured.share(peaks), to_string(measured.limit(peaks)));
  if (peaks.upload_bytes > 0) {
    line += formatted(", transfers %.4f s", measured.transfer_seconds(peaks));
  }
  return line + "  " + backend + "\n";
}

ordered_json json_of(const PeakRates& peaks, const std::string& backend) {
  return {{"backend", backend},
          {"copy_bytes_per_second", peaks.copy_bytes},
          {"multiply_adds_per_second", peaks.arithmetic},
          {"multiply_adds_of_doubles_per_second", peaks.of_doubles},
          {"upload_bytes_per_second", peaks.upload_bytes},
          {"download_bytes_per_second", peaks.download_bytes}};
}

ordered_json json_of(const Measurement& measured, const PeakRates& peaks,
                     const std::string& backend) {
  return {{"backend", backend},
          {"stage", measured.stage},
          {"seconds", measured.seconds},
          {"work", measured.work},
          {"unit", measured.unit},
          {"per_second", measured.rate()},
          {"peak", to_string(measured.limit(peaks))},
          {"share_of_peak", measured.share(peaks)},
          {"transfer_bytes", measured.uploaded + measured.downloaded},
          {"transfer_seconds", measured.transfer_seconds(peaks)}};
}

void run_bench(const BenchOptions& options) {
  set_thread_count(chosen_threads(options.compute));
  const DeviceChoice choice = choose_devices(options.compute.device);
  std::vector<const Stage*> stages_of_others;
  for (const BenchStage& other : options.others) stages_of_others.push_back(other.stage);
  const OpenBackends opened(openers_of(choice, options.compute.opencl, stages_of_others),
                            choice.host ? HostRole::works : HostRole::standby,
                            BeginWhen::all_ready);
  const BenchSizes& sizes = options.sizes;
  std::optional<BenchFamily> family;
  if (options.posteriors || options.consistency) family.emplace(sizes);
  const DistanceMatrix distances =
      options.neighbor_joining ? random_distances(sizes) : DistanceMatrix();
  ordered_json rates = ordered_json::array(), results = ordered_json::array();
  std::string text;
  for (const auto& [backend, measure] : measured_backends(opened, choice, options.compute.opencl)) {
    const std::string name = backend->name();
    const PeakRates peaks = measure();
    rates.push_back(json_of(peaks, name));
    text += text_of(peaks, name);
    std::vector<Measurement> stages;
    if (options.posteriors) stages.push_back(family->posteriors(*backend, sizes.repeats));
    if (options.consistency) stages.push_back(family->consistency(*backend, sizes.repeats));
    if (options.neighbor_joining)
      stages.push_back(measure_neighbor_joining(distances, *backend, sizes.repeats));
    for (std::size_t k = 0; k < options.others.size(); ++k) {
      const BenchStage& other = options.others[k];
      if (!options.measures[k] || !backend->limits(*other.stage)) continue;
      stages.push_back(other.measure(*backend, sizes.repeats, sizes.seed));
    }
    for (const Measurement& stage : stages) {
      results.push_back(json_of(stage, peaks, name));
      text += text_of(stage, peaks, name);
    }
  }
  ordered_json all = {{"accord_version", ACCORD_VERSION},
                      {"sequences", sizes.sequences},
                      {"length", sizes.length},
                      {"taxa", sizes.taxa}};
  for (const BenchStage& other : options.others) {
    for (const auto& [name, size] : other.sizes()) all[name] = size;
  }
  all["seed"] = sizes.seed;
  all["repeats"] = sizes.repeats;
  all["threads"] = thread_count();
  if (family) all["kept_cells"] = family->kept_cells();
  all["peaks"] = std::move(rates);
  all["results"] = std::move(results);
  write_output("-", options.json ? all.dump(2) + "\n" : text);
}

std::vector<std::string> stage_names(const std::vector<BenchStage>& others) {
  std::vector<std::string> names = {"posteriors", "consistency", "neighbor_joining"};
  for (const BenchStage& other : others) names.push_back(other.name);
  return names;
}

/// "a, b<last>c"
std::string joined(const std::vector<std::string>& items, const char* between, const char* last) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (k > 0) text += k + 1 < items.size() ? between : last;
    text += items[k];
  }
  return text;
}

/// --stages posteriors,consistency
void choose_stages(BenchOptions& options, const std::string& list) {
  options.posteriors = options.consistency = options.neighbor_joining = false;
  options.measures.assign(options.others.size(), false);
  const std::vector<std::string> known = stage_names(options.others);
  for (const std::string_view name : split(list, ',')) {
    const auto place =
        static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
    if (place == known.size()) {
      throw Error(ErrorKind::usage,
                  "--stages " + list + ": '" + std::string(name) + "' is not a stage",
                  "stages are " + joined(known, ", ", " and ") + ", with commas between");
    }
    bool* const chosen[] = {&options.posteriors, &options.consistency, &options.neighbor_joining};
    if (place < std::size(chosen)) {
      *chosen[place] = true;
    } else {
      options.measures[place - std::size(chosen)] = true;
    }
  }
}

std::string description_of(const std::vector<BenchStage>& others) {
  std::vector<std::string> timed = {"posteriors and one round of consistency of a random family",
                                    "neighbour joining of random distances"};
  std::string units, peaks;
  for (const BenchStage& other : others) {
    timed.push_back(other.what);
    units += "; " + other.unit;
    peaks += ", " + other.peaks;
  }
  return "Times " + joined(timed, ", ", ", and ") +
         ", on each backend of --device, from the call to the results in the host's memory; the "
         "fastest of some repeats. Work is what the method asks for, whatever else a backend does: "
         "posteriors are counted in cells of the dynamic programming, |x| |y| per pair; "
         "consistency in multiply-adds that end in a kept cell (counted for 64 pairs that "
         "represent all); joining in the cells that a plain search for the nearest pair of each "
         "step would look at" +
         units +
         ".\n"
         "The peak rates are measured in the same run: the bytes that a copy reads and writes, "
         "and fused multiply-adds that do not wait for each other, on all threads or the whole "
         "device. A posterior cell counts as 46 of these, a cell of joining as 4 bytes" +
         peaks +
         "; what of these takes longest is the limit that is named. A search that leaves cells out "
         "can exceed 100 %. 'transfers' is the time that the bytes which must cross to a device "
         "and back take at the measured rates; it is part of the time of the stage.\n";
}

Command bench_command(const std::vector<BenchStage>& others) {
  const auto options = std::make_shared<BenchOptions>();
  options->others = others;
  options->measures.assign(others.size(), true);
  Command command{.name = "bench", .description = description_of(others)};
  const auto number = [options](const char* name, const char* help, int* value, int least) {
    return OptionSpec{.name = name,
                      .value = "N",
                      .help = help,
                      .topic = OptionTopic::input,
                      .common = true,
                      .set = [options, name, value, least](const std::string& text) {
                        *value = parse_count(name, text, least);
                      }};
  };
  BenchSizes& sizes = options->sizes;
  command.options = {number("sequences", "sequences of the family (100)", &sizes.sequences, 3),
                     number("length", "their residues, about (300)", &sizes.length, 1),
                     number("taxa", "leaves of the tree that is joined (1000)", &sizes.taxa, 2)};
  for (const BenchStage& other : others) {
    command.options.insert(command.options.end(), other.options.begin(), other.options.end());
  }
  const OptionTable rest = {
      number("seed", "which random family (1)", &sizes.seed, 0),
      number("repeats", "measurements; the fastest counts (3)", &sizes.repeats, 1),
      {.name = "stages",
       .value = "LIST",
       .help = "which of " + joined(stage_names(others), ",", ",") + " (all)",
       .topic = OptionTopic::input,
       .common = true,
       .set = [options](const std::string& list) { choose_stages(*options, list); }},
      {.name = "json",
       .help = "print the figures as JSON",
       .topic = OptionTopic::output,
       .common = true,
       .set = flag_in(options->json)}};
  command.options.insert(command.options.end(), rest.begin(), rest.end());
  add_compute_options(command.options, options->compute);
  command.run = [options](const std::vector<std::string>&) { run_bench(*options); };
  return command;
}

/// The stages of the other libraries that this build has.
std::vector<BenchStage> stages_of_other_libraries() {
#ifdef ACCORD_PHYLOGENY
  return {likelihood_bench()};
#else
  return {};
#endif
}

std::string help_of(const Command& command) {
  std::string text = "usage: accord_bench [options]\n\n" + command.description + "\n";
  for (const OptionSpec& option : command.options) {
    text += "  --" + option.name + " " + option.value + "\n      " + option.help + "\n";
  }
  return text;
}

}  // namespace
}  // namespace accord

int main(int argc, char** argv) {
  try {
    accord::settle_runtime(argv);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (const auto code = accord::ocl::serve_compile_apart(arguments)) return *code;
    accord::show_messages();
    const accord::Command command = accord::bench_command(accord::stages_of_other_libraries());
    if (arguments == std::vector<std::string>{"--help"}) {
      accord::write_output("-", accord::help_of(command));
      return 0;
    }
    command.run(accord::parse_arguments(command, arguments));
    return 0;
  } catch (const accord::Error& error) {
    accord::print_error(error.what(), error.hint());
    return accord::exit_code(error.kind());
  }
}
