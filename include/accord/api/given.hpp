// SPDX-License-Identifier: Apache-2.0
// What the commands of the program do with alignments that are given. Options have the names, the
// words and the defaults of the command line; those of the run are Options, of which each function
// takes letters, device, threads, memory and progress, and others as it says.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accord/api/api.hpp"

namespace accord::api {

/// What a file has.
struct Sequences {
  std::vector<Sequence> records;
  std::vector<Notice> warnings;
};

/// The sequences of a file of any format that the program reads; gaps are left out. `coding`: of
/// GenBank and EMBL the coding sequences.
/// Throws  Error{no_input} for a file that cannot be read; Error{bad_input}, with file and line,
///         for one that is wrong.
Sequences read_sequences(const std::string& file, bool coding = false);

/// The rows of the alignment in a file.
/// Throws  as read_sequences; Error{bad_input} if rows differ in length.
Sequences read_alignment(const std::string& file);

/// A reference alignment with the columns that a benchmark scores, as `accord score` reads it.
struct Reference {
  std::vector<Sequence> rows;
  std::vector<bool> core;  ///< one for each column; empty: all are scored
};

/// Throws  as read_alignment.
Reference read_reference(const std::string& file);

/// SP and TC over the core columns of a reference. Rows are matched by the first word of their
/// names; the reference may have fewer.
/// Throws  Error{bad_input} if rows differ in length, name or residues.
Score score(const std::vector<Sequence>& alignment, const Reference& reference);

/// How far other alignments of the same sequences agree with one: shares of pairs of residues, in
/// [0, 1], NaN where there is no pair or a column is not scored.
struct Agreement {
  std::vector<float> columns;          ///< the mean over the others
  std::vector<std::vector<float>> of;  ///< the same of each of the others
  std::vector<float> residues;         ///< row by row with all columns, NaN in gaps
  double mean = 0;                     ///< of all pairs
  std::string table;                   ///< as `accord compare` prints it; the others have numbers
};

/// Compares an alignment with others, whose rows have the same names (their first words).
/// Throws  Error{usage} if there are none; Error{bad_input} as score.
Agreement compare(const Reference& shown, const std::vector<std::vector<Sequence>>& others);

/// What distances are.
struct DistanceOptions {
  bool aligned = false;        ///< the sequences are rows of an alignment
  std::string model;           ///< as --model of `accord dist`; empty: see distances()
  std::string over;            ///< as --identity-over: "aligned", "shorter", "columns"
  bool percent_id = false;     ///< the text has identities in per cent
  bool count_unknown = false;  ///< letters such as N and X are letters of their own, of p and snps
};

/// The distances of each two sequences, in their order.
struct Distances {
  std::vector<std::string> names;  ///< different from each other, as tables have them
  /// Row by row, square, also where the text has per cent of identity, 100 (1 - distance); NaN or
  /// infinite where there is none.
  std::vector<float> values;
  std::string unit;  ///< of the text: "distance", "percent_identity" or "count"
  std::vector<Notice> warnings;
};

/// The distances of all pairs of sequences: 1 - the expected accuracy of their alignment; of rows
/// 1 - their identity; with a model, or as identities, those in the alignment that is given or that
/// align() makes.
/// Units   those of the model.
/// Throws  as align; Error{usage} for options that say nothing beside each other.
Distances distances(const std::vector<Sequence>& sequences, const DistanceOptions& wanted = {},
                    const Options& options = {});

/// Distances as a text, as `accord dist` writes it: "phylip", "phylip-lower", "tsv", "csv" or
/// "pairs".
/// Throws  Error{usage} for another format; Error{bad_input} if the shape is wrong.
std::string format(const Distances& distances, const std::string& format);

/// How sure an alignment is, whichever program made it: its columns that have residues, with the
/// confidence of columns, of residues, and the mean.
/// Throws  as align.
Alignment confidence(const std::vector<Sequence>& rows, const Options& options = {});

/// The weight of each column for a program that makes a tree, as --weights of `accord confidence`
/// has it: 100 times the confidence of the column, rounded, and at least 1; 1 where it is not
/// known.
std::vector<int> column_weights(const Alignment& alignment);

/// One comparison of verify().
struct VerifyCheck {
  std::string name;  ///< as `accord verify` prints it: "rows", "report", "input", ...
  bool is_equal = false;
  std::string detail;  ///< what was compared, or the first difference
};

/// What verify() found.
struct Verification {
  std::vector<VerifyCheck> checks;
  std::string difference;  ///< the first difference; empty: the alignment is verified
  std::vector<Notice> warnings;
};

/// Whether the alignment in a file is the one that align() makes of the sequences in other files,
/// as `accord verify` has it. `report` is the file of the report of the run, or empty. `again`:
/// aligns the sequences once more. Of Options device, threads, memory, progress and `named` are
/// taken; an option of the method stands in place of the recorded one.
/// Throws  as align_files; Error{bad_input} for a report that is damaged; Error{usage} for the
///         report of another function than align(), and for a guide tree of a file that no option
///         names.
Verification verify(const std::vector<std::string>& inputs, const std::string& alignment,
                    const std::string& report = {}, bool again = false,
                    const Options& options = {});

/// What is left of an alignment; shares are in [0, 1].
struct TrimOptions {
  std::string columns;  ///< "5-90,120-", from 1; empty: all
  std::string by_row;   ///< the name of a row, or "first"
  std::optional<double> max_row_gaps, max_gaps, min_confidence, min_consistency, mask;
  std::vector<std::vector<Sequence>> among;  ///< alignments of the same sequences
  bool ends = false, codons = false, keep_names = false;
};

/// A row that is left out.
struct RowWithGaps {
  std::string name;
  double gaps;  ///< its share of gaps in the columns that are asked for
};

/// What is left of an alignment, and what has gone.
struct Trimmed {
  Alignment alignment, complement;  ///< complement: the columns that have gone
  std::vector<std::string> fates;   ///< of each column before: "kept", "gaps", "confidence", ...
  std::vector<RowWithGaps> rows;    ///< those that are left out
  std::string map, left_out;        ///< the tables of --map and --left-out
};

/// An alignment without gappy or uncertain columns, and rows; with the confidence if
/// Options::confidence asks for it, or a criterion needs it.
/// Throws  as confidence; Error{usage} for a column or row that is not there, and for shares that
///         are none; Error{bad_input} if no row is left.
Trimmed trim(const std::vector<Sequence>& rows, const TrimOptions& wanted,
             const Options& options = {});

/// Residues of an added sequence that stand in no column, from 0, the last one included.
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

/// Adds sequences or fragments to an alignment, whose rows stay as they are; the new rows follow.
/// `keep_columns`: without new columns, so that residues that fit none are left out. Of Options
/// confidence and adjust_direction are taken as well; the confidence is that of the pairs of new
/// sequences with the rows that they were aligned with.
/// Throws  as align; Error{bad_input} for rows of different length, and a name that occurs twice.
Added add(const std::vector<Sequence>& rows, const std::vector<Sequence>& sequences,
          bool keep_columns = false, const Options& options = {});

/// Merges alignments whose rows are related: each stays as it is but for columns of gaps. The
/// confidence, if Options asks for it, is that of pairs of rows of different alignments.
/// Throws  as add; Error{usage} for fewer than two alignments.
Alignment merge(const std::vector<std::vector<Sequence>>& alignments, const Options& options = {});

/// How coding sequences are aligned: as `accord codon` does.
struct CodonOptions {
  std::optional<int>
      code;           ///< the genetic code; not set: what a name says as [transl_table=4], or 1
  std::string frame;  ///< "1", "2", "3" or "auto"; empty: what a name says as [frame=2], or 1
  bool frameshifts = false;
  std::string stops;  ///< "keep" or "drop" at the ends; empty: keep, or as `protein` has them
  /// An alignment of the proteins, whose rows have the names of the genes; empty: it is made.
  std::vector<Sequence> protein;
};

/// An alignment of codons: three columns for each of the proteins.
struct Codons {
  Alignment alignment;
  Alignment protein;  ///< that was made; empty if it was given
};

/// Aligns coding DNA or RNA through its translation, with the Options of align(). A codon that a
/// frameshift left one or two bases has `!` in place of the others.
/// Throws  as align; Error{bad_input} for proteins, and for genes that are not those of `protein`.
Codons codon(const std::vector<Sequence>& genes, const CodonOptions& wanted = {},
             const Options& options = {});

/// Which likelihood is asked for: as `accord likelihood` has the options.
struct LikelihoodOptions {
  std::string model;        ///< empty: LG+G4, or GTR+G4; "auto": the one of the lowest BIC
  std::optional<int> code;  ///< the genetic code, of models of codons
  std::string tree;         ///< Newick; empty: that of neighbour joining
  bool prune = false;       ///< leave out rows and leaves without each other, or without data
  std::string fit = "all";  ///< or "none", "lengths"
  bool nni = false;         ///< improve the shape of the tree by interchanges,
  std::uint32_t spr = 0;    ///< then by regrafts within so many branches
  std::string support;      ///< "sh-alrt", "alrt", "abayes", or several with commas between
  std::string precision = "double";  ///< or "single"
};

/// A model that was fitted in a choice.
struct FittedModel {
  std::string name;
  double log_likelihood;
  std::size_t free_parameters;
  double bic;
};

/// What was found.
struct Likelihood {
  double total = 0;           ///< natural logarithm
  std::vector<double> sites;  ///< of each column, or codon
  std::string tree;           ///< Newick, with lengths, and supports as labels
  std::string table;          ///< names and values with tabs between, as the command prints it
  std::vector<FittedModel> models;  ///< by BIC, if one was chosen
  std::vector<Notice> warnings;
};

/// The likelihood of an alignment on a tree under a model of substitution, with what is fitted.
/// Options::progress is called between evaluations, with 0 for the part that is done.
/// Units   substitutions per site (per codon of models of codons).
/// Throws  Error{usage} for what does not go together; Error{bad_input} for rows that have no place
///         in a tree, or a tree that does not fit; Error{out_of_memory}.
Likelihood likelihood(const std::vector<Sequence>& rows, const LikelihoodOptions& wanted = {},
                      const Options& options = {});

}  // namespace accord::api
