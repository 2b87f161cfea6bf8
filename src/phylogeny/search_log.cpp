// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/search_log.hpp"

#include "base/log.hpp"
#include "base/text.hpp"

namespace accord {

void SearchLog::begin(const std::string& stage, const std::string& unit, std::uint64_t items) {
  stage_ = stage;
  steps_ = 0;
  timer_ = Timer();
  if (progress_ != nullptr) progress_->begin(stage, unit, items, items);
}

void SearchLog::step(const std::string& model, double total) {
  if (progress_ != nullptr) progress_->advance(1, 1);
  log_verbose(formatted("%-12s %9.3f s  step %llu, %s, log likelihood %.4f", stage_.c_str(),
                        timer_.seconds(), static_cast<unsigned long long>(++steps_), model.c_str(),
                        total));
  timer_ = Timer();
}

}  // namespace accord
