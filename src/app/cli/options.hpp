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
#include "engine/opencl/settings.hpp"
#include "io/family_reader.hpp"
#include "io/formats/formats.hpp"
#include "method/settings.hpp"
#include "tools/identity.hpp"

namespace accord {

// The options that commands share, one struct and one function a topic. A function adds the
// options of its topic to a table; they write to `values`, which must outlive the table's use.

/// Those of sequences; add_family_options() has them too.
void add_input_options(OptionTable& table, FamilySource& values);
/// Those of a family of sequences that gaps are taken out of.
void add_family_options(OptionTable& table, FamilySource& values);
/// --gaps alone; add_family_options() has it too.
void add_gaps_option(OptionTable& table, FamilySource& values);
/// --adjust-direction alone; add_family_options() has it too.
void add_direction_option(OptionTable& table, FamilySource& values);
/// Those of tracks, for a run that uses them.
void add_track_options(OptionTable& table, FamilySource& values);

/// What is written, as far as the line has been read.
struct OutputOptions {
  /// A file of the alignment; its format is not known before the line is read to its end.
  struct Alignment {
    std::string path;
    std::optional<AlignmentFormat> format;
  };
  std::vector<Alignment> alignments;
  std::vector<AlignmentFormat> formats;  ///< those that still wait for their file
  RunFiles files;                        ///< all others; run_files() has the alignments, too
};
void add_output_options(OptionTable& table, OutputOptions& values);
/// Those of the files of the alignment, with its format.
void add_format_options(OptionTable& table, OutputOptions& values);
/// --name-map alone.
void add_name_map_option(OptionTable& table, OutputOptions& values);
/// Those of the files and that of the confidence, for an alignment that was not made in this run.
void add_alignment_options(OptionTable& table, OutputOptions& values);
/// --html alone.
void add_page_option(OptionTable& table, std::string& path);
/// --report alone.
void add_report_option(OptionTable& table, std::string& path);

/// --out FILE for what is not an alignment: `what` is written to `path`, which is "-" by default.
void add_text_output_option(OptionTable& table, const std::string& what, std::string& path);

/// --code alone.
void add_code_option(OptionTable& table, std::optional<int>& code);

/// --identity-over alone, and what it means, for the description of a command.
void add_identity_option(OptionTable& table, std::optional<IdentityOver>& over);
std::string describe_identity();

/// The files of a run. The alignment goes to standard output if no file is named. A format belongs
/// to the file before it, or else to the next one that has none; a file without one has that of its
/// suffix, else FASTA.
/// Throws  Error{usage} if there are more formats than files.
RunFiles run_files(const OutputOptions& options);

/// The format that the suffix of an output stands for; FASTA if it has none. `option` names it in
/// messages.
/// Throws  Error{usage} for a suffix of another kind of file.
AlignmentFormat format_of_output(const std::string& option, const std::string& path);

/// Those of method_options().
void add_method_options(OptionTable& table, MethodOptions& values);
/// Those of the models alone, for commands that need only posteriors.
void add_model_options(OptionTable& table, MethodOptions& values);

/// Where it is computed.
struct ComputeOptions {
  std::string device = "auto";
  int threads = 0;                    ///< 0: see chosen_threads
  std::optional<std::size_t> memory;  ///< bytes; see memory_budget
  std::optional<double> time_limit;   ///< seconds
  ocl::OpenClSettings opencl;
};
void add_compute_options(OptionTable& table, ComputeOptions& values);
/// Those of `opencl` alone; add_compute_options() has them too.
void add_opencl_options(OptionTable& table, ocl::OpenClSettings& values);

/// The number of threads to use: --threads, else ACCORD_THREADS, else available_processors(), at
/// most OMP_NUM_THREADS and SLURM_CPUS_PER_TASK where these are set.
/// Throws  Error{usage} if ACCORD_THREADS is not a number.
int chosen_threads(const ComputeOptions& options);

/// The host memory that a run may use: --memory, else ACCORD_MEMORY, else 80 % of what the system
/// allows this process; none if nothing is known.
/// Throws  Error{usage} if ACCORD_MEMORY is not a size.
std::optional<std::size_t> memory_budget(const ComputeOptions& options);

/// What the program writes to stderr.
struct MessageOptions {
  Verbosity verbosity = Verbosity::normal;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string log;  ///< empty: not written
};
void add_message_options(OptionTable& table, MessageOptions& values);

/// What every command is asked for that reads sequences, whatever it computes of them.
struct RunOptions {
  FamilySource input;
  ComputeOptions compute;
  MessageOptions messages;
};
/// Those of `compute` and of `messages`.
void add_run_options(OptionTable& table, RunOptions& values);

/// What a command does: calls `run` with the options, the files of the line among them.
template <class Options>
std::function<void(const std::vector<std::string>&)> with_files(
    const std::shared_ptr<Options>& options, void (*run)(const Options&)) {
  return [options, run](const std::vector<std::string>& files) {
    options->input.files = files;
    run(*options);
  };
}

/// How progress is shown: as was asked for; without that nothing if -q asks for silence.
ProgressStyle progress_style(const MessageOptions& options);

}  // namespace accord
