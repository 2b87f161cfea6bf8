// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace accord {

/// Receives the result of a stage for the pair (x, y), x < y. Several threads call the sink at the
/// same time, each for another pair.
///
/// A backend calls the sink once for each pair. After an Error all pairs are computed again,
/// although the sink may have got some of them. The later result of a pair then replaces the
/// earlier one, never at the same time. So a sink assigns; it must not add up or count.
template <class Result>
using PairSink = std::function<void(std::uint32_t x, std::uint32_t y, Result result)>;

}  // namespace accord
