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

/// The states of a model: the four bases, the twenty amino acids (in the order of
/// encode_letter), or the codons of a genetic code that are no stop, 61 of the standard one (base
/// by base in the order A C G T, the first base slowest).
enum class StateKind { nucleotide, amino_acid, codon };

/// The origin of the frequencies of the states.
enum class FrequencySource {
  published,       ///< the frequencies of an amino-acid matrix
  equal,           ///< all the same
  counted,         ///< the frequencies in the alignment
  codon_positions  ///< of codons: products of the bases' frequencies at the three positions (F3x4)
};

/// A number that a model has beside its frequencies.
struct ModelParameter {
  std::string name;    ///< "kappa"
  double value;        ///< given, or where fitting begins
  double least, most;  ///< the range of fitting
  bool is_given = false;
};

/// A model as a user names it, such as LG+G4, HKY{2.5}+I or GTR+F+G4{0.5}.
struct ModelSpec {
  std::string text;       ///< as it was named: "LG+G4"
  std::string name;       ///< of the matrix: "LG"
  std::string exchanges;  ///< of nucleotides, see MatrixKind
  StateKind states = StateKind::nucleotide;
  int code = 1;  ///< the genetic code of codons (see GeneticCode)
  FrequencySource frequencies = FrequencySource::equal;
  std::uint32_t categories = 1;  ///< of rates; 1: all sites have the same
  bool has_free_rates = false;   ///< in place of those of a gamma distribution
  bool has_invariant = false;
  bool is_ascertained = false;  ///< sites that do not vary were left out of the alignment
  /// The parameters of the matrix; then the shape "alpha" or, for all categories but the last,
  /// relative to it, each "weight" and each "rate"; then the share of invariant sites "invariant".
  std::vector<ModelParameter> parameters;

  /// The values of all parameters.
  std::vector<double> values() const;
};

/// Reads the name of a model: a matrix, with its parameters in braces if they are given, then any
/// of `+G` or `+Gn` (n categories of a gamma distribution, 4 without n) or `+R` or `+Rn` (free
/// rates, given as weights and rates in turn), `+I`, `+ASC`, and one of `+F` (frequencies counted),
/// `+FQ` (equal) and `+F3X4` (codons). Letters of either case; the names that IQ-TREE, RAxML and
/// PhyML have for the same are read, see matrix_kinds.
///
/// Matrices: JC, K80{kappa}, HKY{kappa} and GTR{AC,AG,AT,CG,CT} (GT is 1) for nucleotides, the last
/// two with counted frequencies; LG, WAG, JTT, DAYHOFF; GY94{kappa,omega} for codons, with F3X4.
/// Throws  Error{usage} with what there is.
/// Reference  Jukes & Cantor 1969; Kimura 1980, J Mol Evol 16:111; Hasegawa, Kishino & Yano 1985,
///         J Mol Evol 22:160; Tavare 1986; Goldman & Yang 1994, Mol Biol Evol 11:725. Free rates:
///         Yang 1995, Genetics 139:993. Ascertainment: Lewis 2001, Syst Biol 50:913.
ModelSpec parse_model(std::string_view text);

/// The shape of a gamma distribution of rates, as a parameter.
ModelParameter gamma_shape();

/// The number of states of a kind; of codons in a genetic code.
std::uint32_t state_count(StateKind kind, int code = 1);

/// The sequences that have such states: "nucleotides" or "proteins".
std::string_view residues_of(StateKind kind);

/// The frequencies of a model's states for an alignment. Counted frequencies come from its letters;
/// ambiguous letters are divided among the states they stand for (by expectation maximisation),
/// gaps are left out; none is below 1e-6.
std::vector<double> frequencies_of(const ModelSpec& spec, const SitePatterns& patterns);

/// The process of a model with the given parameters and frequencies. The mean rate over all sites,
/// invariant ones included, is 1; categories of the gamma distribution have equal weights and the
/// mean rate of their part, free ones what the parameters say.
/// Throws  Error{internal} if numbers of values do not fit.
/// Reference  Yang 1994, J Mol Evol 39:306.
SubstitutionProcess make_process(const ModelSpec& spec, std::span<const double> values,
                                 std::span<const double> frequencies);

/// The mean rates of the parts of a gamma distribution of mean 1 that have equal probabilities.
std::vector<double> gamma_rates(double shape, std::uint32_t categories);

/// Exchangeabilities (symmetric, rows) and frequencies of amino acids.
struct AminoAcidMatrix {
  std::vector<double> exchangeabilities, frequencies;
};

/// A published matrix, "LG", "WAG", "JTT" or "DAYHOFF" (datasets/substitution/ names the sources).
/// Throws  Error{internal} for another name.
const AminoAcidMatrix& amino_acid_matrix(std::string_view name);

/// The embedded files.
std::string_view lg_matrix_text();
std::string_view wag_matrix_text();
std::string_view jtt_matrix_text();
std::string_view dayhoff_matrix_text();

/// A codon: three bases, 0 to 3, and what it codes for.
struct Codon {
  std::uint8_t base[3];
  char amino_acid;
};

/// The codons that code for an amino acid in a genetic code, in the order of states.
/// Throws  as GeneticCode.
std::vector<Codon> sense_codons(int code = 1);

}  // namespace accord
