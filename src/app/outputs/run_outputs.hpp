// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/formats.hpp"
#include "run/report/given_run.hpp"
#include "run/report/report.hpp"

namespace accord {

/// A file that the alignment is written to.
struct AlignmentFile {
  std::string path = "-";  ///< "-" is standard output
  AlignmentFormat format = AlignmentFormat::fasta;
};

/// The files that a run writes.
struct RunFiles {
  std::vector<AlignmentFile> alignments;
  bool tree_order = false;  ///< rows in the order of the guide tree, else in that of the input
  LetterCase letter_case = LetterCase::keep;
  std::optional<std::size_t> wrap;  ///< columns of a line; not set: the default of format_alignment
  // The other members are paths. A file with an empty path is not written.
  std::string tree;        ///< the guide tree, Newick
  std::string distances;   ///< the distances of all pairs
  std::string report;      ///< the report, JSON
  std::string confidence;  ///< the table of write_confidence
  std::string html;        ///< the page that shows the alignment and the report
  std::string multiqc;     ///< the table for MultiQC
  std::string name_map;    ///< the table of format_name_map
  std::string track;       ///< the aligned tracks, FASTA
  std::string tm_scores;   ///< the table of write_tm_scores
  std::string superposed;  ///< the superposed structures, PDB or mmCIF
  std::string left_out;    ///< accord add: the residues that stand in no given column
  std::string map;         ///< accord add: the given column of each residue
};

/// The paths of all files; the path of a file that is not written is empty.
std::vector<std::string> paths_of(const RunFiles& files);

/// The outputs of structures that `files` names, with their kinds in the report. Warns of
/// structures that cannot be superposed. `set` and `msa` must outlive the outputs. Throws  as
/// structure_format.
std::vector<std::pair<std::string, Output>> structure_outputs(const SequenceSet& set,
                                                              const Msa& msa,
                                                              const RunFiles& files);
/// Whether one of the files is about structures.
bool wants_structures(const RunFiles& files);
/// Refuses a name for the superposed structures that has the suffix of an alignment.
/// Throws  Error{usage}
void check_structure_files(const RunFiles& files);
/// Refuses files about structures for a family, which `label` names, that has fewer than two.
/// Throws  Error{usage}
void check_structures(const SequenceSet& set, const std::string& label, const RunFiles& files);

/// Whether one of the files shows the confidence of the alignment.
bool needs_confidence(const RunFiles& files);

/// Whether one of the files has the report, which lists the checksums of all inputs and outputs.
bool needs_checksums(const RunFiles& files);

/// Whether one of the files is of a format that has lines of markup for the residues of a row.
bool has_markup(const RunFiles& files);

/// The output that writes `alignment` to `file`, in lines of `files.wrap` columns; no other member
/// of `files` is used. The alignment must outlive the output.
Output alignment_output(const AlignmentText& alignment, const AlignmentFile& file,
                        const RunFiles& files);

/// The outputs of an alignment that was not made in this run: one for each of `files.alignments`,
/// and the table files.name_map; the caller writes them. Warnings name the markup and the
/// descriptions that a format has no place for. The alignment must outlive the outputs.
std::vector<Output> outputs_of(const AlignmentText& alignment, const RunFiles& files);
std::vector<Output> outputs_of(AlignmentText&&, const RunFiles&) = delete;

/// Writes the files of a run, the alignments last, so that an alignment appears on standard output
/// only if all other files were written. The result of the run must have the confidence if
/// needs_confidence(files) is true. The function does not write `files.left_out`.
/// Throws  as OutputFiles.
void write_files(const AlignRun& run, const RunFiles& files);

/// Writes the files that `files` names for a run on given alignments. If `files` names a table of
/// confidence, run.combined must have a confidence. If the run keeps the given columns, a warning
/// gives the number of residues that stand in no given column.
/// Throws  as OutputFiles::add and OutputFiles::finish.
void write_files(const GivenRun& run, const RunFiles& files);

/// The files that a run writes, with their lines in the report. A file is written, under a
/// temporary name, when it is added, so that the report can have its checksum and the memory that
/// writing took.
class OutputList {
 public:
  /// `with_checksums`: whether written() has the size and the SHA-256 of each file.
  explicit OutputList(bool with_checksums) : with_checksums_(with_checksums) {}

  /// Adds a file. `kind`: its kind in the schema of the report; `format`: the format of an
  /// alignment, else empty. Objects that the output refers to must outlive finish().
  /// Throws  as OutputFiles::add.
  void add(const std::string& kind, Output output, const std::string& format = {});
  /// Adds the alignment, which must outlive finish(), in the format of a file. Warns as
  /// warn_of_format().
  /// Throws  as OutputFiles::add.
  void add(const AlignmentFile& file, const AlignmentText& alignment, const RunFiles& files);

  /// The added files, in order; with their sizes and checksums if the constructor got
  /// `with_checksums`.
  const std::vector<WrittenFile>& written() const { return written_; }
  /// written() and the report itself at `path`, without a checksum.
  std::vector<WrittenFile> written_with_report(const std::string& path) const;

  /// Completes the files (see OutputFiles::finish), the last one first.
  /// Throws  as OutputFiles::finish.
  void finish() { files_.finish(); }

 private:
  bool with_checksums_;
  OutputFiles files_;
  std::vector<WrittenFile> written_;
};

}  // namespace accord
