// SPDX-License-Identifier: Apache-2.0
#include "io/structures/structure_records.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/files/packing.hpp"
#include "io/files/text_input.hpp"
#include "io/structures/predicted_model.hpp"
#include "io/structures/secondary_structure.hpp"
#include "options/option_field.hpp"

namespace accord {
namespace {

/// The places of the wanted chains.
std::vector<std::size_t> places_of(const std::vector<ProteinChain>& chains,
                                   const std::vector<std::string>& chosen,
                                   const std::string& label) {
  std::vector<std::size_t> places(chains.size());
  std::iota(places.begin(), places.end(), 0);
  if (chosen.empty()) return places;
  places.clear();
  for (const std::string& name : chosen) {
    const auto found = std::ranges::find(chains, name, &ProteinChain::name);
    if (found == chains.end()) {
      std::vector<std::string> names;
      for (const ProteinChain& chain : chains) names.push_back(chain.name);
      throw Error(ErrorKind::bad_input, label + ": no protein chain " + quote(name),
                  "its protein chains are " + listed(names));
    }
    places.push_back(static_cast<std::size_t>(found - chains.begin()));
  }
  return places;
}

bool has_known_backbone(const ProteinChain& chain) {
  return std::ranges::any_of(
      chain.residues, [](const ChainResidue& residue) { return residue.backbone.has_value(); });
}

/// Names chains in a message; nothing if they have no names.
std::string in_chains(const std::vector<std::string>& names) {
  if (names.front().empty()) return "";
  return (names.size() == 1 ? " in chain " : " in chains ") + listed(names);
}

}  // namespace

std::vector<SequenceRecord> structure_records(const std::vector<ProteinChain>& chains,
                                              const std::vector<std::string>& chosen,
                                              const std::string& label) {
  if (chains.empty()) {
    throw Error(ErrorKind::bad_input, label + ": no protein chain",
                "residues of proteins have an atom CA; other chains are left out");
  }
  const std::vector<std::size_t> places = places_of(chains, chosen, label);
  const std::vector<std::string> letters = secondary_structure(chains);
  const std::string stem = file_stem(without_packing_suffix(label));
  std::vector<SequenceRecord> records;
  std::vector<std::string> unknown, unsure;
  for (const std::size_t k : places) {
    const ProteinChain& chain = chains[k];
    SequenceRecord record;
    record.header = places.size() == 1 || chain.name.empty() ? stem : stem + "_" + chain.name;
    record.name_bytes = record.header.size();
    for (const ChainResidue& residue : chain.residues) {
      record.letters += residue.letter;
      record.trace.push_back(residue.ca);
    }
    record.track = letters[k];
    record.unsure = chain.unsure;
    record.atoms = chain.atoms;
    records.push_back(std::move(record));
    const bool is_unsure = chain.unsure.value_or(0) > 0;
    if (!has_known_backbone(chain)) (is_unsure ? unsure : unknown).push_back(chain.name);
  }
  if (!unknown.empty()) {
    log_warning(label + ": no residue has all atoms of the backbone" + in_chains(unknown) +
                    ", so that the secondary structure is unknown",
                "residues need N, CA, C and O");
  }
  if (!unsure.empty()) {
    log_warning(label + ": a predicted model without a residue of a pLDDT of at least " +
                    std::to_string(kLeastPlddt) + in_chains(unsure) +
                    ", so that its letters alone count",
                "");
  }
  return records;
}

PredictedModels predicted_models(const SequenceSet& set) {
  PredictedModels found;
  for (std::size_t x = 0; x < set.size(); ++x) {
    if (const auto unsure = set.record(x).unsure) {
      ++found.models;
      found.residues += set.length(x);
      found.unsure += *unsure;
    }
  }
  return found;
}

std::string to_string(const PredictedModels& models) {
  return counted(models.models, "predicted model") + "; " + std::to_string(models.unsure) + " of " +
         counted(models.residues, "residue") + " below a pLDDT of " + std::to_string(kLeastPlddt);
}

}  // namespace accord
