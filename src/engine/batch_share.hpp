// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "engine/stage_request.hpp"

namespace accord {

/// The share of the `remaining` work that an idle backend takes as its next batch.
///
/// A backend that is alone takes everything. A backend without a known rate takes a first batch of
/// at most policy.most_first_batch_work. Later it takes half of its fair share of what remains, so
/// that batches become smaller towards the end and all backends end together, but at most
/// policy.longest_seconds of work, since a backend may become slower (as the host does when it
/// aligns families at the same time), and at least policy.shortest_seconds. It takes nothing (the
/// result is 0) if the others would finish everything that remains before it finished `next_item`,
/// which cannot be divided. So a slow backend lengthens a stage by at most one batch, and the
/// fastest one always takes work.
///
/// `rates` has one value for each backend that works, 0 if it is not known; `self` is the index of
/// this backend. Pure.
double batch_share(double remaining, double next_item, std::span<const double> rates,
                   std::size_t self, const SharePolicy& policy);

/// The rate of a backend after a batch: follows a faster batch at once and a slower one by half,
/// because the first batch also compiles kernels.
double updated_rate(double rate, double work, double seconds);

}  // namespace accord
