// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// The text of cmake/packages.tsv: what accord needs, and the packages of each distribution for it.
std::string_view packages_table();

/// The column of the table for a system: "debian", "fedora", "arch" or "conda", and "words" for all
/// others. `os_release` is the text of /etc/os-release; its ID and ID_LIKE decide. A program in a
/// conda environment is of "conda" on every system.
std::string packages_column(std::string_view os_release, bool is_in_conda);

/// The command that installs the thing with this key in the table, such as "apt-get install NAME";
/// for the column "words", the words of the table.
std::string install_command(std::string_view key, std::string_view column);

/// The same for this machine, from /etc/os-release and $CONDA_PREFIX.
std::string install_command(std::string_view key);

}  // namespace accord
