// SPDX-License-Identifier: Apache-2.0
// Prints every program that a GPU of the given maker, and of the given compute capability if it is
// one of NVIDIA's, gets, one a line: kernel file, compiler options. What is compiled without a
// device (scripts/checks/offline_resources.py) is thereby what accord compiles with one.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "bench/peak_rates.hpp"
#include "stages/consistency/consistency_opencl.hpp"
#include "stages/local_pairs/local_pairs_opencl.hpp"
#include "stages/neighbor_joining/neighbor_joining_opencl.hpp"
#include "stages/posteriors/posterior_opencl.hpp"
#ifdef ACCORD_PHYLOGENY
#include "phylogeny/likelihood/likelihood_opencl.hpp"
#endif

int main(int count, char** arguments) {
  using namespace accord::ocl;
  DeviceInfo gpu;
  gpu.kind = DeviceKind::gpu;
  gpu.has_double = true;
  if (count > 1) gpu.vendor = arguments[1];
  if (count > 2) gpu.compute_capability = static_cast<std::uint32_t>(std::stoul(arguments[2]));
  std::vector<KernelChoice> kernels = posterior_kernels(gpu, KernelLayout::group);
  for (const KernelChoice& kernel : consistency_kernels()) kernels.push_back(kernel);
  for (const KernelChoice& kernel : neighbor_joining_kernels(gpu)) kernels.push_back(kernel);
  for (const KernelChoice& kernel : local_kernels(gpu, KernelLayout::group))
    kernels.push_back(kernel);
  for (const KernelChoice& kernel : peak_kernels(gpu)) kernels.push_back(kernel);
#ifdef ACCORD_PHYLOGENY
  for (const std::uint32_t states : {4u, 20u, 61u}) {
    for (const auto precision : {accord::Precision::float32, accord::Precision::float64}) {
      for (const KernelChoice& kernel : likelihood_kernels(gpu, states, precision)) {
        kernels.push_back(kernel);
      }
    }
  }
#endif
  std::set<std::string> lines;
  for (const KernelChoice& kernel : kernels) lines.insert(kernel.file + "\t" + kernel.defines);
  for (const std::string& line : lines) std::puts(line.c_str());
}
