// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string_view>

#include "phylogeny/model.hpp"
#include "tools/codons.hpp"

namespace accord {
namespace {

/// Rounds of expectation maximisation; ambiguous letters are few, and their shares settle at once.
constexpr int kRounds = 20;

/// No state is left out altogether: it might be one of an inner node.
constexpr double kLeastFrequency = 1e-6;

void normalise(std::vector<double>& values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value /= sum;
}

/// How often each code occurs, but for those that stand for every state.
std::vector<double> count_codes(const SitePatterns& patterns) {
  std::vector<double> counts(patterns.symbols.size());
  const std::uint64_t every = ~std::uint64_t{0} >> (64 - patterns.states);
  for (std::size_t tip = 0; tip < patterns.tips; ++tip) {
    for (std::size_t c = 0; c < patterns.count(); ++c) {
      const std::uint8_t code = patterns.code(tip, c);
      if (patterns.symbols[code] != every) counts[code] += patterns.weights[c];
    }
  }
  return counts;
}

std::vector<double> counted_frequencies(const SitePatterns& patterns) {
  const std::vector<double> counts = count_codes(patterns);
  std::vector<double> frequencies(patterns.states, 1.0 / patterns.states);
  if (std::all_of(counts.begin(), counts.end(), [](double n) { return n == 0; })) {
    return frequencies;
  }
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> expected(patterns.states, 0.0);
    for (std::size_t code = 0; code < counts.size(); ++code) {
      double sum = 0;
      for (std::uint32_t s = 0; s < patterns.states; ++s) {
        if (patterns.symbols[code] >> s & 1) sum += frequencies[s];
      }
      for (std::uint32_t s = 0; s < patterns.states && sum > 0; ++s) {
        if (patterns.symbols[code] >> s & 1) expected[s] += counts[code] * frequencies[s] / sum;
      }
    }
    frequencies = expected;
    normalise(frequencies);
  }
  return frequencies;
}

/// Products of the frequencies of bases at each position, from those of codons.
std::vector<double> position_frequencies(const std::vector<double>& of_codons, int code) {
  const std::vector<Codon> codons = sense_codons(code);
  double of_base[3][4] = {};
  for (std::size_t k = 0; k < codons.size(); ++k) {
    for (int at = 0; at < 3; ++at) of_base[at][codons[k].base[at]] += of_codons[k];
  }
  std::vector<double> frequencies;
  for (const Codon& codon : codons) {
    frequencies.push_back(of_base[0][codon.base[0]] * of_base[1][codon.base[1]] *
                          of_base[2][codon.base[2]]);
  }
  normalise(frequencies);
  return frequencies;
}

}  // namespace

std::vector<Codon> sense_codons(int code) {
  constexpr std::string_view kBases = "ACGT";
  const GeneticCode genetic_code(code);
  std::vector<Codon> found;
  for (std::uint8_t k = 0; k < 64; ++k) {
    const std::uint8_t a = k / 16, b = k / 4 % 4, c = k % 4;
    const char amino_acid = genetic_code.amino_acid(kBases[a], kBases[b], kBases[c]);
    if (amino_acid != '*') found.push_back({{a, b, c}, amino_acid});
  }
  return found;
}

std::vector<double> frequencies_of(const ModelSpec& spec, const SitePatterns& patterns) {
  std::vector<double> frequencies;
  switch (spec.frequencies) {
    case FrequencySource::published:
      return amino_acid_matrix(spec.name).frequencies;
    case FrequencySource::equal:
      return std::vector<double>(patterns.states, 1.0 / patterns.states);
    case FrequencySource::counted:
      frequencies = counted_frequencies(patterns);
      break;
    case FrequencySource::codon_positions:
      frequencies = position_frequencies(counted_frequencies(patterns), spec.code);
      break;
  }
  for (double& value : frequencies) value = std::max(value, kLeastFrequency);
  normalise(frequencies);
  return frequencies;
}

}  // namespace accord
