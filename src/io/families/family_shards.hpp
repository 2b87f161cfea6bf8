// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/confidence.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "io/families/family_reader.hpp"
#include "io/files/output_file.hpp"

namespace accord {

/// The contents of a core file of a family in shards: the members with their rows, and all other
/// data for placing a sequence of the family.
struct CoreFile {
  FileDigest file;            ///< the file that was read
  std::string checksum;       ///< at the end of the file; identifies the core
  std::string family;         ///< names the inputs of the family in messages
  std::size_t sequences = 0;  ///< of the family
  /// Checksum of all sequences of the family, headers and letters, in input order (FamilyDigest).
  std::string family_sha256;
  ResidueType type = ResidueType::protein;
  FamilySource source;          ///< the options for reading the family, without its files
  std::string method;           ///< the options of the method as JSON, see format_method
  std::string settings_sha256;  ///< checksum of all settings (settings_checksum())
  std::size_t nearest = 0;      ///< largest number of members that a sequence is aligned with
  std::vector<SequenceRecord> members;  ///< in canonical order
  std::vector<std::size_t> places;      ///< [member]: its place in the input
  /// Places in the input of the sequences that are equal to an earlier sequence in canonical order,
  /// and are therefore not placed; increasing.
  std::vector<std::size_t> copies;
  Msa msa;                               ///< of the members
  GuideTree tree;                        ///< of the members
  std::optional<Confidence> confidence;  ///< of the members; if requested
  /// The kept cells and the memory of the posteriors of the members, for the report.
  std::size_t posterior_cells = 0, posterior_bytes = 0;
};

/// Returns an output that writes a core file. Its records are as in FASTA, each followed by `;` and
/// the columns of the row. The core must outlive the output.
Output core_output(const CoreFile& core, const std::string& path);
Output core_output(CoreFile&&, const std::string&) = delete;

/// Reads a core file.
/// Throws  as read_text; Error{bad_input} if it is not a core file, is of another version of the
///         program, is cut off or damaged, or if its rows do not fit its sequences.
CoreFile read_core(const std::string& path);

/// A part of a family: the sequences at the places number - 1, number - 1 + count, ... of the
/// input, and their placement in the core.
struct PartFile {
  std::string path;
  std::string core;                     ///< CoreFile::checksum of the core
  std::size_t number = 1, count = 1;    ///< part `number` of `count` parts
  std::vector<SequenceRecord> records;  ///< all sequences of the part, in input order
  /// [record]; none if the sequence is in the core or equal to another one.
  std::vector<std::optional<PlacedSequence>> placed;
  FileDigest file{};  ///< the file that was read
};

/// The number of sequences in part `number` (from 1) of `count` parts of a family of `sequences`
/// sequences.
std::size_t part_size(std::size_t sequences, std::size_t number, std::size_t count);

/// Returns an output that writes a part to part.path; `columns` is the number of columns of the
/// core. The part must outlive the output.
Output part_output(const PartFile& part, std::uint32_t columns);
Output part_output(PartFile&&, std::uint32_t) = delete;

/// Reads a part of the family that has this core; `core_path` names the core in messages. If the
/// core has a confidence, the function also reads the evidence for each residue (PlacedResidue).
/// Throws  as read_core; Error{bad_input} if the part was placed in another core, or has another
///         number of sequences than part_size().
PartFile read_part(const std::string& path, const CoreFile& core, const std::string& core_path);

/// Checks that the parts are all parts of a family, each once. There must be at least one part.
/// Throws  Error{bad_input} that names parts that are missing, occur twice, or are of another
///         number of parts.
void check_parts(const std::vector<PartFile>& parts);

/// Passes the sequences of the files to `take`, one after the other, read as by read_family() with
/// the type of the source. Of a FASTA file, only a few megabytes or one record are in memory at a
/// time, plus the packed bytes if it is packed; of other formats, the whole text and all records.
/// Reading FASTA causes no warnings.
/// Throws  as read_text and records_of.
void for_each_sequence(const FamilySource& source,
                       const std::function<void(SequenceRecord&&)>& take);

}  // namespace accord
