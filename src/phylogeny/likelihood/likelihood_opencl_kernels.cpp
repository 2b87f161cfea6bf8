// SPDX-License-Identifier: Apache-2.0
// The choice of the kernels for a device, and the cut of their work-groups.
#include <array>
#include <string>

#include "phylogeny/likelihood/likelihood_opencl.hpp"

namespace accord::ocl {
namespace {

/// Numbers of states for which kernels are compiled beforehand.
constexpr std::uint32_t kUsualStates[] = {4, 20, 61};

bool is_made_by(const DeviceInfo& device, const char* maker) {
  return device.vendor.find(maker) != std::string::npos;
}

}  // namespace

/// A multiprocessor of NVIDIA's reads 16 doubles while it computes 64 multiply-adds, so that 8
/// patterns and 8 states keep it busy; in AMD's 256 registers clang 15 has no room for that.
/// NVIDIA's matrix units read a quarter of that (see likelihood/peel_multiply.h): for 100,000
/// patterns of 60 codons, climb takes 1.8 ms on an H200 in place of 3.3 ms.
ClimbLayout layout_of(const DeviceInfo& device, std::uint32_t states, Precision precision) {
  constexpr std::uint32_t kWithMatrixUnits = 90;
  if (device.kind == DeviceKind::cpu) return {ACCORD_PATTERN_BLOCK, 2};
  const bool is_nvidia = is_made_by(device, "NVIDIA");
  if (states > 56 && precision == Precision::float64 && is_nvidia &&
      device.compute_capability >= kWithMatrixUnits) {
    return {64, 4, true};
  }
  if (states <= 4) return {64, 2};
  if (is_made_by(device, "Intel")) return {states > 20 ? 32u : 64u, 2};
  if (states <= 20) return {64, 4};
  return is_nvidia ? ClimbLayout{64, 8} : ClimbLayout{32, 4};
}

std::vector<KernelChoice> likelihood_kernels(const DeviceInfo& device, std::uint32_t states,
                                             Precision precision) {
  const ClimbLayout layout = layout_of(device, states, precision);
  const std::uint32_t group = layout.patterns_of_group, of_item = layout.patterns_of_item;
  const std::string defines = (precision == Precision::float32 ? "-D ACCORD_SINGLE=1 " : "") +
                              ("-D ACCORD_STATES=" + std::to_string(states)) +
                              " -D ACCORD_PATTERN_GROUP=" + std::to_string(group) +
                              " -D ACCORD_PEEL_PATTERNS=" + std::to_string(of_item) +
                              (layout.uses_matrix_units ? " -D ACCORD_MATRIX_UNITS=1" : "");
  std::vector<KernelChoice> kernels = {
      {"likelihood/peel.cl", "fill_tables", defines, kFillGroup},
      {"likelihood/peel.cl", "climb", defines, group / of_item * ACCORD_PEEL_PARTS_OF(states)}};
  for (const char* entry : {"multiply_level", "other_level", "slope_level"}) {
    kernels.push_back({"likelihood/peel.cl", entry, defines, group});
  }
  if (device.has_double)
    kernels.push_back({"likelihood/peel.cl", "fill_matrices", defines, kFillGroup});
  return kernels;
}

StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<LikelihoodCall>) {
  std::vector<KernelChoice> kernels;
  const Precision usual = device.has_double ? Precision::float64 : Precision::float32;
  for (const std::uint32_t states : kUsualStates) {
    for (KernelChoice& kernel : likelihood_kernels(device, states, usual)) {
      kernels.push_back(std::move(kernel));
    }
  }
  return {.kernels = kernels, .open = [](const Session& session) {
            return std::make_unique<LikelihoodStage>(session);
          }};
}

LikelihoodStage::Kernels& LikelihoodStage::kernels_for(std::uint32_t states, Precision precision) {
  const auto found = kernels_.find({states, precision});
  if (found != kernels_.end()) return found->second;
  std::array<cl::Kernel, 6> built;
  std::size_t count = 0;
  for (const KernelChoice& choice : likelihood_kernels(session_.info, states, precision)) {
    built[count++] = build_kernel(session_, choice);
  }
  return kernels_
      .emplace(std::pair(states, precision),
               Kernels{built[0], built[1], built[2], built[3], built[4], built[5]})
      .first->second;
}

std::uint32_t LikelihoodStage::group_of(const LikelihoodTask& task) const {
  return layout_of(session_.info, task.process.states, task.precision).patterns_of_group;
}

}  // namespace accord::ocl
