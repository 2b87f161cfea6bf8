// SPDX-License-Identifier: Apache-2.0
#include "io/families/aligned_structures.hpp"

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/family_reader.hpp"

namespace accord {

void add_structures(AlignedFamily& aligned, const std::vector<std::string>& inputs,
                    bool keeps_atoms) {
  FamilySource source;
  source.files = inputs;
  source.reading.keeps_atoms = keeps_atoms;
  source.type = ResidueType::protein;
  source.takes_track = true;
  source.shows_names = false;
  const FamilyInput structures = read_family(source);
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t x = 0; x < structures.set.size(); ++x) {
    if (!structures.set.trace(x).empty()) by_name.emplace(structures.set.name(x), x);
  }
  const std::size_t count = by_name.size();
  std::vector<SequenceRecord> records;
  for (std::size_t k = 0; k < aligned.set.size(); ++k) {
    SequenceRecord& row = records.emplace_back(aligned.set.record(aligned.set.from_input(k)));
    const auto found = by_name.find(row.name());
    if (found == by_name.end()) continue;
    const SequenceRecord& structure = structures.set.record(found->second);
    if (lower_case(structure.letters) != lower_case(row.letters)) {
      throw Error(ErrorKind::bad_input,
                  aligned.label + ": the row " + quote(row.name()) +
                      " has other residues than its structure in " + structures.label,
                  "rows need all residues that have coordinates, and no others");
    }
    row.trace = structure.trace;
    row.unsure = structure.unsure;
    row.atoms = structure.atoms;
    by_name.erase(found);
  }
  if (by_name.size() == count) {
    throw Error(ErrorKind::bad_input,
                aligned.label + ": no row has the name of a structure in " + structures.label,
                "a structure has the name of its file, 1abc or 1abc_A");
  }
  if (!by_name.empty()) {
    log_warning(aligned.label + ": no row has the names of " +
                counted(by_name.size(), "structure") + " in " + structures.label);
  }
  aligned.set = SequenceSet(std::move(records), aligned.set.type());
}

}  // namespace accord
