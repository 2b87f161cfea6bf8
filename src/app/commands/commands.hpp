// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/options.hpp"
#include "engine/stage.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_run.hpp"
#include "run/report/index_page.hpp"
#include "tools/column_distances.hpp"

namespace accord {

/// The options of `accord batch`.
struct BatchOptions : RunOptions {
  BatchSettings batch;          ///< all but the source, which is `input`
  BesideFiles beside;           ///< the files to write beside each alignment
  std::string report;           ///< path; empty: not written
  std::string multiqc;          ///< path of the table for MultiQC; empty: not written
  bool allows_outside = false;  ///< whether OUT of a manifest may lie outside the directory
  std::string plan;  ///< --plan: write a manifest with cells here, align nothing; empty: align
};

/// Adds all options of `accord batch`. They write to `values`, which must outlive the use of the
/// table.
void add_batch_options(OptionTable& table, BatchOptions& values);

/// Reads the number of a shard, from 1, and the number of all shards: "3/16" is the third of 16.
/// Throws  Error{usage} for any other text, and for a number that is 0 or above the count.
Shard parse_shard(const std::string& text);

/// The options of `accord tree`.
struct TreeOptions : RunOptions {
  std::string output = "-";       ///< path of the tree; "-": standard output
  bool neighbor_joining = false;  ///< else UPGMA
  bool from_distances = false;    ///< the input is a distance matrix
  bool is_aligned = false;        ///< the input is an alignment
  MethodOptions method;
};

/// Adds to `table` all options of `accord tree`; they write to `values`, which must outlive the
/// table.
void add_tree_options(OptionTable& table, TreeOptions& values);

/// Refuses options that exclude each other.
/// Throws  Error{usage}
void check_tree_options(const TreeOptions& options);

/// The options of `accord align`: the input, the resources and the messages (RunOptions), the
/// output files, and the options of the method that the user has set.
struct AlignOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

/// `accord align`: reads, aligns and writes one family. Parsing the command line fills `options`.
Command align_command(std::shared_ptr<AlignOptions> options = std::make_shared<AlignOptions>());

/// `accord batch`: reads, aligns and writes many families. Parsing the command line fills
/// `options`.
Command batch_command(std::shared_ptr<BatchOptions> options = std::make_shared<BatchOptions>());

/// `accord ensemble`: aligns one family several times, with other parameters and guide trees.
Command ensemble_command();

/// `accord add`: adds sequences to an alignment that stays as it is.
Command add_command();

/// `accord core`: writes the core of a large family. `accord add` places shards of the other
/// sequences in the core.
Command core_command();

/// `accord join`: joins the shards of a large family to one alignment.
Command join_command();

/// `accord merge`: merges alignments that stay as they are.
Command merge_command();

/// `accord convert`: writes an alignment in another format.
Command convert_command();

/// `accord view`: writes a page that shows an alignment, and opens it in the browser.
Command view_command();

/// `accord stats`: prints a line about each alignment.
Command stats_command();

/// `accord trim`: removes the gappy or uncertain columns of an alignment.
Command trim_command();

/// `accord codon`: aligns coding DNA through its translation.
Command codon_command();

/// `accord score`: prints SP, TC and their counts, for all scored columns together or for each one,
/// as a table with a header line or as JSON.
Command score_command();

/// `accord compare`: prints where alignments of one family agree, by column and residue.
Command compare_command();

/// `accord verify`: compares an alignment with its input and with the report of its run.
Command verify_command();

/// `accord confidence`: computes the confidence of an alignment that any program made.
Command confidence_command();

/// `accord tree`: writes the guide tree of a family or of a distance matrix. Parsing the command
/// line fills `options`.
Command tree_command(std::shared_ptr<TreeOptions> options = std::make_shared<TreeOptions>());

/// `accord dist`: writes the distances of all pairs of a family. `others`: further models of
/// distances, from another library; null: none. It must outlive the command.
Command dist_command(const OtherDistanceModels* others = nullptr);

/// `accord check`: prints the oddities and the size of an input, and the time and memory for
/// aligning it.
Command check_command();

/// `accord devices`: lists the devices, and the one that `--device auto` takes. --check tests
/// `others`, stages of another library, beside the stages of the aligner. These stages must outlive
/// the command.
Command devices_command(const std::vector<const Stage*>& others = {});

/// The commands of the aligner, in the order of the help. A new command is a function in
/// src/app/commands/ and a line in commands.cpp.
std::vector<Command> aligner_commands();

}  // namespace accord
