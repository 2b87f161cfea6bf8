// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// How the bytes of a file are packed.
enum class Packing { none, gzip, bzip2, xz, zstd };

/// What the first bytes say.
Packing packing_of(std::string_view bytes);

/// What the suffix of a path says (".gz", ".bz2", ".xz", ".zst", in any case).
Packing packing_of_suffix(std::string_view path);

/// The path without the suffix of its packing.
std::string_view without_packing_suffix(std::string_view path);

/// "gzip, bzip2, xz or zstd", for messages and the help.
std::string packings();

/// The content of packed bytes, of all members, streams or frames one after the other; `label`
/// names them in messages.
/// Throws  Error{bad_input} if they are truncated or corrupt.
std::string unpack(Packing packing, std::string_view packed, const std::string& label);

/// A text as packed bytes, without a name or a time, so that the same text gives the same bytes.
std::string pack(Packing packing, std::string text);

}  // namespace accord
