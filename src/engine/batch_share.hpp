// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "engine/stage_request.hpp"

namespace accord {

/// The share of the `remaining` work that an idle backend takes as its next batch, in work. The
/// result may be larger than `remaining`; the backend then takes everything.
///
/// - A backend that is alone takes everything (the result is infinity).
/// - A backend without a known rate takes at most policy.most_first_batch_work, and at most half of
///   an equal share of the remaining work.
/// - A backend with a known rate takes half of its fair share of the remaining work. So batches
///   become smaller towards the end, and all backends end together. The batch takes at most
///   policy.longest_seconds, since a backend may become slower (as the host does when it aligns
///   families at the same time), and at least policy.shortest_seconds.
/// - A batch has at least `next_item`, the work of the next item, which cannot be divided.
/// - A backend takes nothing (the result is 0) if the other backends would finish all remaining
///   work before this backend finished the next item. So a slow backend lengthens a stage by at
///   most one batch, and the fastest backend always takes work.
///
/// `rates`: the rate of each backend that shares the work, in work a second, 0 if it is not known.
/// A backend that computes several batches at a time has a value for each of them. `self` is the
/// index of a value of this backend. Pure.
double batch_share(double remaining, double next_item, std::span<const double> rates,
                   std::size_t self, const SharePolicy& policy);

/// The rate of a backend, in work a second, after a batch of `work` that took `seconds`. `rate` is
/// the rate before, 0 if it is not known. The result follows a faster batch at once and a slower
/// one by half, because the first batch also compiles kernels.
double updated_rate(double rate, double work, double seconds);

}  // namespace accord
