// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "io/files/text_sink.hpp"

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

/// The content of packed bytes, of all members, streams or frames one after the other, in parts or
/// as a whole; `label` names them in messages.
/// Throws  Error{bad_input} if they are truncated or corrupt.
void unpack(Packing packing, std::string_view packed, const std::string& label,
            const ByteTaker& taker);
std::string unpack(Packing packing, std::string_view packed, const std::string& label);

/// Has a text written, and hands its packed bytes on as they come: without a name or a time, so
/// that the same text gives the same bytes. For zstd, whose frames begin with the size of the text,
/// it is written twice.
void pack(Packing packing, const TextWriter& write, const ByteTaker& taker);

/// The packed bytes of a text.
std::string pack(Packing packing, std::string_view text);

}  // namespace accord
