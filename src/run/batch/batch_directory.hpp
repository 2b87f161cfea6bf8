// SPDX-License-Identifier: Apache-2.0
// The families of a batch that are the files of a directory.
#pragma once
#include <string>
#include <vector>

#include "run/batch/batch_list.hpp"

namespace accord {

/// The id of a family whose input has this name, without directory: the name without .txt and the
/// suffixes of formats and of packed files.
std::string id_of_file(const std::string& name);

/// Lists the families of a directory; only `id` and `input` of each are set. The families are files
/// with a suffix of sequences (content_of_suffix), files without a suffix or with .txt that begin
/// as FASTA, and folders of structures. If there are none, the families are the alignments, unless
/// these may be results: if `out` is the directory, or if a batch has written to it. `out`: the
/// directory of the outputs, which is left out. Hidden files are left out.
///
/// A warning names all other files and folders.
/// Throws  Error{no_input} if the directory cannot be read; Error{bad_input} if it has no family.
std::vector<BatchFamily> families_of_directory(const std::string& directory,
                                               const std::string& out);

/// Lists the files of a directory with a suffix of FASTA as the tracks of families; only `id` and
/// `input` of each are set.
/// Throws  Error{no_input} if the directory cannot be read; Error{bad_input} if it has no such
/// file.
std::vector<BatchFamily> tracks_of_directory(const std::string& directory);

}  // namespace accord
