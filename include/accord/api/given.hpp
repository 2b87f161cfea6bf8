// SPDX-License-Identifier: Apache-2.0
// The commands of the program that work on alignments which the caller passes in. The options of a
// command have the names, the words and the defaults of the command line. Of the fields of Options,
// every function that takes Options, except verify(), uses letters, device, open_device, threads,
// memory, progress and named, and those that its comment names. distances(), confidence(), trim(),
// add(), merge() and codon() also use the other fields for the method: mode, tree, large and
// parameters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accord/api/api.hpp"

namespace accord::api {

/// The sequences of a file, and the warnings from reading it.
struct Sequences {
  std::vector<Sequence> records;
  std::vector<Notice> warnings;
};

/// Reads the sequences of a file, in any format that the program reads, without their gaps.
/// `coding`: reads the coding sequences of a GenBank or EMBL file.
/// Throws  Error{no_input} for a file that cannot be read; Error{bad_input}, with file and line,
///         for a file whose content is wrong.
Sequences read_sequences(const std::string& file, bool coding = false);

/// Reads the rows of the alignment in a file.
/// Throws  as read_sequences; Error{bad_input} if rows differ in length.
Sequences read_alignment(const std::string& file);

/// A reference alignment with the columns that a benchmark scores, as `accord score` reads it.
struct Reference {
  std::vector<Sequence> rows;
  std::vector<bool> core;  ///< one for each column; empty: all are scored
};

/// Reads a reference alignment from a file.
/// Throws  as read_alignment.
Reference read_reference(const std::string& file);

/// SP and TC over the core columns of a reference. Rows are matched by the first word of their
/// names; the reference may have fewer.
/// Throws  Error{bad_input} if rows differ in length, name or residues.
Score score(const std::vector<Sequence>& alignment, const Reference& reference);

/// How far other alignments of the same sequences agree with a shown one: the shares of its pairs
/// of residues that the others have, in [0, 1]. NaN where there is no pair, or the column is not
/// scored.
struct Agreement {
  std::vector<float> columns;                        ///< the mean over the others
  std::vector<std::vector<float>> columns_by_other;  ///< [other]: the same for one other alignment
  std::vector<float> residues;                       ///< row by row with all columns, NaN in gaps
  double mean = 0;                                   ///< over all pairs
  std::string table;  ///< as `accord compare` prints it; the others are numbered
};

/// Compares an alignment with others, whose rows have the same names (their first words).
/// Throws  Error{usage} if there are none; Error{bad_input} as score.
Agreement compare(const Reference& shown, const std::vector<std::vector<Sequence>>& others);

/// The distances that distances() computes.
struct DistanceOptions {
  bool aligned = false;  ///< the sequences are rows of an alignment
  std::string model;     ///< as --model of `accord dist`; empty: see distances()
  std::string over;      ///< as --identity-over: "aligned", "shorter", "columns"; empty: "aligned"
  bool percent_id = false;     ///< the text has identities in per cent
  bool count_unknown = false;  ///< for p and snps: N, X and the like count like other letters
};

/// The distances of all pairs of sequences, in the order of the sequences.
struct Distances {
  std::vector<std::string> names;  ///< all different, since tables need them so
  /// The square matrix of distances, row by row; NaN or infinite for a pair without a distance. If
  /// the unit of the text is per cent of identity, the text has 100 (1 - distance).
  std::vector<float> values;
  std::string unit;  ///< of the text: "distance", "percent_identity" or "count"
  std::vector<Notice> warnings;
};

/// The distances of all pairs of sequences. By default the distance of two sequences is 1 - the
/// expected accuracy of their alignment, and that of two rows of an alignment is 1 - their
/// identity. With a model or percent_id, distances are counted in the columns of the alignment that
/// is passed in or that align() makes.
/// Units   those of the model.
/// Throws  as align; Error{usage} for options that exclude each other.
Distances distances(const std::vector<Sequence>& sequences, const DistanceOptions& wanted = {},
                    const Options& options = {});

/// Distances as a text, as `accord dist` writes it: "phylip", "phylip-lower", "tsv", "csv" or
/// "pairs".
/// Throws  Error{usage} for another format; Error{bad_input} if there is not one value for each two
///         names.
std::string format(const Distances& distances, const std::string& format);

/// Computes the confidence of an alignment, whichever program made it. Returns the columns that
/// have residues, with the confidence of columns and residues, and the mean.
/// Throws  as align.
Alignment confidence(const std::vector<Sequence>& rows, const Options& options = {});

/// How two structures of an alignment lie upon each other, by their aligned residues.
struct StructurePair {
  std::string x, y;         ///< names
  std::size_t aligned = 0;  ///< pairs of residues with known CAs; 0: fewer than three
  double tm_x, tm_y;        ///< TM-score by the length of x and of y; NaN if `aligned` is 0
  double rmsd;              ///< in Å; NaN if `aligned` is 0
};

/// What structure_figures() computes besides the lDDT.
struct StructureWishes {
  bool tm_scores = false;  ///< the TM-scores of all pairs
  /// "pdb" or "mmcif": all structures, superposed onto the one with the highest mean TM-score, as
  /// --superposed of the program writes them; empty: not wanted.
  std::string superposed;
};

/// What an alignment says of its structures.
struct StructureFigures {
  /// The lDDT on CA (Mariani et al. 2013), in [0, 1]: of each column; of each residue, row by row
  /// over all columns, NaN in gaps; and of the alignment. NaN: nothing is compared.
  std::vector<float> column_lddt, residue_lddt;
  double mean_lddt = 0;
  std::vector<StructurePair> tm_scores;
  std::string superposed;  ///< a text in the wanted format
  std::vector<Notice> warnings;
};

/// Judges an alignment, whichever program made it, by the structures of its rows. `files` are those
/// of align_files(); a row has the structure of its name. Uses Options::threads alone.
/// Throws  Error{bad_input} if fewer than two rows have structures, or if a structure has other
///         residues than its row; Error{usage} for another format; as align_files.
StructureFigures structure_figures(const std::vector<Sequence>& rows,
                                   const std::vector<std::string>& files,
                                   const StructureWishes& wishes = {}, const Options& options = {});

/// The weight of each column for a program that makes a tree, as --weights of `accord confidence`
/// has it: 100 times the confidence of the column, rounded, and at least 1; 1 for a column whose
/// confidence is NaN. Empty if the alignment has no confidence.
std::vector<int> column_weights(const Alignment& alignment);

/// One comparison of verify().
struct VerifyCheck {
  std::string name;  ///< as `accord verify` prints it: "rows", "report", "input", ...
  bool is_equal = false;
  std::string detail;  ///< the things compared, or the first difference
};

/// The result of verify().
struct Verification {
  std::vector<VerifyCheck> checks;
  std::string difference;  ///< the first difference; empty: the alignment is verified
  std::vector<Notice> warnings;
};

/// Checks whether the alignment in a file is the one that align() makes of the sequences in the
/// files `inputs`, as `accord verify` does. `report` is the file of the report of the run, or
/// empty. `again`: aligns the sequences once more and compares. Of the fields of Options, the
/// function uses device, open_device, threads, memory, progress and named; an option of the method
/// in `named` replaces the recorded one.
/// Throws  as align_files; Error{bad_input} for a report that is damaged; Error{usage} for the
///         report of another function than align(), and for a guide tree of a file that no option
///         names.
Verification verify(const std::vector<std::string>& inputs, const std::string& alignment,
                    const std::string& report = {}, bool again = false,
                    const Options& options = {});

/// The rules by which trim() removes rows and columns; shares are in [0, 1].
struct TrimOptions {
  std::string columns;  ///< keeps only these columns: "5-90,120-", from 1; empty: all
  std::string by_row;   ///< keeps only columns with a residue in this row: its name, or "first"
  /// Removes rows with a larger share of gaps (max_row_gaps), and columns with a larger share of
  /// gaps (max_gaps), with less confidence (min_confidence) or with a smaller share of their pairs
  /// in the alignments of `among` (min_consistency). `mask`: residues with less confidence get
  /// lower case, all others upper case. Not set: as without the option of `accord trim`.
  std::optional<double> max_row_gaps, max_gaps, min_confidence, min_consistency, mask;
  std::vector<std::vector<Sequence>> among;  ///< for min_consistency: other alignments
  /// `ends`: removes columns at the two ends alone. `codons`: three columns are a codon, which
  /// stays or goes as a whole. `keep_names`: leaves the numbers in names such as NAME/12-80 as they
  /// are.
  bool ends = false, codons = false, keep_names = false;
};

/// A row that is left out.
struct RowWithGaps {
  std::string name;
  double gaps;  ///< its share of gaps in the columns that `columns` selects
};

/// The alignment that trim() leaves, with a list of the removed rows and columns.
struct Trimmed {
  Alignment alignment, complement;  ///< complement: the removed columns
  std::vector<std::string> fates;   ///< [column of the input]: "kept", "gaps", "confidence", ...
  std::vector<RowWithGaps> rows;    ///< the removed rows
  std::string map, left_out;        ///< the tables of --map and --left-out
};

/// Removes gappy or uncertain columns, and gappy rows, from an alignment. The result has the
/// confidence if Options::confidence asks for it or a rule needs it.
/// Throws  as confidence; Error{usage} for a column or row that does not exist, and for a share
///         outside [0, 1]; Error{bad_input} if no row is left.
Trimmed trim(const std::vector<Sequence>& rows, const TrimOptions& wanted,
             const Options& options = {});

/// Residues `first` to `last` of an added sequence, from 0 and inclusive, that stand in no column.
struct ResiduesLeftOut {
  std::string name;
  std::size_t first, last;
  std::string letters;
};

/// An alignment with sequences that were added to it.
struct Added {
  Alignment alignment;
  std::vector<ResiduesLeftOut> left_out;
};

/// Adds sequences or fragments to an alignment. The rows of the alignment stay as they are, and the
/// new rows follow them. `keep_columns`: adds no columns, and leaves out residues that fit no
/// column. Also uses Options::confidence and Options::adjust_direction. The confidence is over the
/// pairs of a new sequence with the rows that it was aligned with. The track of Options::named has
/// the tracks of rows and new sequences.
/// Throws  as align; Error{bad_input} for rows that differ in length, and for a name that occurs
///         twice.
Added add(const std::vector<Sequence>& rows, const std::vector<Sequence>& sequences,
          bool keep_columns = false, const Options& options = {});

/// Merges alignments whose rows are related. Each alignment stays as it is, except for added
/// columns of gaps. The confidence, if Options::confidence asks for it, is over the pairs of rows
/// from different alignments. The track of Options::named has the tracks of all rows.
/// Throws  as add; Error{usage} for fewer than two alignments.
Alignment merge(const std::vector<std::vector<Sequence>>& alignments, const Options& options = {});

/// The options of `accord codon`.
struct CodonOptions {
  std::optional<int>
      code;           ///< the genetic code; not set: that of [transl_table=4] in a name, or else 1
  std::string frame;  ///< "1", "2", "3" or "auto"; empty: that of [frame=2] in a name, or else 1
  bool frameshifts = false;  ///< finds frameshifts, and marks them with `!`
  std::string stops;  ///< "keep" or "drop" at the ends of genes; empty: "keep", or as in `protein`
  /// An alignment of the proteins, whose rows have the names of the genes; empty: codon() aligns
  /// the proteins.
  std::vector<Sequence> protein;
};

/// An alignment of codons: three columns for each of the proteins.
struct Codons {
  Alignment alignment;
  Alignment protein;  ///< the alignment that codon() made; else empty
};

/// Aligns coding DNA or RNA through its translation, with the Options of align(). If a frameshift
/// leaves one or two bases of a codon, `!` stands for each missing base.
/// Throws  as align; Error{bad_input} for proteins, and for genes that are not those of `protein`.
Codons codon(const std::vector<Sequence>& genes, const CodonOptions& wanted = {},
             const Options& options = {});

/// The options of `accord likelihood`.
struct LikelihoodOptions {
  std::string model;        ///< empty: LG+G4 or GTR+G4; "auto": the model of lowest BIC
  std::optional<int> code;  ///< the genetic code, of models of codons
  std::string tree;         ///< Newick; empty: a neighbour-joining tree
  bool prune = false;       ///< leave out rows without leaf, leaves without row, rows without data
  std::string fit = "all";  ///< the values that are fitted: "all", "lengths" or "none"
  bool nni = false;         ///< improve the shape of the tree by interchanges,
  std::uint32_t spr = 0;    ///< then by regrafts over at most this number of branches
  std::string support;      ///< "sh-alrt", "alrt", "abayes", or several with commas between
  std::string precision = "double";  ///< or "single"
};

/// A model that was fitted in order to choose one.
struct FittedModel {
  std::string name;
  double log_likelihood;
  std::size_t free_parameters;
  double bic;
};

/// The result of likelihood().
struct Likelihood {
  double total = 0;           ///< natural logarithm
  std::vector<double> sites;  ///< the logarithm for each column, or codon
  std::string tree;           ///< Newick, with lengths, and supports as labels
  std::string table;          ///< names and values with tabs between, as the command prints it
  std::vector<FittedModel> models;  ///< sorted by BIC, if the model was chosen
  std::vector<Notice> warnings;
};

/// The likelihood of an alignment on a tree under a model of substitution, with the fitted lengths
/// and parameters. Options::progress is called between evaluations, with 0 for the part that is
/// done.
/// Units   substitutions per site (per codon of models of codons).
/// Throws  Error{usage} for options that exclude each other; Error{bad_input} for rows that cannot
///         be leaves of a tree, or a tree that does not fit the rows; Error{out_of_memory}.
Likelihood likelihood(const std::vector<Sequence>& rows, const LikelihoodOptions& wanted = {},
                      const Options& options = {});

}  // namespace accord::api
