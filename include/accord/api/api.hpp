// SPDX-License-Identifier: Apache-2.0
// The C++ interface of the installed library. It stays as it is within a major version; what other
// headers declare may change with every release, and they are not installed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// What the letters stand for; `detect` decides by their composition.
enum class Letters { detect, protein, dna, rna };

/// Told how far a call has come: its stage, such as "posteriors", and the part of the stage that is
/// done, in [0, 1]. Several threads may call it at the same time. What it throws ends the call, and
/// is thrown by it.
using Progress = std::function<void(const std::string& stage, double done)>;

/// What a call noticed that may be a mistake.
struct Notice {
  std::string text;
  std::string hint;  ///< what can be tried; may be empty
};

struct OpenedDevice;

/// A device that is open for several calls, one after the other or at the same time, which share
/// it. Opening takes longer than aligning a small family, and a call that only names its device
/// opens it anew. Copies mean the same device; it is closed with the last of them.
class OpenDevice {
 public:
  /// Opens a device that is named as Options::device names it; `threads` of the host feed it,
  /// 0: as many as this process may use.
  /// Throws  Error{device_unavailable} for a device that is not there; Error{device_failed} for one
  ///         that cannot be used.
  explicit OpenDevice(const std::string& device, int threads = 0);

  /// What was noticed when it was opened.
  const std::vector<Notice>& warnings() const;

 private:
  friend struct OpenedDevice;
  std::shared_ptr<const OpenedDevice> opened_;
};

/// How sequences are aligned; the defaults are those of the program, but for the device. Hints of
/// errors and warnings name options as here, device="none", and the letters `type`.
struct Options {
  Letters letters = Letters::detect;
  std::string mode = "posterior";  ///< or "local", "motifs": as --mode of the program
  std::string tree;                ///< "upgma" or "nj"; empty: as the mode has it
  std::string device = "none";     ///< as --device of the program; none is the host
  int threads = 0;                 ///< 0: as many as this process may use
  bool confidence = false;         ///< also compute the confidence
  std::string large = "auto";      ///< "never", "always": as --large of the program
  std::string parameters;          ///< file of a parameter set; empty: the built-in ones
  std::size_t memory = 0;          ///< bytes of the host that may be used; 0: 80 % of what there is
  bool adjust_direction = false;   ///< nucleotides that read backwards are turned round
  Progress progress;               ///< may be empty
  std::optional<OpenDevice> open_device = {};  ///< what computes, if it is set, and not `device`
  /// Any option of options() by its name, with the text that a command line would have: {"refine",
  /// "0"}; of a flag "true" or "false". Here an option stands before its field above.
  std::map<std::string, std::string> named = {};
};

/// An option that Options::named takes.
struct OptionInfo {
  std::string name;                ///< as on a command line: "gap-costs"; `_` may stand for `-`
  std::string group;               ///< "input"; "models": of all that computes posteriors; "method"
  std::string type;                ///< "flag", "count", "word", "word or file", "word or number",
                                   ///< "numbers", "file"
  std::vector<std::string> words;  ///< that a word may be
  std::string standard;            ///< the default; empty where the help says how it is found
  std::string help;                ///< what the option does
  /// A text other than the default, and options without which it says nothing, with a text for
  /// each; a file by its path below datasets/ of the source.
  std::string example;
  std::vector<std::pair<std::string, std::string>> needs;
};

/// The options that Options::named takes, in the order of the help of the program.
std::vector<OptionInfo> options();

/// An alignment of sequences, in their order.
struct Alignment {
  Letters letters = Letters::protein;  ///< what they were taken for
  std::vector<Sequence> rows;          ///< letters in their case, gaps as `-`; all of one length
  std::string tree;                    ///< the guide tree, Newick
  /// If asked for: of each column, in [0, 1], NaN for a single residue; of each residue, row by row
  /// with all columns, NaN in gaps; and of all pairs of residues in one column (NaN without pairs).
  std::vector<float> column_confidence;
  std::vector<float> residue_confidence;
  double mean_confidence = 0;
  std::string report;            ///< JSON, as --report of the program writes it, without files
  std::vector<Notice> warnings;  ///< what the program would have warned of
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
/// Throws  Error{bad_input} for other characters, or nucleotides and proteins together;
///         Error{usage} for an option that does not exist; Error{out_of_memory} for a family that
///         needs more than it may have; what devices and `progress` throw.
Alignment align(const std::vector<Sequence>& sequences, const Options& options = {});

/// The same for the sequences in files of any format that the program reads, as one family.
/// Throws  as align; Error{no_input} for a file that cannot be read; Error{bad_input}, with file
///         and line, for one that is wrong.
Alignment align_files(const std::vector<std::string>& files, const Options& options = {});

/// An alignment as a text in a format of the program ("fasta", "clustal", "stockholm", ...), with
/// its confidence where the format has a place for it.
/// Throws  Error{usage} for a format that does not exist; Error{bad_input} if rows differ in
///         length.
std::string format(const Alignment& alignment, const std::string& format);

/// The guide tree of sequences, Newick, with branch lengths in units of the distance.
/// Throws  as align.
std::string tree(const std::vector<Sequence>& sequences, const Options& options = {});

/// The posteriors of a pair of sequences that the method keeps, by i, then j.
/// Throws  as align.
std::vector<PosteriorCell> posteriors(const std::string& x, const std::string& y,
                                      const Options& options = {});

/// How far an alignment agrees with a reference over all of its columns; rows are matched by the
/// first words of their names, and the reference may have fewer.
/// Throws  Error{bad_input} if rows differ in length, name or residues.
Score score(const std::vector<Sequence>& alignment, const std::vector<Sequence>& reference);

}  // namespace accord::api
