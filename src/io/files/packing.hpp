// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "io/files/text_sink.hpp"

namespace accord {

/// How the bytes of a file are packed.
enum class Packing { none, gzip, bzip2, xz, zstd };

/// The packing that the first bytes of a file show, at least six if the file has them;
/// Packing::none for all other bytes.
Packing packing_of(std::string_view bytes);

/// The packing that the suffix of a path names (".gz", ".bz2", ".xz", ".zst", in any case);
/// Packing::none for other paths.
Packing packing_of_suffix(std::string_view path);

/// The path without the suffix of a packing, as a part of `path`; the whole path if it has none.
std::string_view without_packing_suffix(std::string_view path);

/// "gzip, bzip2, xz or zstd", for messages and the help.
std::string packings();

/// Unpacks bytes, which may have several members, streams or frames, and passes the text to `taker`
/// in parts, or returns it. With Packing::none, the text is the bytes. `label` names the bytes in
/// messages.
/// Throws  Error{bad_input} if the bytes are truncated or corrupt (`taker` then has the text before
///         the fault); Error{out_of_memory}; what `taker` throws.
void unpack(Packing packing, std::string_view packed, const std::string& label,
            const ByteTaker& taker);
std::string unpack(Packing packing, std::string_view packed, const std::string& label);

/// Calls `write`, and passes the packed bytes to `taker` in parts; for Packing::none, these are the
/// text. Packed bytes contain no name and no time, so that equal texts give equal bytes. For zstd,
/// `write` is called twice, since frames begin with the size of the text.
/// Throws  Error{out_of_memory}; what `write` and `taker` throw.
void pack(Packing packing, const TextWriter& write, const ByteTaker& taker);

/// The packed bytes of a text.
std::string pack(Packing packing, std::string_view text);

}  // namespace accord
