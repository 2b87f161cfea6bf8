// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/progress.hpp"
#include "app/outputs/run_outputs.hpp"
#include "io/families/family_reader.hpp"
#include "io/formats/formats.hpp"
#include "method/settings.hpp"
#include "run/devices/compute_options.hpp"
#include "tools/identity.hpp"

namespace accord {

// The options that commands share: for each topic a struct of values, and a function that adds the
// options of the topic to a table. The options write to `values`, which must outlive the use of the
// table.

/// Adds the options for reading sequences. add_family_options() adds them, too.
void add_input_options(OptionTable& table, FamilySource& values);
/// Adds the options for reading a family of sequences, gaps and direction included.
void add_family_options(OptionTable& table, FamilySource& values);
/// Adds --gaps. add_family_options() adds it, too.
void add_gaps_option(OptionTable& table, FamilySource& values);
/// Adds --adjust-direction. add_family_options() adds it, too.
void add_direction_option(OptionTable& table, FamilySource& values);
/// Adds --replicate, for a command that reads one of the alignments of a file.
void add_replicate_option(OptionTable& table, FamilySource& values);
/// Adds the options of tracks, and sets values.takes_track, for a run that uses tracks.
void add_track_options(OptionTable& table, FamilySource& values);

/// The outputs that the options of a command line have chosen.
struct OutputOptions {
  /// A file for the alignment. If --format follows --out, `format` is set later than `path`.
  struct Alignment {
    std::string path;
    std::optional<AlignmentFormat> format;
  };
  std::vector<Alignment> alignments;
  std::vector<AlignmentFormat> formats;  ///< formats whose --out has not been read yet
  RunFiles files;                        ///< all other files; run_files() adds the alignments
};
/// Adds the options of all files that aligning a family can write.
void add_output_options(OptionTable& table, OutputOptions& values);
/// Adds --out, --format, --wrap and --case, for the files of the alignment.
void add_format_options(OptionTable& table, OutputOptions& values);
/// Adds --wrap, whose value goes to `wrap`, and --case, which sets `letter_case`.
void add_style_options(OptionTable& table, std::optional<std::size_t>& wrap,
                       LetterCase& letter_case);
/// Adds --name-map; its value goes to `path`.
void add_name_map_option(OptionTable& table, std::string& path);
/// Adds the options of add_format_options() and --confidence.
void add_alignment_options(OptionTable& table, OutputOptions& values);
/// Adds --tm-scores and --superposed.
void add_structure_output_options(OptionTable& table, OutputOptions& values);
/// Adds --track-out.
void add_track_output_option(OptionTable& table, OutputOptions& values);
/// Adds --html; its value goes to `path`.
void add_page_option(OptionTable& table, std::string& path);
/// Adds --multiqc; its value goes to `path`, and `rows` says in the help what the table holds.
void add_multiqc_option(OptionTable& table, const std::string& rows, std::string& path);
/// Adds --report; its value goes to `path`.
void add_report_option(OptionTable& table, std::string& path);

/// Adds --out, for a command whose output is no alignment. The value goes to `path`, which the
/// caller has set to "-"; `what` names the output in the help.
void add_text_output_option(OptionTable& table, const std::string& what, std::string& path);

/// Adds --code; `code` receives NCBI's number of a genetic code, and stays as it is without --code.
void add_code_option(OptionTable& table, std::optional<int>& code);

/// Adds --identity-over; its value goes to `over`, which stays as it is without the option.
void add_identity_option(OptionTable& table, std::optional<IdentityOver>& over);
/// The definition of the identity of two rows, for the description of a command.
std::string describe_identity();

/// The files of a run. Without --out the alignment goes to standard output. A --format belongs to
/// the --out before it, or, if that has a format already, to the next --out. A file without
/// --format gets the format of its suffix, or else FASTA.
/// Throws  Error{usage} if there are more formats than files.
RunFiles run_files(const OutputOptions& options);

/// Refuses an output whose suffix is that of a page. `option` names its option in messages.
/// Throws  Error{usage}
void check_no_page(const std::string& option, const std::string& path);

/// The format that the suffix of an output stands for; FASTA if there is no suffix, and, with a
/// warning, for a suffix that no format has, such as .tmp. `option` names the option of the output
/// in messages.
/// Throws  Error{usage} for the suffix of a page, or of a format that can only be read.
AlignmentFormat format_of_output(const std::string& option, const std::string& path);

/// Adds all options of method_options().
void add_method_options(OptionTable& table, MethodOptions& values);
/// Adds those options of method_options() that determine posteriors, for commands that compute only
/// posteriors.
void add_model_options(OptionTable& table, MethodOptions& values);

/// Adds all options of compute_options(). Sets values.device to ACCORD_DEVICE, if that is set.
void add_compute_options(OptionTable& table, ComputeOptions& values);
/// Adds the options of OpenCL devices, for the command that lists devices.
void add_opencl_options(OptionTable& table, ComputeOptions& values);

/// Adds --memory, for a command that reads inputs and computes nothing that needs devices.
/// add_compute_options() adds it, too.
void add_memory_option(OptionTable& table, ComputeOptions& values);

/// The memory in ACCORD_MEMORY, in bytes; no value if the variable is not set.
/// Throws  Error{usage} if it is not a size.
std::optional<std::size_t> memory_of_environment();

/// The number of threads to use: --threads, else ACCORD_THREADS, else the smallest of
/// available_processors() and those of OMP_NUM_THREADS and SLURM_CPUS_PER_TASK that are set.
/// Throws  Error{usage} if ACCORD_THREADS is not a whole number of at least 1.
int chosen_threads(const ComputeOptions& options);

/// The host memory that a run may use, in bytes: --memory, else ACCORD_MEMORY, else 80 % of the
/// memory that the system allows this process; no value if that is not known.
/// Throws  Error{usage} if ACCORD_MEMORY is not a size.
std::optional<std::size_t> memory_budget(const ComputeOptions& options);

/// The messages that the program writes, and where it writes them.
struct MessageOptions {
  Verbosity verbosity = Verbosity::normal;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string log;  ///< path of the log file; empty: there is none
};
/// Adds --verbose, --quiet, --progress and --log. The first two set the verbosity of the process at
/// once, so that it counts for warnings before start_run(), too.
void add_message_options(OptionTable& table, MessageOptions& values);

/// The options of every command that reads sequences: the input, the resources, the messages.
struct RunOptions {
  FamilySource input;
  ComputeOptions compute;
  MessageOptions messages;
  std::string trace;  ///< path of the timeline; empty: there is none
};
/// Adds the options of `compute` and of `messages`, and --trace, which has the timeline begin at
/// once.
void add_run_options(OptionTable& table, RunOptions& values);

/// The action of a command (Command::run): puts the files of the command line into
/// options->input.files, and calls `run` with the options.
template <class Options>
std::function<void(const std::vector<std::string>&)> with_files(
    const std::shared_ptr<Options>& options, void (*run)(const Options&)) {
  return [options, run](const std::vector<std::string>& files) {
    options->input.files = files;
    run(*options);
  };
}

/// The style that --progress chooses. If there is no --progress, the style is `none` with -q.
ProgressStyle progress_style(const MessageOptions& options);

}  // namespace accord
