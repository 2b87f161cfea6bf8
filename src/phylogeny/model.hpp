// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/alphabet.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord {

/// The states of a model: the bases A C G T, the amino acids A R N D C Q E G H I L K M F P S T W Y
/// V, in these orders, or the codons of a genetic code without its stop codons. The standard code
/// has 61 such codons. The codons are in the order A C G T of their first base, then of the second,
/// then of the third.
enum class StateKind { nucleotide, amino_acid, codon };

/// The origin of the frequencies of the states.
enum class FrequencySource {
  published,       ///< the frequencies of an amino-acid matrix
  equal,           ///< all the same
  counted,         ///< the frequencies in the alignment
  codon_positions  ///< of codons: products of the bases' frequencies at the three positions (F3x4)
};

/// A number that a model has besides its frequencies.
struct ModelParameter {
  std::string name;       ///< such as "kappa"
  double value;           ///< the value from the user, or the first value of a fit
  double least, most;     ///< the range of values, from the user or in a fit
  bool is_given = false;  ///< whether the user has set the value
};

/// A model as a user names it, such as LG+G4, HKY{2.5}+I or GTR+F+G4{0.5}.
struct ModelSpec {
  std::string text;  ///< the whole name from the user, in upper case: "LG+G4"
  std::string name;  ///< the name of the matrix: "LG"
  /// For nucleotides, a character for each of the rates of AC, AG, AT, CG, CT and GT: the number of
  /// the parameter with the rate, from 1, or `.` for the rate 1 (MatrixKind::exchanges).
  std::string exchanges;
  StateKind states = StateKind::nucleotide;
  int code = 1;  ///< NCBI's number of the genetic code of codons; parse_model() leaves it at 1
  FrequencySource frequencies = FrequencySource::equal;
  std::uint32_t categories = 1;  ///< number of rates; 1: all sites have the same rate
  bool has_free_rates = false;   ///< false: several rates are those of a gamma distribution
  bool has_invariant = false;    ///< some sites never change
  bool is_ascertained = false;   ///< sites that do not vary were left out of the alignment
  /// First the parameters of the matrix. Then, with several categories, "alpha", the shape of the
  /// gamma distribution; or, with free rates, a "weight" for each category but the last, and then a
  /// "rate" for each of these, relative to those of the last. At the end, if has_invariant is set,
  /// "invariant", the share of sites that never change.
  std::vector<ModelParameter> parameters;

  /// The values of all parameters.
  std::vector<double> values() const;
};

/// Reads the name of a model. It begins with a matrix, which may have its parameters in braces.
/// Then it may have `+G` or `+Gn` (n categories of a gamma distribution, 4 without n), or `+R` or
/// `+Rn` (free rates, given as weights and rates in turn); `+I` (invariant sites); `+ASC` (sites
/// that do not vary were left out; not with `+I`); and one of `+F` (counted frequencies), `+FQ`
/// (equal ones) and `+F3X4` (for codons). Letters may have either case. The function also reads the
/// names of IQ-TREE, RAxML and PhyML for the same matrices (see matrix_kinds).
///
/// Matrices: JC, K80{kappa}, HKY{kappa} and GTR{AC,AG,AT,CG,CT} (GT is 1) for nucleotides, the last
/// two with counted frequencies; LG, WAG, JTT, DAYHOFF; GY94{kappa,omega} for codons, with F3X4.
/// Throws  Error{usage} for any other text; its hint has the most common names.
/// Reference  Jukes & Cantor 1969; Kimura 1980, J Mol Evol 16:111; Hasegawa, Kishino & Yano 1985,
///         J Mol Evol 22:160; Tavare 1986; Goldman & Yang 1994, Mol Biol Evol 11:725. Free rates:
///         Yang 1995, Genetics 139:993. Ascertainment: Lewis 2001, Syst Biol 50:913.
ModelSpec parse_model(std::string_view text);

/// The parameter "alpha", the shape of a gamma distribution of rates, with its default value and
/// range.
ModelParameter gamma_shape();

/// The number of states of a kind; for codons, in the genetic code with NCBI's number `code`.
/// Throws  Error{usage} if the states are codons and there is no such code.
std::uint32_t state_count(StateKind kind, int code = 1);

/// The kind of sequences that a model with these states is for: "nucleotides" or "proteins".
std::string_view residues_of(StateKind kind);

/// The frequency of each state of a model for an alignment; their sum is 1. The patterns must have
/// the states of the model. Counted frequencies come from the letters of the alignment without its
/// gaps. An ambiguous letter is divided among the states that
/// it stands for, by expectation maximisation. A counted frequency, or a product of counted
/// frequencies, below 1e-6 is raised to 1e-6; then all are divided by their sum.
std::vector<double> frequencies_of(const ModelSpec& spec, const SitePatterns& patterns);

/// The process of a model. `values` has the values of spec.parameters, `frequencies` one for each
/// state. The mean rate over all sites, including invariant ones, is 1. The categories of a gamma
/// distribution have equal weights, and rates in the ratios of gamma_rates(). Free categories have
/// the weights and rates of the parameters.
/// Throws  Error{internal} if numbers of values do not fit.
/// Reference  Yang 1994, J Mol Evol 39:306.
SubstitutionProcess make_process(const ModelSpec& spec, std::span<const double> values,
                                 std::span<const double> frequencies);

/// Divides a gamma distribution with the mean 1 and the shape `shape`, above 0, into `categories`
/// parts of equal probability, and returns the mean rate of each part, increasing.
std::vector<double> gamma_rates(double shape, std::uint32_t categories);

/// The exchangeabilities of the amino acids, a symmetric matrix of 20 rows one after another with 0
/// on the diagonal, and the frequencies of the amino acids, whose sum is 1. The amino acids are in
/// the order of StateKind::amino_acid.
struct AminoAcidMatrix {
  std::vector<double> exchangeabilities, frequencies;
};

/// A published matrix, "LG", "WAG", "JTT" or "DAYHOFF" (datasets/substitution/ names the sources).
/// Throws  Error{internal} for another name.
const AminoAcidMatrix& amino_acid_matrix(std::string_view name);

/// The texts of the files of datasets/substitution/ with the matrices, embedded in the program.
std::string_view lg_matrix_text();
std::string_view wag_matrix_text();
std::string_view jtt_matrix_text();
std::string_view dayhoff_matrix_text();

/// A codon: three bases (A, C, G, T as 0 to 3), and the letter of its amino acid.
struct Codon {
  std::uint8_t base[3];
  char amino_acid;
};

/// The codons that code for an amino acid in a genetic code, in the order of states.
/// Throws  Error{usage} if NCBI has no genetic code with the number `code`.
std::vector<Codon> sense_codons(int code = 1);

}  // namespace accord
