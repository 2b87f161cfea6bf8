// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/confidence.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "io/family_reader.hpp"
#include "io/files/output_file.hpp"

namespace accord {

/// The core of a family in shards as it stands in a file: the members with their rows, and all that
/// the placing of any other sequence needs of the family.
struct CoreFile {
  FileDigest file;            ///< that was read
  std::string checksum;       ///< that the file ends with; tells cores apart
  std::string family;         ///< the inputs of the family in messages
  std::size_t sequences = 0;  ///< of the family
  std::string family_sha256;  ///< see FamilyDigest
  ResidueType type = ResidueType::protein;
  FamilySource source;                  ///< how the family is read; without its files
  std::string method;                   ///< the options of the method as JSON, see format_method
  std::string settings_sha256;          ///< see settings_checksum
  std::size_t nearest = 0;              ///< of the members that a sequence is aligned with, at most
  std::vector<SequenceRecord> members;  ///< in canonical order
  std::vector<std::size_t> places;      ///< of the members in the input
  /// Places in the input of the sequences that are equal to one before them in canonical order,
  /// and are not placed by themselves; increasing.
  std::vector<std::size_t> copies;
  Msa msa;                               ///< of the members
  GuideTree tree;                        ///< of the members
  std::optional<Confidence> confidence;  ///< of the members, if it was asked for
  std::size_t posterior_cells = 0, posterior_bytes = 0;
};

/// Writes a core to a path; its records are those of FASTA, with `;` and the columns of the row.
Output core_output(const CoreFile& core, const std::string& path);
Output core_output(CoreFile&&, const std::string&) = delete;

/// Reads a core.
/// Throws  as ShardText; Error{bad_input} if its rows do not fit its sequences.
CoreFile read_core(const std::string& path);

/// Some of the sequences of a family, those at the places number - 1, number - 1 + count, ... of
/// the input, and where they stand in the core.
struct PartFile {
  std::string path;
  std::string core;                     ///< checksum of the core
  std::size_t number = 1, count = 1;    ///< which part of how many
  std::vector<SequenceRecord> records;  ///< all of them, in the order of the input
  /// Of each record; none of those that are in the core, or equal to another one.
  std::vector<std::optional<PlacedSequence>> placed;
  FileDigest file{};  ///< that was read
};

/// The number of sequences in a part.
std::size_t part_size(std::size_t sequences, std::size_t number, std::size_t count);

/// Writes a part to its path; `columns` are those of the core.
Output part_output(const PartFile& part, std::uint32_t columns);
Output part_output(PartFile&&, std::uint32_t) = delete;

/// Reads a part of a family that has this core; keeps the pairs and units of residues if the core
/// has confidence.
/// Throws  as ShardText; Error{bad_input} if it has another core, or not the sequences of the part.
PartFile read_part(const std::string& path, const CoreFile& core, const std::string& core_path);

/// Refuses parts that are not all parts of a family, each once.
/// Throws  Error{bad_input} with those that are missing, twice there, or of another number of
///         parts.
void check_parts(const std::vector<PartFile>& parts);

/// Passes the sequences of the files to `take`, one after the other, as read_family() reads them
/// with the type that the source has. Of a FASTA file that is not packed no more than a few
/// megabytes, or a record, are in memory, of a packed one its packed bytes as well; of other
/// formats the text and all records. Of FASTA there are no warnings.
/// Throws  as read_text and records_of.
void for_each_sequence(const FamilySource& source,
                       const std::function<void(SequenceRecord&&)>& take);

}  // namespace accord
