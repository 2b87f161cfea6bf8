// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/flat_file.hpp"

namespace accord {

/// The bases of a location of a feature in a sequence: spans such as 3..>9, joined or ordered, of
/// either strand. None if it is another one, or not inside the sequence.
/// Reference  The DDBJ/ENA/GenBank Feature Table Definition, section 3.4.
std::optional<std::string> bases_of_location(std::string_view location, const std::string& letters);

/// The coding sequences (CDS) of the records, joined, in the order of the file. That of a record
/// with a single one has its name; others have their protein_id, locus_tag or gene, else the name
/// of the record and a number. As in the FASTA files of NCBI headers have [gene=NAME], and
/// [frame=2] or [frame=3] of a sequence that begins inside a codon; and [transl_table=N].
/// Warnings name records without coding sequences, and locations that are not understood.
/// Throws  Error{bad_input} if there is none at all.
std::vector<SequenceRecord> coding_records(const std::vector<FlatRecord>& records,
                                           const std::string& label);

/// The number that a header has as [NAME=NUMBER], such as [frame=2]; none if it has none.
std::optional<int> header_number(std::string_view header, std::string_view name);

}  // namespace accord
