// SPDX-License-Identifier: Apache-2.0
#include "io/structures/structure_chains.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/structures/predicted_model.hpp"
#include "io/structures/protein_residues.hpp"

namespace accord {
namespace {

/// The number in the text of a residue's number. Those of hybrid-36, which begin with a letter,
/// follow all others.
long number_of(const FoundResidue& residue) {
  constexpr int kHybrid = 36;
  const bool is_hybrid = !residue.number.empty() && residue.number[0] >= 'A';
  return std::strtol(residue.number.c_str(), nullptr, is_hybrid ? kHybrid : 10);
}

/// Splits the residues of all chains of one name into chains.
class ChainSplitter {
 public:
  explicit ChainSplitter(bool has_name) : has_name_(has_name) {}

  void add(const FoundResidue& residue) {
    const FoundResidue* const before = chain_.empty() ? nullptr : chain_.back();
    if (before != nullptr) {
      const bool is_other_stretch = before->stretch != residue.stretch;
      const bool is_other_segment = before->segment != residue.segment;
      const bool is_lower = number_of(residue) < number_of(*before);
      if (is_lower && number_of(*before) == kLast) {
        numbers_.clear();  // the numbers have four digits, and begin again
      } else if (is_lower || is_other_stretch || is_other_segment) {
        break_ = chain_.size();
      }
      const bool is_end =
          has_name_ ? is_other_stretch && is_other_segment : is_other_stretch || is_other_segment;
      if (is_end) {
        split_at(chain_.size());
      } else if (numbers_.contains(residue.number) && before->number != residue.number) {
        split_at(break_ > 0 ? break_ : chain_.size());
      }
    }
    chain_.push_back(&residue);
    numbers_.insert(residue.number);
  }

  std::vector<Residues> take() {
    split_at(chain_.size());
    return std::move(chains_);
  }

 private:
  static constexpr long kLast = 9999;

  void split_at(std::size_t size) {
    Residues rest(chain_.begin() + static_cast<std::ptrdiff_t>(size), chain_.end());
    chain_.resize(size);
    if (!chain_.empty()) chains_.push_back(std::exchange(chain_, std::move(rest)));
    break_ = 0;
    numbers_.clear();
    for (const FoundResidue* const residue : chain_) numbers_.insert(residue->number);
  }

  bool has_name_;
  std::vector<Residues> chains_;
  Residues chain_;
  std::size_t break_ = 0;  // where the chain may have ended last; 0 if nowhere
  std::unordered_set<std::string_view> numbers_;
};

/// Whether residues have places in the sequence of their chain. Some programs give all of them
/// places, and water, too.
bool has_places_in_sequence(const std::vector<FoundChain>& chains) {
  bool has_places = false;
  for (const FoundChain& chain : chains) {
    for (const FoundResidue& residue : chain.residues) {
      if (residue.place.empty()) continue;
      if (residue.meaning.kind == CompoundKind::water) return false;
      has_places = true;
    }
  }
  return has_places;
}

/// Whether none of the residues is an amino acid, or has a bond to another.
bool is_of_ligands(const Residues& residues) {
  for (std::size_t k = 0; k < residues.size(); ++k) {
    if (is_amino_acid(residues[k]->meaning.kind)) return false;
    if (k > 0 && are_bonded(*residues[k - 1], *residues[k])) return false;
  }
  return true;
}

/// The atoms of residues that keep them.
std::shared_ptr<const ChainAtoms> atoms_of(const Residues& residues) {
  auto all = std::make_shared<ChainAtoms>();
  for (std::size_t k = 0; k < residues.size(); ++k) {
    all->names.push_back(residues[k]->name);
    all->numbers.push_back(residues[k]->number);
    for (const ChainAtom& atom : residues[k]->atoms) {
      all->atoms.push_back(atom);
      all->atoms.back().residue = static_cast<std::uint32_t>(k);
    }
  }
  return all;
}

/// Whether a residue of a predicted model may stand elsewhere.
bool is_unsure(const FoundResidue& residue, double plddt_factor) {
  return residue.b_factor_of_ca && *residue.b_factor_of_ca * plddt_factor < kLeastPlddt;
}

ProteinChain chain_of(const Residues& residues, std::optional<double> plddt_factor) {
  ProteinChain chain;
  if (plddt_factor) chain.unsure = 0;
  if (!residues.front()->atoms.empty()) chain.atoms = atoms_of(residues);
  for (const FoundResidue* const residue : residues) {
    ChainResidue& added = chain.residues.emplace_back();
    added.letter = residue->meaning.letter;
    if (plddt_factor && is_unsure(*residue, *plddt_factor)) {
      ++*chain.unsure;
      continue;
    }
    const auto& [n, ca, c, o] = residue->backbone;
    if (ca) added.ca = ca->at;
    if (n && ca && c && o) added.backbone = BackboneAtoms{n->at, ca->at, c->at, o->at};
  }
  return chain;
}

/// The names of the chains that have the name `base` in the file, and not that of another chain.
std::vector<std::string> names_of(const std::string& base, std::size_t count,
                                  const std::unordered_set<std::string>& taken) {
  std::vector<std::string> names;
  if (count == 1 || !base.empty()) names.push_back(base);
  for (std::size_t k = names.size() + 1; names.size() < count; ++k) {
    std::string name = (base.empty() ? "" : base + '-') + std::to_string(k);
    if (!taken.contains(name)) names.push_back(std::move(name));
  }
  return names;
}

/// Warns of residues or chains, which `text` describes.
void warn_of(const std::vector<std::string>& names, const std::string& label,
             const std::string& text, const std::string& hint) {
  constexpr std::size_t kMostShown = 8;
  if (names.empty()) return;
  std::string shown;
  for (std::size_t k = 0; k < std::min(names.size(), kMostShown); ++k) {
    shown += (k == 0 ? "" : ", ") + names[k];
  }
  if (names.size() > kMostShown) {
    shown += " and " + std::to_string(names.size() - kMostShown) + " more";
  }
  log_warning(label + ": " + text + ": " + shown, hint);
}

void warn_of(const LeftOut& left_out, const std::string& label) {
  warn_of(left_out.ligands, label, "ligands without a bond to a chain are left out",
          "TER, or label_seq_id in mmCIF, tells which residues belong to a chain");
  warn_of(left_out.without_ca, label, "residues without N, CA and C are left out",
          "a residue of a protein needs an atom CA");
  warn_of(left_out.doubles, label, "residues or atoms in the place of others are left out",
          "alternative locations have letters, in column 17 or as label_alt_id");
}

/// Logs the numbers of residues of the file and of its chains.
void log_counts(const std::vector<FoundChain>& found, const std::vector<ProteinChain>& chains,
                const LeftOut& left_out, const std::string& label) {
  std::size_t with_ca = 0, in_chains = 0;
  for (const FoundChain& chain : found) {
    for (const FoundResidue& residue : chain.residues) with_ca += residue.ca() ? 1 : 0;
  }
  for (const ProteinChain& chain : chains) in_chains += chain.residues.size();
  log_verbose(label + ": " + counted(with_ca, "residue") + " with a CA, " +
              std::to_string(in_chains) + " in " + counted(chains.size(), "protein chain") + ", " +
              std::to_string(left_out.expected) + " in ligands that the file states");
}

}  // namespace

std::vector<ProteinChain> protein_chains(const std::vector<FoundChain>& found,
                                         std::optional<double> plddt_factor,
                                         const std::string& label) {
  std::unordered_set<std::string> names;
  for (const FoundChain& chain : found) names.insert(chain.name);
  const bool has_places = has_places_in_sequence(found);
  LeftOut left_out;
  std::vector<std::string> renamed;
  std::vector<std::pair<std::size_t, ProteinChain>> chains;  // with the index of their first atom
  for (const FoundChain& chain : found) {
    ChainSplitter splitter(!chain.name.empty());
    for (const FoundResidue* const residue : protein_residues(chain, has_places, left_out)) {
      splitter.add(*residue);
    }
    std::vector<Residues> parts = splitter.take();
    std::erase_if(parts, [&](const Residues& part) {
      const bool is_left_out = is_of_ligands(part);
      for (const FoundResidue* const residue : part) {
        if (is_left_out) left_out.ligands.push_back(described(*residue, chain.name));
      }
      return is_left_out;
    });
    const std::vector<std::string> part_names = names_of(chain.name, parts.size(), names);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      chains.emplace_back(parts[k][0]->first_atom, chain_of(parts[k], plddt_factor));
      chains.back().second.name = part_names[k];
    }
    if (parts.size() > 1) {
      renamed.push_back(
          quote(part_names.front() + (parts.size() == 2 ? " and " : " to ") + part_names.back()));
    }
  }
  warn_of(renamed, label, "chains that share a name, or have none, are named",
          "FILE:A-2 takes the second chain A");
  warn_of(left_out, label);
  std::stable_sort(chains.begin(), chains.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ProteinChain> sorted;
  for (auto& [first, chain] : chains) sorted.push_back(std::move(chain));
  log_counts(found, sorted, left_out, label);
  return sorted;
}

}  // namespace accord
