// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accord/base/log.hpp"
#include "accord/batch/batch_list.hpp"
#include "accord/cli/command.hpp"
#include "accord/cli/progress.hpp"
#include "accord/core/alphabet.hpp"
#include "accord/io/formats.hpp"
#include "accord/io/sequence_reader.hpp"
#include "accord/method/pipeline.hpp"
#include "accord/opencl/settings.hpp"

namespace accord {

// The options that commands share, one struct and one function a topic. A function adds the
// options of its topic to a table; they write to `values`, which must outlive the table's use.

/// What is read.
struct InputOptions {
  std::vector<std::string> files;  ///< of one family; "-" is stdin
  ReadOptions reading;
  std::optional<ResidueType> type;    ///< detected if not set
  std::optional<int> most_sequences;  ///< no limit if not set
  std::optional<int> most_residues;   ///< of a sequence; no limit if not set
};
/// Those of sequences; add_family_options() has them too.
void add_input_options(OptionTable& table, InputOptions& values);
/// Those of a family of sequences that gaps are taken out of.
void add_family_options(OptionTable& table, InputOptions& values);

/// A file that the alignment is written to.
struct AlignmentOutput {
  std::string file = "-";                 ///< "-" is stdout
  std::optional<AlignmentFormat> format;  ///< by the suffix of `file`, else FASTA, if not set
};

/// What is written.
struct OutputOptions {
  std::vector<AlignmentOutput> alignments;  ///< as given; see alignment_outputs
  std::vector<AlignmentFormat> formats;     ///< those that still wait for their file
  bool tree_order = false;                  ///< rows in the order of the guide tree
  bool upper_case = false;
  std::optional<std::size_t> wrap;  ///< columns of a line; as format_alignment if not set
  std::string tree;                 ///< empty: not written, as those below
  std::string distances;
  std::string report;
  std::string confidence;
  std::string html;
  std::string multiqc;
  std::string name_map;
};
void add_output_options(OptionTable& table, OutputOptions& values);
/// Those of the alignment alone, for an alignment that was not made in this run.
void add_alignment_options(OptionTable& table, OutputOptions& values);

/// The files that the alignment goes to, each with its format; stdout if none is given. A format
/// belongs to the file before it, or else to the next one that has none.
/// Errors  Error{usage} if there are more formats than files.
std::vector<AlignmentOutput> alignment_outputs(const OutputOptions& options);

/// How the family is aligned.
struct MethodOptions {
  std::string mode = "default";
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;
  std::optional<int> consistency;
  std::optional<int> intermediates;
  std::optional<int> refine;
};
void add_method_options(OptionTable& table, MethodOptions& values);
/// --mode alone, for commands that need only posteriors.
void add_mode_option(OptionTable& table, MethodOptions& values);

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
/// Errors  Error{usage} if ACCORD_THREADS is not a number.
int chosen_threads(const ComputeOptions& options);

/// What is said on stderr.
struct MessageOptions {
  Verbosity verbosity = Verbosity::normal;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string log;  ///< empty: not written
};
void add_message_options(OptionTable& table, MessageOptions& values);

/// How progress is shown: as was asked for; without that nothing if -q asks for silence.
ProgressStyle progress_style(const MessageOptions& options);

/// What `accord align` is asked for.
struct AlignOptions {
  InputOptions input;
  OutputOptions output;
  MethodOptions method;
  ComputeOptions compute;
  MessageOptions messages;
};

/// What `accord batch` is asked for.
struct BatchOptions {
  InputOptions input;  ///< the one file is a folder or a manifest
  std::string folder;  ///< of the outputs
  AlignmentFormat format = AlignmentFormat::fasta;
  std::string report;  ///< empty: not written
  Shard shard;
  bool resume = false;
  bool keep_going = false;
  MethodOptions method;
  ComputeOptions compute;
  MessageOptions messages;
};
/// Those of the output, and how the batch is gone through.
void add_batch_options(OptionTable& table, BatchOptions& values);

/// A setter for one of two words; keeps whether it was the second.
std::function<void(const std::string&)> choice_in(bool& target, const std::string& option,
                                                  const std::string& first,
                                                  const std::string& second);

/// A number of at least `least` for an option.
/// Errors  Error{usage} if the text is not a whole number, or is smaller or too large.
int parse_count(const std::string& option, const std::string& text, int least = 0);

/// Seconds for an option: "90", "10m", "2h", "1d".
/// Errors  Error{usage}
double parse_seconds(const std::string& option, const std::string& text);

/// A number of bytes for an option, such as "1000000", "512K", "512M", "6G" or "1T" (powers of
/// 1024). Errors  Error{usage} if the text is no such size, or is 0.
std::uint64_t parse_size(const std::string& option, const std::string& text);

}  // namespace accord
