// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/backend.hpp"
#include "method/settings.hpp"

namespace accord::testing {

/// Names of the shipped simulated families, in alphabetical order.
std::vector<std::string> simulated_families();

/// The path of datasets/simulated/NAME + `suffix`.
std::string simulated_path(const std::string& name, const std::string& suffix = ".fa");

/// Reads a simulated family and detects its type, as the program does.
SequenceSet read_simulated(const std::string& name);

/// Settings as by default.
AlignSettings settings_of(const SequenceSet& set);

/// The same in each mode.
std::vector<AlignSettings> settings_of_modes(const SequenceSet& set);

/// The alignment as a FASTA text, computed by the whole pipeline.
std::string aligned_fasta(const SequenceSet& set, const AlignSettings& settings, Backend& backend);

/// Name of a stage and a hash of its result.
using StageHash = std::pair<std::string, std::string>;

/// Aligns the family and hashes what each stage hands on, in the order in which they run.
std::vector<StageHash> hash_stages(const SequenceSet& set, const Parameters& parameters,
                                   Backend& backend);

}  // namespace accord::testing
