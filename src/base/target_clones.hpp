// SPDX-License-Identifier: Apache-2.0
// ACCORD_CLONES before a function compiles it for several instruction sets. The loader selects the
// best version for the processor. With sanitizers there is one version, since they are not ready
// when the loader selects. The function is static: for a function with external linkage, clang 14
// gives the plain name to the first version, AVX-512, and callers in other files reach it on every
// processor.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && \
    !__has_feature(memory_sanitizer)
#define ACCORD_CLONES static __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define ACCORD_CLONES static __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef ACCORD_CLONES
#define ACCORD_CLONES static
#endif
