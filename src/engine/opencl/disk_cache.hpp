// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace accord::ocl {

// A cache on disk of facts about devices that take long to find out: compiled programs, and whether
// a device has passed its self-test. Entries are files in $ACCORD_CACHE_DIR, else
// $XDG_CACHE_HOME/accord, else ~/.cache/accord; ACCORD_CACHE_DIR=off keeps nothing. The name of an
// entry is a hash of its key. The entry holds the whole key, so that two keys with equal hashes are
// not confused, and a checksum of all of it. Any number of processes may use the directory at the
// same time.

/// The value of a variable of the environment; empty if it is not set.
std::string environment(const char* name);

/// The directory of the entries, which is made for this user alone. Empty if the cache is off or no
/// directory is known. Also empty, with a warning, if the directory belongs to another user or
/// others may write to it: an entry may be a program, which a device runs.
std::string cache_directory();

/// The value that was stored under the key; no value if there is none, if the file is damaged or
/// cannot be read, or if the directory is not used.
/// Throws  nothing.
std::optional<std::string> read_cache(std::string_view key);

/// Stores a value under a key, for this process and others. Key and value may have any bytes. Other
/// processes see the old value or the new one. If this fails (a read-only home, a full disk), it is
/// logged once, at -v. Does nothing if the cache is off.
void write_cache(std::string_view key, std::string_view value);

}  // namespace accord::ocl
