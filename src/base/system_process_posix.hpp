// SPDX-License-Identifier: Apache-2.0
// What system_process_posix.cpp asks of the file of each POSIX system.
#pragma once

namespace accord {

/// The program that shows a file on the desktop; null if there is no desktop.
const char* desktop_opener();

}  // namespace accord
