// SPDX-License-Identifier: Apache-2.0
#include "method/stage_log.hpp"

#include "base/cpu_budget.hpp"

namespace accord {

void StageLog::begin(const std::string& name, const std::string& unit, std::uint64_t items) {
  span_->rename(name);
  if (listener_.progress != nullptr) listener_.progress->begin(name, unit, items, items);
}

void StageLog::advance() {
  if (listener_.progress != nullptr) listener_.progress->advance(1, 1);
}

void StageLog::finish(const std::string& name, const std::string& detail) {
  records_.push_back({name, timer_.seconds(), detail});
  span_->rename(name);
  span_->add("detail", detail);
  span_.reset();
  if (listener_.on_stage) listener_.on_stage(records_.back());
  rebalance_cpus();
  span_.emplace(SpanKind::stage);
  timer_ = Timer();
}

}  // namespace accord
