// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "app/cli/command.hpp"
#include "app/commands/batch_options.hpp"
#include "app/commands/command_options.hpp"

namespace accord {

/// `accord align`: reads, aligns and writes one family. `options` is filled by the parser.
Command align_command(std::shared_ptr<AlignOptions> options = std::make_shared<AlignOptions>());

/// `accord batch`: reads, aligns and writes many families.
Command batch_command(std::shared_ptr<BatchOptions> options = std::make_shared<BatchOptions>());

/// `accord add`: adds sequences to an alignment that stays as it is.
Command add_command();

/// `accord core`: the core of a large family, in which shards of the others are placed.
Command core_command();

/// `accord join`: the alignment of a family in shards.
Command join_command();

/// `accord merge`: merges alignments that stay as they are.
Command merge_command();

/// `accord convert`: an alignment in another format.
Command convert_command();

/// `accord stats`: a line about each alignment.
Command stats_command();

/// `accord trim`: an alignment without its gappy or uncertain columns.
Command trim_command();

/// `accord codon`: coding DNA aligned through its translation.
Command codon_command();

/// `accord score`: prints SP, TC and the counts behind them, or those of every scored column, as a
/// table with a header line or as JSON.
Command score_command();

/// `accord compare`: where alignments of one family agree, by column and residue.
Command compare_command();

/// `accord verify`: whether an alignment is the one of an input and of a report.
Command verify_command();

/// `accord confidence`: the confidence of an alignment that any program made.
Command confidence_command();

/// `accord tree`: the guide tree of a family, or of a distance matrix.
Command tree_command();

/// `accord dist`: the distances of all pairs of a family.
Command dist_command();

/// `accord likelihood`: the likelihood of a tree for an alignment, and fitted branch lengths.
Command likelihood_command();

/// `accord check`: what is odd about an input, how large it is, what aligning it takes.
Command check_command();

/// `accord devices`: prints what can compute, and which one `auto` would take.
Command devices_command();

}  // namespace accord
