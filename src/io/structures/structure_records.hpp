// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/structures/protein_chain.hpp"

namespace accord {

/// The sequences of the chains of a structure, with their CAs, and with their secondary
/// structure as tracks (see secondary_structure). `chosen` names the chains that are wanted, in
/// their order; empty: all chains. `label` is the file, for messages and for the names of the
/// sequences. A single sequence has the name of the file without folders and suffixes. Several
/// sequences have the names NAME_CHAIN; a chain without a name has NAME alone. Warns of chains
/// without a residue whose backbone is known.
/// Throws  Error{bad_input} if there is no chain, or no chain of a wanted name.
std::vector<SequenceRecord> structure_records(const std::vector<ProteinChain>& chains,
                                              const std::vector<std::string>& chosen,
                                              const std::string& label);

/// The predicted models of a family.
struct PredictedModels {
  std::size_t models = 0;    ///< chains
  std::size_t residues = 0;  ///< in them
  std::size_t unsure = 0;    ///< residues whose pLDDT is below kLeastPlddt
};

/// Counts the predicted models among the sequences.
PredictedModels predicted_models(const SequenceSet& set);

/// The counts in words, for a message.
std::string to_string(const PredictedModels& models);

}  // namespace accord
