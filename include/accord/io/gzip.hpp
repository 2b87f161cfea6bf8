// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// True if the bytes begin as gzip data do.
bool is_gzip(std::string_view bytes);

/// The content of gzip data, of all members one after the other; `label` names them in messages.
/// Errors  Error{bad_input} if they are truncated or corrupt.
std::string gunzip(std::string_view packed, const std::string& label);

/// A text as gzip data, without a name or a time, so that the same text gives the same bytes.
std::string gzip(std::string_view text);

}  // namespace accord
