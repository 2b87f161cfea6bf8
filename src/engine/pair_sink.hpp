// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace accord {

/// Receives what a stage makes of the pair (x, y), x < y. Several threads call it at the same time,
/// one of them for each pair.
///
/// A backend calls it once for each pair. After an Error some pairs may have been handed over, and
/// all are computed again: a later call for a pair replaces the earlier one, never at the same
/// time. So a sink assigns; it must not add up or count.
template <class Result>
using PairSink = std::function<void(std::uint32_t x, std::uint32_t y, Result result)>;

}  // namespace accord
