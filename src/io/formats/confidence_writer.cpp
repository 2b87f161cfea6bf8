// SPDX-License-Identifier: Apache-2.0
#include "io/formats/confidence_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/formats/alignment_text.hpp"

namespace accord {
namespace {

std::string decimals(float probability) {
  if (std::isnan(probability)) return "NA";
  constexpr int kDecimals = 4;
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, probability,
                                 std::chars_format::fixed, kDecimals);
  return std::string(digits, end.ptr);
}

}  // namespace

void write_confidence(const SequenceSet& set, const Msa& msa, const Confidence& confidence,
                      TextSink& out, const std::vector<bool>* shown, const Lddt* lddt) {
  const std::vector<std::string> names = whole_names(set);
  std::vector<std::size_t> next(set.size(), 0);  // first residue not yet written, input order
  out << "level\tcolumn\tsequence\tresidue\tletter\tpairs\tconfidence"
      << (lddt != nullptr ? "\tlddt\n" : "\n");
  std::size_t number = 0;
  for (std::uint32_t c = 0; c < msa.columns; ++c) {
    const bool is_shown = shown == nullptr || (*shown)[c];
    const std::uint64_t k = confidence.column_residues[c];
    const std::string column = std::to_string(number += is_shown);
    if (is_shown) {
      out << "column\t" << column << "\t-\t-\t-\t" << std::to_string(k * (k - 1) / 2) << '\t'
          << decimals(confidence.column[c]);
      if (lddt != nullptr) out << '\t' << decimals(lddt->column[c]);
      out << '\n';
    }
    for (std::size_t place = 0; place < set.size(); ++place) {
      const std::size_t x = set.from_input(place);
      const std::size_t i = next[place];
      if (i == msa.column_of[x].size() || msa.column_of[x][i] != c) continue;
      ++next[place];
      if (!is_shown) continue;
      out << "residue\t" << column << '\t' << names[place] << '\t' << std::to_string(i + 1) << '\t'
          << set.letters(x)[i] << '\t' << std::to_string(k - 1) << '\t'
          << decimals(confidence.residue[x][i]);
      if (lddt != nullptr) {
        out << '\t' << (lddt->residue[x].empty() ? "NA" : decimals(lddt->residue[x][i]));
      }
      out << '\n';
    }
  }
}

std::vector<int> column_weights(const std::vector<float>& confidence) {
  constexpr double kHighest = 100;
  std::vector<int> weights;
  weights.reserve(confidence.size());
  for (const float c : confidence) {
    weights.push_back(std::isnan(c) ? 1 : std::max(1, static_cast<int>(std::lround(kHighest * c))));
  }
  return weights;
}

std::string format_weights(const std::vector<int>& weights) {
  std::string text;
  for (const int weight : weights) text += std::to_string(weight) + '\n';
  return text;
}

}  // namespace accord
