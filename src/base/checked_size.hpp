// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

namespace accord {

/// Returns a number of bytes or elements as std::size_t. Products of lengths are computed in 64
/// bits, since std::size_t of WebAssembly has 32, and go through this function before memory is
/// allocated.
/// Throws  std::bad_alloc if no array can be as large: on 32-bit systems, from 2^31 on.
inline std::size_t checked_size(std::uint64_t size) {
  if (size > std::uint64_t{PTRDIFF_MAX}) throw std::bad_alloc();
  return static_cast<std::size_t>(size);
}

}  // namespace accord
