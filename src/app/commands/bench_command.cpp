// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accord/app/commands.hpp"
#include "accord/app/device_choice.hpp"
#include "accord/app/scheduler.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/host/host_backend.hpp"
#include "accord/io/output_file.hpp"

namespace accord {
namespace {

using nlohmann::ordered_json;

struct BenchOptions {
  int sequences = 100, length = 300, taxa = 1000, seed = 1, repeats = 3;
  bool json = false;
  ComputeOptions compute;
};

/// A family that has evolved from one random root: each sequence has kept 45 % of its residues,
/// and every 50th of them has been lost or doubled. The same on every machine.
SequenceSet random_family(const BenchOptions& options) {
  std::mt19937_64 random(static_cast<std::uint64_t>(options.seed));
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  const auto letter = [&] { return letters[random() % letters.size()]; };
  std::string root;
  for (int i = 0; i < options.length; ++i) root += letter();
  std::vector<SequenceRecord> records;
  for (int x = 0; x < options.sequences; ++x) {
    SequenceRecord record{std::to_string(x), ""};
    for (char c : root) {
      const std::uint64_t event = random() % 100;
      if (event == 0) continue;
      record.letters += random() % 100 < 45 ? c : letter();
      if (event == 1) record.letters += letter();
    }
    records.push_back(std::move(record));
  }
  return {std::move(records), ResidueType::protein};
}

/// A stage's fastest time and how much it did in that time.
struct Measurement {
  double seconds = 0;
  double work = 0;
  const char* unit;

  double rate() const { return seconds > 0 ? work / seconds : 0; }
};

/// The fastest of some calls after one that is not counted: it compiles and allocates.
double fastest(int repeats, const std::function<void()>& stage) {
  stage();
  double best = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const Timer timer;
    stage();
    best = std::min(best, timer.seconds());
  }
  return best;
}

/// What the stages work on: the posteriors of the family and its weights, from the host.
struct BenchFamily {
  SequenceSet set;
  PosteriorModel model;
  Parameters parameters;
  PosteriorSet posteriors;
  std::vector<float> weights;
  double dp_cells = 0;
};

BenchFamily make_family(const BenchOptions& options) {
  BenchFamily family{random_family(options), {}, {}, {}, {}};
  family.parameters = default_parameters(ResidueType::protein, "default");
  family.model = build_posterior_model(family.parameters, ResidueType::protein);
  family.posteriors = PosteriorSet(family.set.size());
  family.weights.assign(family.set.size(), 1.0f / static_cast<float>(family.set.size()));
  HostBackend host;
  Scheduler(host).posteriors(
      family.set, family.model.tables,
      [&](std::uint32_t x, std::uint32_t y, std::span<const PosteriorCell> cells) {
        family.posteriors.at(x, y) =
            SparseMatrix(family.set.length(x), family.set.length(y), cells);
      });
  for (std::size_t y = 1; y < family.set.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      family.dp_cells += static_cast<double>(family.set.length(x)) * family.set.length(y);
    }
  }
  return family;
}

/// Posterior cells that leave the backend; each pair is one call of the sink.
Measurement measure_posteriors(const BenchFamily& family, Backend& backend, int repeats) {
  Scheduler scheduler(backend);
  const auto ignore = [](std::uint32_t, std::uint32_t, std::span<const PosteriorCell>) {};
  const double seconds = fastest(
      repeats, [&] { scheduler.posteriors(family.set, family.model.tables, ignore); });
  return {seconds, family.dp_cells, "cells"};
}

/// One round; each pair sums over all others, so its work is counted in triples of sequences.
Measurement measure_consistency(const BenchFamily& family, Backend& backend, int repeats) {
  Scheduler scheduler(backend);
  const double seconds = fastest(repeats, [&] {
    scheduler.relax(family.posteriors, family.weights, family.parameters.consistency);
  });
  const auto n = static_cast<double>(family.set.size());
  return {seconds, n * (n - 1) * (n - 2) / 2, "triples"};
}

/// Distances of leaves that have parted step by step, 24 times at most, with some noise.
DistanceMatrix random_distances(const BenchOptions& options) {
  std::mt19937_64 random(static_cast<std::uint64_t>(options.seed));
  std::vector<std::uint32_t> path(static_cast<std::size_t>(options.taxa));
  for (std::uint32_t& turns : path) turns = static_cast<std::uint32_t>(random() >> 40);
  DistanceMatrix distances(path.size());
  for (std::size_t y = 1; y < path.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      const int apart = std::bit_width(path[x] ^ path[y]);  // steps since they were one
      const auto noise = static_cast<float>(random() % 1000);
      distances.set(x, y, static_cast<float>(apart) / 30.0f + noise / 50000.0f);
    }
  }
  return distances;
}

/// Neighbour joining, by the r (r - 1) / 2 cells of each step that a plain search would look at.
Measurement measure_tree(const DistanceMatrix& distances, Backend& backend, int repeats) {
  Scheduler scheduler(backend);
  const double seconds = fastest(repeats, [&] { scheduler.join(distances); });
  const auto n = static_cast<double>(distances.size());
  return {seconds, (n + 1) * n * (n - 1) / 6, "cells"};
}

void run_bench(const BenchOptions& options) {
  set_thread_count(chosen_threads(options.compute));
  const OpenBackends opened =
      open_backends(choose_devices(options.compute.device), options.compute.opencl);
  std::vector<Backend*> backends;
  for (const auto& device : opened.devices) backends.push_back(device.get());
  if (opened.host_role == HostRole::works) backends.push_back(opened.host.get());
  const BenchFamily family = make_family(options);
  const DistanceMatrix distances = random_distances(options);
  ordered_json results = ordered_json::array();
  std::string text;
  for (Backend* backend : backends) {
    const std::pair<const char*, Measurement> stages[] = {
        {"posteriors", measure_posteriors(family, *backend, options.repeats)},
        {"consistency", measure_consistency(family, *backend, options.repeats)},
        {"tree", measure_tree(distances, *backend, options.repeats)}};
    for (const auto& [stage, measured] : stages) {
      char line[256];
      std::snprintf(line, sizeof line, "%-12s %10.4f s %12.4g %s/s  %s\n", stage, measured.seconds,
                    measured.rate(), measured.unit, backend->name().c_str());
      text += line;
      results.push_back({{"backend", backend->name()},
                         {"stage", stage},
                         {"seconds", measured.seconds},
                         {"work", measured.work},
                         {"unit", measured.unit},
                         {"per_second", measured.rate()}});
    }
  }
  const ordered_json all = {{"accord_version", ACCORD_VERSION}, {"sequences", options.sequences},
                            {"length", options.length},         {"taxa", options.taxa},
                            {"seed", options.seed},
                            {"repeats", options.repeats},       {"threads", thread_count()},
                            {"kept_cells", family.posteriors.cells()}, {"results", results}};
  write_output("-", options.json ? all.dump(2) + "\n" : text);
}

}  // namespace

Command bench_command() {
  const auto options = std::make_shared<BenchOptions>();
  Command command{.name = "bench",
                  .summary = "measure the speed of the heavy stages",
                  .description = "Times posteriors and one round of consistency of a random family, "
                                 "and neighbour joining of random distances, on each backend of "
                                 "--device, from the call to the results in the host's memory; the "
                                 "fastest of some repeats. Posteriors are counted in cells of the "
                                 "dynamic programme, |x| |y| a pair; consistency in triples of "
                                 "sequences; joining in the cells that a plain search for the "
                                 "nearest pair of each step would look at.\n"};
  const auto number = [options](const char* name, const char* help, int* value, int least) {
    return OptionSpec{.name = name,
                      .value = "N",
                      .help = help,
                      .topic = OptionTopic::input,
                      .common = true,
                      .set = [options, name, value, least](const std::string& text) {
                        *value = parse_count(std::string("--") + name, text, least);
                      }};
  };
  command.options = {number("sequences", "sequences of the family (100)", &options->sequences, 3),
                     number("length", "their residues, about (300)", &options->length, 1),
                     number("taxa", "leaves of the tree (1000)", &options->taxa, 2),
                     number("seed", "which random family (1)", &options->seed, 0),
                     number("repeats", "measurements, of which the fastest counts (3)",
                            &options->repeats, 1),
                     {.name = "json",
                      .help = "print the figures as JSON",
                      .topic = OptionTopic::output,
                      .common = true,
                      .set = [options](const std::string&) { options->json = true; }}};
  add_compute_options(command.options, options->compute);
  command.run = [options](const std::vector<std::string>&) { run_bench(*options); };
  return command;
}

}  // namespace accord
