// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"
#include "tools/genetic_code.hpp"

namespace accord {

/// A coding sequence with the code that it is read by.
struct Gene {
  SequenceRecord record;
  std::size_t incomplete = 0;  ///< bases of an incomplete first codon
  GeneticCode code{1};
};

/// A coding sequence as codons.
struct CodingSequence {
  /// Three characters each: bases, `-` for those that an incomplete first or last codon lacks, `!`
  /// for those that a frameshift took.
  std::vector<std::string> codons;
  std::string protein;                   ///< a letter for each codon; X if it is incomplete
  std::vector<std::size_t> inner_stops;  ///< numbers of the codons, from 1
  std::vector<std::size_t> frameshifts;  ///< the same

  /// Adds a codon of up to three bases, filled up behind them.
  void add(const std::string& bases, const GeneticCode& code, char fill = '-');
  /// Adds whole codons, and an incomplete one behind them.
  void add_all(const std::string& bases, const GeneticCode& code);
  /// Sets `inner_stops`. A stop in front of an incomplete codon ends nothing.
  void find_inner_stops();
  /// Leaves out a stop at the end.
  void drop_stop();
};

/// The codons of `bases`, of which the first `incomplete` (0, 1 or 2) are the end of a codon.
CodingSequence read_codons(const std::string& bases, const GeneticCode& code,
                           std::size_t incomplete = 0);

/// The bases in front of the first whole codon, 0, 1 or 2, so that there are the fewest stops
/// inside; the fewest bases if several have as few.
std::size_t open_frame(const std::string& bases, const GeneticCode& code);

/// What is odd about the codons of `bases` as read_codons() has read them, in words: inner stops,
/// an incomplete codon, and the other frame that has neither, if one has. Empty if all is well.
std::string frame_problem(const std::string& bases, const GeneticCode& code,
                          std::size_t incomplete = 0);

/// The bases of codons, without what stands for those that are not there.
std::string bases_of(const std::vector<std::string>& codons);

/// The first few numbers, with commas, for a message.
std::string listed_numbers(const std::vector<std::size_t>& numbers);

/// The alignment of codons, those of each row of `protein` in its order: three columns for one,
/// those of markup and confidence too.
AlignmentText codon_alignment(AlignmentText protein,
                              const std::vector<std::vector<std::string>>& codons, ResidueType type,
                              bool upper_case = false);

}  // namespace accord
