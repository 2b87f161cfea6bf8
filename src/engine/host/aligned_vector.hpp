// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace accord::host {

/// Allocates memory that begins with a cache line, so that no vector of lanes lies in two lines.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kLine));
  }
  void deallocate(T* values, std::size_t) { ::operator delete(values, kLine); }
  bool operator==(const LineAllocator&) const = default;
};

/// A vector whose first element begins a cache line.
template <class T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

/// Allocates memory as LineAllocator, for numbers, which resize() does not initialise.
template <class T>
struct RoomAllocator : LineAllocator<T> {
  template <class U>
  struct rebind {
    using other = RoomAllocator<U>;
  };
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
};

/// The same as AlignedVector, but resize() leaves new elements without a value.
template <class T>
using AlignedRoom = std::vector<T, RoomAllocator<T>>;

}  // namespace accord::host
