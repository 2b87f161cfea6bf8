// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// Returns a page with its Content-Security-Policy in place of "@POLICY@": no address is loaded or
/// sent to, and only the scripts and styles that the page has now run, by their checksums. Names
/// and texts of the input come into the page afterwards. They are escaped; if an escape ever
/// failed, the browser would still run nothing of theirs. Throws  Error{internal} if the page has
/// no such place.
std::string with_content_policy(std::string page);

}  // namespace accord
