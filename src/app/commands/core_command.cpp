// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/log.hpp"
#include "io/families/family_shards.hpp"
#include "io/files/output_file.hpp"
#include "method/method_text.hpp"
#include "run/alignment_stages.hpp"
#include "run/family/prepared_family.hpp"
#include "run/shard_run.hpp"

namespace accord {
namespace {

struct CoreOptions : RunOptions {
  MethodOptions method;
  bool with_confidence = false;
  std::string output = "-";
};

void run_core(const CoreOptions& options) {
  start_run(options, input_files(options, options.method), {options.output});
  if (options.method.tree_method() == TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "--tree FILE is a guide tree of all sequences, although only the core is aligned "
                "along a tree",
                "leave it out");
  }
  RunDevices devices =
      open_devices(options, first_stages(options.method), input_seconds(options.input));
  // The texts as the file will have them.
  const std::string method = format_method(options.method);
  const PreparedFamily family =
      prepare_family(read_family(options.input, false, FamilyUse::alignment),
                     parse_method(method, "the options"), options.with_confidence);
  if (family.plan.is_large() && family.settings.large == LargeFamilies::subsets) {
    throw Error(
        ErrorKind::usage,
        family.input.label + ": subsets have no core for shards: each of them is aligned whole",
        "'accord align' aligns them; {large=always} makes a core");
  }
  if (family.plan.genomes) {
    throw Error(ErrorKind::usage,
                family.input.label +
                    ": a family of genomes has no core for shards: most of its pairs are "
                    "not computed",
                "'accord align' aligns them");
  }
  if (!family.plan.is_large()) {
    AlignSettings as_large = family.settings;
    as_large.large = LargeFamilies::always;
    const bool can_be_large = plan_family(family.set(), as_large).is_large();
    throw Error(
        ErrorKind::usage,
        family.input.label + ": the family is aligned whole: no sequence is left for the shards",
        std::string("'accord align' aligns it") +
            (can_be_large ? "; --large always makes it a large one" : ""));
  }
  if (family.plan.by_subsets) {
    log_warning(family.input.label +
                    ": the core does not stand for the family: " + to_string(*family.plan.fit),
                "'accord align' aligns such a family by subsets, which shards cannot");
  }
  const CoreFile core = with_progress(options, devices, [&](const RunContext& context) {
    return run::core(family, method, context);
  });
  write_outputs({core_output(core, options.output)});
}

}  // namespace

Command core_command() {
  const auto options = std::make_shared<CoreOptions>();
  Command command{
      .name = "core",
      .arguments = "IN...",
      .summary = "the core of a large family, for many machines",
      .description =
          "Aligns the core of a large family, about 100 of its sequences, and writes it with all "
          "that 'accord add --shard' needs to place the others in it, on any machine, and 'accord "
          "join' to make the alignment of the parts: the bytes of one 'accord align'.\n"
          "\n"
          "  accord core large.fa -o core.acc\n"
          "  accord add core.acc large.fa --shard 1/20 -o part1.acc    (and so on to 20/20)\n"
          "  accord join core.acc part*.acc -o large.aln\n"
          "\n"
          "Options about reading and aligning the family are given here, once. The core and the "
          "parts are FASTA with comments, and can be looked at. All three commands must be of "
          "one version of accord.\n"
          "\n"
          "Sequences are not turned round; 'accord align' and 'accord add' do that.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_gaps_option(command.options, options->input);
  add_text_output_option(command.options, "the core", options->output);
  command.options.push_back(
      {.name = "with-confidence",
       .help = "keep what the confidence, stockholm, json, pages and reports of the whole need; "
               "the parts are then several times as large",
       .topic = OptionTopic::output,
       .set = flag_in(options->with_confidence)});
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_core);
  return command;
}

}  // namespace accord
