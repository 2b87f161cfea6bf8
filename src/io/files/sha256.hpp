// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// The SHA-256 checksum of bytes (FIPS 180-4) as 64 hexadecimal digits, as sha256sum prints it.
/// Throws  Error{internal} if the library refuses to compute one.
std::string sha256(std::string_view bytes);

}  // namespace accord
