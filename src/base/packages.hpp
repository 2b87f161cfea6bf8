// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// cmake/packages.tsv: what accord is used with, and the packages of distributions that have it.
std::string_view packages_table();

/// The column of the table that a system's packages stand in: "debian", "fedora", "arch" or
/// "conda"; "words" for others. `os_release` is the text of /etc/os-release, of which ID and
/// ID_LIKE count; a program that lies in a conda environment is conda's, whatever the system.
std::string packages_column(std::string_view os_release, bool is_in_conda);

/// How the thing that a line of the table has as its key is installed: "apt-get install NAME", or
/// its words where the system is none that the table knows.
std::string install_command(std::string_view key, std::string_view column);

/// The same for this machine: /etc/os-release is read, and $CONDA_PREFIX.
std::string install_command(std::string_view key);

}  // namespace accord
