// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// A file of a family.
struct InputFile {
  std::string named;                ///< as the user wrote it, or as it is found in a folder
  std::string path;                 ///< "-" is standard input
  std::vector<std::string> chains;  ///< the wanted chains of a structure; empty: all
};

/// The files that the inputs of a user name. A folder with structure files stands for these, sorted
/// by name; hidden files are left out. An input FILE:A,B that is no file stands for chains A and B
/// of FILE. Every other input stands for itself; it need not exist.
/// Throws  Error{no_input} for a folder that cannot be read.
std::vector<InputFile> files_of_inputs(const std::vector<std::string>& inputs);

/// Whether a path has the suffix of a structure file.
bool is_structure_path(const std::string& path);

/// Whether a path is a folder with structure files, which have the suffixes of PDB or mmCIF.
/// Throws  Error{no_input} for a folder that cannot be read.
bool is_structure_folder(const std::string& path);

/// Warns of files that are no structures, in those inputs that are folders with structure files.
/// Throws  Error{no_input} for a folder that cannot be read.
void warn_of_other_files(const std::vector<std::string>& inputs);

}  // namespace accord
