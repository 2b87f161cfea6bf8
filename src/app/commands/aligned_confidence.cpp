// SPDX-License-Identifier: Apache-2.0
#include "app/commands/aligned_confidence.hpp"

#include "base/parallel.hpp"
#include "method/pipeline.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {

Confidence confidence_of(const AlignedFamily& aligned, const std::vector<bool>& kept,
                         const MethodOptions& method, std::optional<std::size_t> budget,
                         Computation& computation) {
  const SequenceSet& set = aligned.set;
  const AlignSettings settings = make_settings(method, set.type());
  check_memory(set, settings, thread_count(), budget, Purpose::confidence);
  return computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return compute_confidence(msa_of(aligned, kept), set, settings, scheduler, &progress);
  });
}

}  // namespace accord
