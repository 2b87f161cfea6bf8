// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/driver_cache.hpp"

#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "engine/opencl/disk_cache.hpp"

namespace accord::ocl {
namespace {

/// Why PoCL could not keep its compiled kernels in a directory and load them from there; empty if
/// it could. The directory need not exist yet.
std::string problem_with(const std::string& path) {
  const std::string part = existing_part(path);
  if (!is_directory(part) || !may_write(part)) return "cannot be written";
  // PoCL ends the process if it cannot load a kernel.
  return may_run_from(part) ? "" : "is on a file system from which no program runs (noexec)";
}

/// problem_with() a directory that PoCL would use by itself, or the risk of its entries.
std::string problem_or_risk(const std::string& path) {
  std::string problem = problem_with(path);
  if (!problem.empty() || !others_may_write(existing_part(path))) return problem;
  return "can be written by other users, whose kernels would run";
}

/// The directory that PoCL would use.
std::string usual_directory() {
  std::string chosen = environment("POCL_CACHE_DIR");
  if (!chosen.empty()) return chosen;
  const std::string all = environment("XDG_CACHE_HOME"), home = environment("HOME");
  if (!all.empty()) return joined_path(all, "pocl");
  return home.empty() ? "/tmp/pocl" : joined_path(home, ".cache/pocl");
}

/// A directory for temporary files that only this user can write to; empty if there is none.
std::string temporary_directory() {
  const std::string path = private_temporary_directory();
  return path.empty() ? path : joined_path(path, "pocl");
}

}  // namespace

void settle_driver_cache() {
  const std::string usual = usual_directory(), problem = problem_or_risk(usual);
  if (!environment("POCL_CACHE_DIR").empty() || problem.empty()) return;
  const std::string cache = cache_directory();
  std::string other = cache.empty() ? cache : joined_path(cache, "pocl");
  if (other.empty() || !problem_or_risk(other).empty()) other = temporary_directory();
  if (other.empty() || !problem_or_risk(other).empty()) return;
  make_private_directory(other);
  set_environment("POCL_CACHE_DIR", other);
  log_verbose("cache        " + usual + " " + problem + "; PoCL's kernels are in " + other);
}

std::string driver_cache_problem() {
  const std::string usual = usual_directory(), problem = problem_with(usual);
  if (problem.empty()) return {};
  return "PoCL has no place for its compiled kernels, since " + usual + " " + problem +
         ": set POCL_CACHE_DIR to a directory that can be written and run from";
}

}  // namespace accord::ocl
