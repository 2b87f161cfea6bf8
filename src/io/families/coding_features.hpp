// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/flat_file.hpp"

namespace accord {

/// The bases of `letters` at the location of a feature. A location has spans such as 3..>9 of
/// either strand, which may be joined or ordered. Spans of the other strand (complement) give their
/// reverse complement. Returns no value if the location has another form, or is not inside the
/// sequence.
/// Reference  The DDBJ/ENA/GenBank Feature Table Definition, section 3.4.
std::optional<std::string> bases_of_location(std::string_view location, const std::string& letters);

/// Extracts the coding sequences (CDS) of the records, in the order of the file; the spans of a
/// sequence are joined. If a record has only one coding sequence, it gets the name of the record.
/// Other coding sequences get their protein_id, locus_tag or gene as name, or else the name of the
/// record and a number. As in the FASTA files of NCBI, headers have [gene=NAME], [transl_table=N],
/// and [frame=2] or [frame=3] if the sequence begins inside a codon. Warns of records without
/// coding sequences, and of locations that it cannot parse. `label` names the file in messages.
/// Throws  Error{bad_input} if no record has a coding sequence.
std::vector<SequenceRecord> coding_records(const std::vector<FlatRecord>& records,
                                           const std::string& label);

/// The number in a header for [NAME=NUMBER], such as 2 for [frame=2]; none if the header lacks
/// [NAME=...], or has no whole number there.
std::optional<int> header_number(std::string_view header, std::string_view name);

}  // namespace accord
