// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accord {

/// Sets options of the C library and of OpenMP that apply to the whole process. main() must call it
/// first, with its argv, which ends with a null pointer. The function may restart the program with
/// the same arguments, once. On Windows, files and standard streams become those of bytes, without
/// other line ends.
///
/// On Linux, threads get memory from the system in large pieces: with 16 threads, a family of 1000
/// sequences takes 24 s of system time with small pieces, and 4 s with large ones. Threads of GNU's
/// OpenMP sleep while they wait; spinning takes two fifths of the processor time of a batch beside
/// a GPU. Memory comes in huge pages if the system gives them on request: 1000 sequences beside a
/// GPU then take 3.75 s instead of 4.05 s. The last two can only be set in the environment of a new
/// process. If GOMP_SPINCOUNT or OMP_WAIT_POLICY is set, it stays as it is, and the program does
/// not restart (valgrind does not follow a restart by itself).
void settle_runtime(char** argv);

}  // namespace accord
