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
  std::vector<std::string> unknown;
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
    records.push_back(std::move(record));
    if (!has_known_backbone(chain)) unknown.push_back(chain.name);
  }
  if (!unknown.empty()) {
    const std::string which =
        unknown.front().empty()
            ? ""
            : (unknown.size() == 1 ? " in chain " : " in chains ") + listed(unknown);
    log_warning(label + ": no residue has all atoms of the backbone" + which +
                    ", so that the secondary structure is unknown",
                "residues need N, CA, C and O");
  }
  return records;
}

}  // namespace accord
