// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/alphabet.hpp"
#include "core/sequence_set.hpp"
#include "support/residue_tables.hpp"

namespace accord::testing {

/// Residue codes of one sequence (see encode_letter), here and there with contexts above the
/// letters.
using Codes = std::vector<std::uint8_t>;

/// Two sequences and what is special about them.
struct PairCase {
  std::string name;
  Codes x, y;
};

/// "text number"
inline std::string numbered(std::string text, std::size_t number) {
  text += ' ';
  text += std::to_string(number);
  return text;
}

/// A capital letter for each code.
inline std::string letters_of(const Codes& codes, ResidueType type = ResidueType::protein) {
  std::array<char, ACCORD_SYMBOLS> letter{};
  for (char c = 'Z'; c >= 'A'; --c) {
    const bool alias = c == 'U' || (type == ResidueType::protein && c == 'O');
    if (!alias) letter[encode_letter(type, c)] = c;
  }
  letter[symbol_count(type) - 1] = type == ResidueType::protein ? 'X' : 'N';
  std::string letters;
  for (std::uint8_t code : codes) letters.push_back(letter[code]);
  return letters;
}

/// A family of the given sequences, named 0, 1, ...
inline SequenceSet make_set(const std::vector<Codes>& sequences,
                            ResidueType type = ResidueType::protein) {
  std::vector<SequenceRecord> records;
  for (const Codes& codes : sequences)
    records.push_back({std::to_string(records.size()), letters_of(codes, type)});
  return SequenceSet(std::move(records), type);
}

/// The parts, one after the other.
inline Codes concatenated(const std::vector<Codes>& parts) {
  Codes whole;
  for (const Codes& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

/// `copies` identical copies of a unit.
inline Codes tandem(const Codes& unit, std::size_t copies) {
  return concatenated(std::vector<Codes>(copies, unit));
}

/// One residue `length` times.
inline Codes homopolymer(std::uint8_t code, std::size_t length) { return Codes(length, code); }

/// Simulates sequences. The same seed gives the same sequences on every platform: only the
/// engine of the standard library is used, whose output is prescribed, not its distributions.
class SequenceGenerator {
 public:
  explicit SequenceGenerator(std::uint64_t seed, ResidueType type = ResidueType::protein)
      : engine_(seed), type_(type) {
    const std::size_t residues = residue_count(type);
    for (std::size_t a = 0; a < residues; ++a) {
      background_.push_back(single_emission(type, a));
      std::vector<double> row;
      for (std::size_t b = 0; b < residues; ++b)
        row.push_back(pair_emission(type, a, b) / single_emission(type, a));
      substitution_.push_back(std::move(row));
    }
  }

  /// Uniform in [0, 1): 64 random bits, rounded once to double.
  double uniform() {
    const double u = std::ldexp(static_cast<double>(engine_()), -64);
    return u < 1.0 ? u : std::nextafter(1.0, 0.0);
  }

  /// Uniform integer in [0, count).
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
  }

  /// A residue of the background distribution.
  std::uint8_t residue() { return draw(background_); }

  /// Independent residues of the background distribution.
  Codes background(std::size_t length) {
    Codes codes(length);
    for (std::uint8_t& code : codes) code = residue();
    return codes;
  }

  /// A relative of x, never empty. Before each residue of x an event may come: a deletion or an
  /// insertion, each with probability `indel`, of geometric length (mean 4), which is with
  /// probability `long_indel` extended by up to 39. Without an event the residue is kept with
  /// probability `keep`, and otherwise drawn from the substitution probabilities.
  Codes mutate(const Codes& x, double keep, double indel, double long_indel) {
    Codes y;
    for (std::size_t i = 0; i < x.size();) {
      const double event = uniform();
      if (event < indel) {
        i += indel_length(long_indel);
      } else if (event < 2 * indel) {
        const Codes inserted = background(indel_length(long_indel));
        y.insert(y.end(), inserted.begin(), inserted.end());
      } else {
        const std::uint8_t a = x[i++];
        y.push_back(uniform() < keep ? a : draw(substitution_[a]));
      }
    }
    if (y.empty()) y.push_back(0);
    return y;
  }

  /// A relative of x of about 45 % identity with few short gaps.
  Codes relative(const Codes& x) { return mutate(x, 0.3, 0.005, 0); }

  /// x with each residue redrawn from the background with probability `fraction`.
  Codes sprinkle(Codes x, double fraction) {
    for (std::uint8_t& code : x)
      if (uniform() < fraction) code = residue();
    return x;
  }

  /// x with each residue replaced, with probability `fraction`, by one of the codes that stand
  /// for several residues (B, Z, J, X for proteins).
  Codes with_ambiguity(Codes x, double fraction) {
    const std::size_t first = residue_count(type_);
    for (std::uint8_t& code : x) {
      if (uniform() < fraction)
        code = static_cast<std::uint8_t>(first + below(symbol_count(type_) - first));
    }
    return x;
  }

  /// x with one of the 8 contexts at each residue, all equally likely.
  Codes with_contexts(Codes x) {
    for (std::uint8_t& code : x) {
      code = static_cast<std::uint8_t>(code % 32 + 32 * below(ACCORD_CONTEXTS));
    }
    return x;
  }

 private:
  std::uint8_t draw(const std::vector<double>& probability) {
    const double u = uniform();
    double sum = 0;
    for (std::size_t a = 0; a < probability.size(); ++a) {
      sum += probability[a];
      if (u < sum) return static_cast<std::uint8_t>(a);
    }
    return static_cast<std::uint8_t>(probability.size() - 1);
  }

  std::size_t indel_length(double long_indel) {
    std::size_t length = 1;
    while (uniform() < 0.75) ++length;
    if (uniform() < long_indel) length += below(40);
    return length;
  }

  std::mt19937_64 engine_;
  ResidueType type_;
  std::vector<double> background_;
  std::vector<std::vector<double>> substitution_;
};

/// Seed of the sets of pairs below, so that they are those of the published error figures.
inline constexpr std::uint64_t kReferenceSeed = 12345;

/// Five pairs a length: unrelated, about 25 %, 45 %, 90 % identical, and identical.
inline std::vector<PairCase> ordinary_pairs(const std::vector<std::size_t>& lengths) {
  SequenceGenerator random(kReferenceSeed);
  std::vector<PairCase> pairs;
  for (std::size_t length : lengths) {
    const Codes x = random.background(length);
    pairs.push_back({numbered("unrelated", length), x, random.background(length * 9 / 10)});
    pairs.push_back({numbered("25 % identical", length), x, random.mutate(x, 0.0, 0.012, 0.15)});
    pairs.push_back({numbered("45 % identical", length), x, random.mutate(x, 0.3, 0.008, 0.1)});
    pairs.push_back({numbered("90 % identical", length), x, random.mutate(x, 0.88, 0.002, 0.05)});
    pairs.push_back({numbered("identical", length), x, x});
  }
  return pairs;
}

/// Unrelated, about 45 % identical, and identical sequences of one length.
inline std::vector<PairCase> long_pairs(std::size_t length) {
  SequenceGenerator random(kReferenceSeed);
  const Codes x = random.background(length);
  std::vector<PairCase> pairs;
  pairs.push_back({numbered("unrelated", length), x, random.background(length * 9 / 10)});
  pairs.push_back({numbered("45 % identical", length), x, random.mutate(x, 0.3, 0.008, 0.1)});
  pairs.push_back({numbered("identical", length), x, x});
  return pairs;
}

/// Four copies of a unit against three, between common flanks; identical and diverged copies.
inline void add_tandem_pairs(SequenceGenerator& random, std::size_t unit_length,
                             std::vector<PairCase>& pairs) {
  const Codes unit = random.background(unit_length);
  const Codes head = random.background(60), tail = random.background(60);
  pairs.push_back({numbered("identical tandem repeats of", unit_length),
                   concatenated({head, tandem(unit, 4), tail}),
                   concatenated({head, tandem(unit, 3), tail})});
  std::array<Codes, 7> copies;
  for (Codes& copy : copies) copy = random.mutate(unit, 0.3, 0.004, 0);
  pairs.push_back({numbered("diverged tandem repeats of", unit_length),
                   concatenated({head, copies[0], copies[1], copies[2], copies[3], tail}),
                   concatenated({head, copies[4], copies[5], copies[6], tail})});
}

/// A long insertion in one sequence, long extensions at both ends, and insertions in both.
inline void add_insertion_pairs(SequenceGenerator& random, std::size_t gap,
                                std::vector<PairCase>& pairs) {
  const Codes head = random.background(150), tail = random.background(150);
  Codes inserted = random.background(gap);
  Codes other_head = random.relative(head), other_tail = random.relative(tail);
  pairs.push_back({numbered("insertion of", gap), concatenated({head, inserted, tail}),
                   concatenated({other_head, other_tail})});

  const Codes before = random.background(gap), after = random.background(gap);
  pairs.push_back(
      {numbered("extensions of", gap), concatenated({before, head, after}), random.relative(head)});

  inserted = random.background(gap);
  other_head = random.relative(head);
  const Codes other_inserted = random.background(gap / 2);
  other_tail = random.relative(tail);
  pairs.push_back({numbered("two insertions of", gap), concatenated({head, inserted, tail}),
                   concatenated({other_head, other_inserted, other_tail})});
}

/// Pairs that break weaker scaling schemes: repeats, long gaps, swapped domains, low complexity,
/// homopolymers.
inline std::vector<PairCase> hard_pairs() {
  constexpr std::uint8_t kGlycine = 7, kTryptophan = 17;
  SequenceGenerator random(kReferenceSeed);
  std::vector<PairCase> pairs;
  for (std::size_t unit : {40, 76, 100, 150, 200, 300}) add_tandem_pairs(random, unit, pairs);
  for (std::size_t gap : {200, 600, 1200}) add_insertion_pairs(random, gap, pairs);

  const Codes first = random.background(300), second = random.background(400);
  const Codes other_second = random.mutate(second, 0.3, 0.004, 0);
  const Codes other_first = random.mutate(first, 0.3, 0.004, 0);
  pairs.push_back({"swapped domains", concatenated({first, second}),
                   concatenated({other_second, other_first})});

  const Codes poor = random.sprinkle(homopolymer(random.residue(), 300), 0.1);
  pairs.push_back({"low complexity", poor, random.sprinkle(poor, 0.1)});
  pairs.push_back({"poly-W", homopolymer(kTryptophan, 400), homopolymer(kTryptophan, 350)});
  pairs.push_back({"poly-G", homopolymer(kGlycine, 600), homopolymer(kGlycine, 500)});
  return pairs;
}

}  // namespace accord::testing
