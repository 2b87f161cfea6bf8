// SPDX-License-Identifier: Apache-2.0
// ACCORD_CLONES before a function compiles it for several instruction sets; the loader selects the
// best one for the processor (not with sanitizers, which are not ready that early). The function is
// static: of one with external linkage, clang 14 gives the name to the first clone, AVX-512, which
// callers in other files then reach without a selection.
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
