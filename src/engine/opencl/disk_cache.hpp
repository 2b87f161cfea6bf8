// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace accord::ocl {

// What is expensive to find out about a device is kept on disk: compiled programs, and that it
// has passed its self-test. Entries are files in $ACCORD_CACHE_DIR, else $XDG_CACHE_HOME/accord,
// else ~/.cache/accord; ACCORD_CACHE_DIR=off keeps nothing. An entry is named by a hash of its key
// and holds the whole key, so that a collision of hashes is no hit; a checksum covers everything.
// Any number of processes may use the directory at the same time.

/// The directory of the entries; empty if nothing is to be kept, or no place is known.
std::string cache_directory();

/// The value that was stored under the key; nothing if there is none, or if the file is damaged.
/// Throws  none: what cannot be read is not there.
std::optional<std::string> read_cache(std::string_view key);

/// Stores a value, for this process and others, whole or not at all. That it cannot be written
/// (a read-only home, a full disk) is said once, at -v.
void write_cache(std::string_view key, std::string_view value);

}  // namespace accord::ocl
