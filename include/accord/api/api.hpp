// SPDX-License-Identifier: Apache-2.0
// The C++ interface of the installed library. It stays as it is within a major version; what other
// headers declare may change with every release, and they are not installed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"

namespace accord::api {

/// A named row of letters: a sequence, or a row of an alignment with gaps as `-` or `.`.
struct Sequence {
  std::string name;
  std::string letters;
};

/// The type of the letters; `detect` decides by their composition.
enum class Letters { detect, protein, dna, rna };

/// Receives the progress of a call: the name of the stage, such as "posteriors", and the part of
/// the stage that is done, in [0, 1]. Several threads may call the function at the same time. An
/// exception from the function ends the call, and the call throws that exception.
using Progress = std::function<void(const std::string& stage, double done)>;

/// A warning of a call about something that may be a mistake.
struct Notice {
  std::string text;
  std::string hint;  ///< what the user can try; may be empty
};

struct OpenedDevice;

/// A device that stays open, so that several calls can use it, one after the other or at the same
/// time. Opening a device takes longer than aligning a small family, and a call that only names its
/// device opens the device anew. Copies of the object share one device; the last copy closes it.
class OpenDevice {
 public:
  /// Opens the device that `device` names, in the words of Options::device. `threads`: the number
  /// of threads of the host that prepare its work; 0: as many as this process may use.
  /// Throws  Error{device_unavailable} if there is no such device; Error{device_failed} if the
  ///         device cannot be used.
  explicit OpenDevice(const std::string& device, int threads = 0);

  /// The warnings from opening the device.
  const std::vector<Notice>& warnings() const;

 private:
  friend struct OpenedDevice;
  std::shared_ptr<const OpenedDevice> opened_;
};

/// How sequences are aligned. The defaults are those of the program, except for the device. The
/// hints of errors and warnings name an option by its field here, such as device="none"; only the
/// field `letters` has another name there, `type`.
struct Options {
  Letters letters = Letters::detect;
  std::string mode = "posterior";  ///< or "local", "motifs": as --mode of the program
  std::string tree;                ///< "upgma" or "nj"; empty: the default of the mode
  std::string device = "none";     ///< as --device of the program; none is the host
  int threads = 0;                 ///< 0: as many as this process may use
  bool confidence = false;         ///< also compute the confidence
  std::string large = "auto";      ///< "never", "always": as --large of the program
  std::string parameters;          ///< file of a parameter set; empty: the built-in ones
  std::size_t memory = 0;  ///< largest host memory, in bytes; 0: 80 % of what the system allows
  bool adjust_direction = false;  ///< reverse-complement nucleotide sequences that read backwards
  Progress progress;              ///< may be empty
  std::optional<OpenDevice> open_device = {};  ///< if set, computes in place of `device`
  /// Any option of options(), by name, with the text of its value on a command line, such as
  /// {"refine", "0"}. The text of a flag is "true" or "false". An option that is named here
  /// overrides the field of the same name.
  std::map<std::string, std::string> named = {};
};

/// An option that Options::named takes.
struct OptionInfo {
  std::string name;  ///< as on a command line: "gap-costs"; `_` may stand for `-`
  std::string
      group;  ///< "input", "track", "models" (of all calls that compute posteriors), "method"
  /// "flag", "count", "word", "word or file", "word or number", "numbers", "file"
  std::string type;
  std::vector<std::string> words;  ///< the values that a "word" may have
  std::string standard;  ///< the default; empty if `help` describes how the default is found
  std::string help;      ///< what the option does
  /// A value other than the default; for a file, its path below datasets/ of the source.
  std::string example;
  /// Options without which the option has no effect, each with an example of its value.
  std::vector<std::pair<std::string, std::string>> needs;
};

/// The options that Options::named takes, in the order of the help of the program.
std::vector<OptionInfo> options();

/// An alignment of sequences, in their order.
struct Alignment {
  Letters letters = Letters::protein;  ///< the type of the sequences, given or detected
  std::vector<Sequence> rows;          ///< letters in their case, gaps as `-`; all of one length
  std::string tree;                    ///< the guide tree, Newick
  /// The confidence, in [0, 1], if Options::confidence asks for it: of each column, NaN for a
  /// column with a single residue; of each residue, row by row over all columns, NaN in gaps; and
  /// the mean over all pairs of residues that share a column, NaN if there are none.
  std::vector<float> column_confidence;
  std::vector<float> residue_confidence;
  double mean_confidence = 0;
  /// Of structures, with the confidence: the lDDT of each column (see structure_figures()) and of
  /// the alignment, in [0, 1]; NaN where nothing is compared. Else empty, and NaN.
  std::vector<float> column_lddt;
  double mean_lddt = std::numeric_limits<double>::quiet_NaN();
  /// The tracks of Options::named, or of structures, in the columns of the alignment: for each row
  /// the letters, gaps as `-` and unknown ones as `?`. Empty if the family has no tracks.
  std::vector<std::string> tracks;
  std::string report;            ///< JSON, as --report of the program writes it, without files
  std::vector<Notice> warnings;  ///< the warnings that the program would print
};

/// The posterior probability that two residues are aligned.
struct PosteriorCell {
  std::uint32_t i, j;  ///< residues of x and y, from 0
  float probability;
};

/// SP and TC of an alignment over the columns of a reference.
struct Score {
  double sum_of_pairs, total_column;
};

/// The release: "0.2.0".
std::string version();

/// Aligns sequences; gaps in them are left out. The result is the same on every device, for any
/// number of threads and any order of the sequences, and the same as that of the program.
/// Throws  Error{bad_input} for characters that are no residues, or nucleotides and proteins
///         together; Error{usage} for an option that does not exist; Error{out_of_memory} for a
///         family that needs more than Options::memory; what devices and `progress` throw.
Alignment align(const std::vector<Sequence>& sequences, const Options& options = {});

/// Aligns the sequences of files, in any format that the program reads, as one family. The chains
/// of structures (PDB and mmCIF) are aligned with their secondary structure as tracks; FILE:A,B
/// takes chains A and B of FILE, and a folder stands for the structures in it.
/// Throws  as align; Error{no_input} for a file that cannot be read; Error{bad_input}, with file
///         and line, for a file whose content is wrong.
Alignment align_files(const std::vector<std::string>& files, const Options& options = {});

/// An alignment as a text in a format of the program ("fasta", "clustal", "stockholm", ...), with
/// its confidence where the format has a place for it.
/// Throws  Error{usage} for a format that does not exist; Error{bad_input} if rows differ in
///         length.
std::string format(const Alignment& alignment, const std::string& format);

/// The page of an alignment as a text, HTML, as `accord view` writes it: one file that loads
/// nothing. `title` is its title.
/// Throws  Error{bad_input} if rows differ in length.
std::string html(const Alignment& alignment, const std::string& title);

/// The guide tree of sequences, Newick, with branch lengths in units of the distance.
/// Throws  as align.
std::string tree(const std::vector<Sequence>& sequences, const Options& options = {});

/// The posteriors of a pair of sequences, sorted by i, then j. Cells whose posterior the method
/// would not keep are left out.
/// Throws  as align.
std::vector<PosteriorCell> posteriors(const std::string& x, const std::string& y,
                                      const Options& options = {});

/// Scores an alignment over all columns of a reference. Rows are matched by the first words of
/// their names; the reference may have fewer rows.
/// Throws  Error{bad_input} if rows differ in length, name or residues.
Score score(const std::vector<Sequence>& alignment, const std::vector<Sequence>& reference);

}  // namespace accord::api
