// SPDX-License-Identifier: Apache-2.0
// The file of --trace: the timeline of the process, written when it ends, also if the run fails.
#pragma once
#include <string>

namespace accord {

/// Has the timeline written to a path when the process ends; an empty path: there is no file. Call
/// it once it is certain that the path is no input.
void set_timeline_file(const std::string& path);

/// Writes the file, if there is to be one. Warns if spans are left out.
/// Throws  as write_outputs.
void write_timeline_file();

/// The same for a run that fails; does nothing if that is not possible. `ends_at_once`: other
/// threads still run, so that no driver is asked, and nothing waits for the reader of a pipe.
void write_timeline_of_failure(bool ends_at_once) noexcept;

}  // namespace accord
