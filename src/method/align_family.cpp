// SPDX-License-Identifier: Apache-2.0
#include "method/align_family.hpp"

#include <utility>

#include "method/align_along_trees.hpp"
#include "method/local_method.hpp"

namespace accord {

AlignResult align_family(const SequenceSet& set, const AlignSettings& settings,
                         Scheduler& scheduler, const RunListener& listener) {
  if (settings.is_local()) return align_local_family(set, settings, scheduler, listener);
  return std::move(align_along_trees(set, settings, {}, scheduler, listener).front());
}

}  // namespace accord
