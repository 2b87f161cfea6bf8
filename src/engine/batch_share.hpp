// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "engine/stage_request.hpp"

namespace accord {

/// How much of `remaining` work a backend that has become free takes as its next batch.
///
/// A backend alone takes everything. One that has not shown yet what it can do takes a first batch
/// of at most policy.first_work. Later it takes half of its fair share of what remains, so that
/// batches become smaller towards the end and all backends end together, and no more than
/// policy.longest_seconds of work, since a backend may become slower than it was (the host does
/// when it aligns families at the same time); but it takes none (the result is 0) if the others
/// would be done with everything that remains before it is done with `next_item`, the work that
/// cannot be divided. So a slow backend lengthens a stage by at most one batch, and the fastest one
/// never refuses.
///
/// `rates` has one value for each backend that is at work, 0 if it is not known; `self` is the
/// place of the backend in it. Pure.
double batch_share(double remaining, double next_item, std::span<const double> rates,
                   std::size_t self, const SharePolicy& policy);

/// The rate of a backend after a batch: follows a faster batch at once and a slower one by half,
/// because the first batch also compiles kernels.
double updated_rate(double rate, double work, double seconds);

}  // namespace accord
