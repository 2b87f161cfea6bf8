// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accord {

/// Chooses what the C library and that of OpenMP let a program choose only as a whole. To be called
/// first in main(); may begin the program anew, once, with the same arguments.
///
/// Threads get their memory from the system in large pieces: with 16 of them, a family of 1000
/// sequences took 24 s of the system's time, now 4 s. GNU's OpenMP threads sleep while they wait
/// instead of spinning, which took two fifths of the processor time of a batch beside a GPU. And
/// memory comes in huge pages where the system gives them to who asks: 1000 sequences beside a GPU
/// take 3.75 s for 4.05. The last two can only be said in the environment of a new process.
/// GOMP_SPINCOUNT or OMP_WAIT_POLICY, if one is set, stays as it is, and nothing begins anew
/// (valgrind does not follow that by itself).
void settle_runtime(char** argv);

}  // namespace accord
