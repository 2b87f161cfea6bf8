// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace accord::ocl {

// Facts about a device that take long to find out are kept on disk: compiled programs, and that it
// has passed its self-test. Entries are files in $ACCORD_CACHE_DIR, else $XDG_CACHE_HOME/accord,
// else ~/.cache/accord; ACCORD_CACHE_DIR=off keeps nothing. An entry is named by a hash of its key
// and holds the whole key, so that a collision of hashes is no hit; a checksum covers everything.
// Any number of processes may use the directory at the same time.

/// The directory of the entries; empty if the cache is off or has no place.
std::string cache_directory();

/// The value that was stored under the key; no value if there is none or the file is damaged.
/// Throws  nothing: an entry that cannot be read does not exist.
std::optional<std::string> read_cache(std::string_view key);

/// Stores a value atomically, for this process and others. A failure (a read-only home, a full
/// disk) is logged once, at -v.
void write_cache(std::string_view key, std::string_view value);

}  // namespace accord::ocl
