// SPDX-License-Identifier: Apache-2.0
// The chains that measure arithmetic do the arithmetic that is counted, on every device.
#include "bench/peak_rates.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "bench/bench.hpp"
#include "engine/host/host_backend.hpp"

namespace accord::testing {
namespace {

/// The sum of the chains, from its definition.
float expected_sum(float start, std::uint32_t rounds) {
  float chain[12];
  for (int c = 0; c < 12; ++c, start += 1.0f) {
    chain[c] = start;
    for (std::uint32_t k = 0; k < 8 * rounds; ++k) {
      chain[c] = std::fma(chain[c], ACCORD_CHAIN_FACTOR, ACCORD_CHAIN_ADDEND);
    }
  }
  const auto four = [&](int c) {
    return (chain[c] + chain[c + 1]) + (chain[c + 2] + chain[c + 3]);
  };
  return four(0) + four(4) + four(8);
}

/// Powers of two so far apart that the sums depend on the number of steps.
std::vector<float> starts(std::size_t lanes) {
  std::vector<float> values;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    values.push_back(std::ldexp(1.0f, static_cast<int>(lane) * 4));
  }
  return values;
}

TEST_CASE("host: the chains of each instruction set") {
  for (const host::Kernels* kernels : host::available_kernels()) {
    for (const std::uint32_t rounds : {0u, 1u, 3u}) {
      CAPTURE(kernels->name);
      CAPTURE(rounds);
      host::FmaChains chains;
      chains.rounds = rounds;
      const std::vector<float> start = starts(kernels->lanes);
      std::copy(start.begin(), start.end(), chains.start);
      kernels->run_fma_chains(chains);
      for (std::uint32_t lane = 0; lane < kernels->lanes; ++lane) {
        CHECK(chains.sum[lane] == expected_sum(start[lane], rounds));
      }
    }
  }
}

TEST_CASE("small tasks: the peak's copy, also of a part of a work-group") {
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    CAPTURE(ocl::format_device(device));
    const ocl::Session session(device);
    for (const std::size_t size : {4u, 1024u, 5004u}) {
      std::vector<std::uint32_t> values(size);
      for (std::size_t k = 0; k < size; ++k)
        values[k] = static_cast<std::uint32_t>(k * 2654435761u);
      CHECK(ocl::run_copy(session, values) == values);
    }
    wait_for_use(session, 0);
  }
}

TEST_CASE("small tasks: the peak's chains in every work-item") {
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    CAPTURE(ocl::format_device(device));
    const ocl::Session session(device);
    const std::string defines = ocl::peak_kernels(device)[1].defines;
    const std::vector<float> start = starts(std::stoul(defines.substr(defines.find('=') + 1)));
    const std::size_t items = 512;
    const std::vector<float> sums =
        ocl::run_fma_chains(session, std::span<const float>(start), 3, items);
    REQUIRE(sums.size() == items * start.size());
    for (std::size_t k = 0; k < sums.size(); ++k) {
      REQUIRE(sums[k] == expected_sum(start[k % start.size()], 3));
    }
    wait_for_use(session, 0);
  }
}

TEST_CASE("small tasks: the peak's chains of doubles in every work-item") {
  const double start = 0x1p20;
  double expected = 0;
  for (int c = 0; c < 12; ++c) {
    double chain = start + c;
    for (int k = 0; k < 8 * 3; ++k) {
      chain = std::fma(chain, double{ACCORD_CHAIN_FACTOR}, double{ACCORD_CHAIN_ADDEND});
    }
    expected += chain;
  }
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    if (!device.has_double) continue;
    CAPTURE(ocl::format_device(device));
    const ocl::Session session(device);
    const std::vector<double> sums =
        ocl::run_fma_chains(session, std::span<const double>(&start, 1), 3, 512);
    CHECK(sums == std::vector<double>(512, expected));
    wait_for_use(session, 0);
  }
}

TEST_CASE("peak rates are measured and leave no memory behind") {
  const PeakRates host = host::measure_peak_rates(*host::available_kernels().front());
  CHECK(host.copy_bytes > 0);
  CHECK(host.arithmetic > 0);
  CHECK(host.upload_bytes == 0);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    CAPTURE(ocl::format_device(device));
    const PeakRates peaks = ocl::measure_peak_rates(device, {});
    CHECK(peaks.copy_bytes > 0);
    CHECK(peaks.arithmetic > 0);
    CHECK((peaks.of_doubles > 0) == device.has_double);
    CHECK(peaks.upload_bytes > 0);
    CHECK(peaks.download_bytes > 0);
  }
}

TEST_CASE("bench: multiply-adds of the consistency, sampled and counted") {
  const BenchFamily family({.sequences = 8, .length = 60, .taxa = 2, .seed = 3, .repeats = 1});
  const double all = family.consistency_terms(1000), some = family.consistency_terms(10);
  // At least the terms of a cell with itself: 28 pairs, 6 others each, most residues kept once.
  CHECK(all > 28 * 6 * 30);
  CHECK(all == family.consistency_terms(28));
  CHECK(some == doctest::Approx(all).epsilon(0.3));
}

TEST_CASE("peak rates: the start of the work is not the work") {
  // 30 ms to begin, a microsecond a round.
  const double rate = rounds_per_second([](std::uint32_t rounds) { return 0.03 + 1e-6 * rounds; });
  CHECK(rate > 2.5e5);
  CHECK(rate <= 1e6);
}

TEST_CASE("bench: the limit, shares of it and transfers from their definitions") {
  const PeakRates peaks{.copy_bytes = 100,
                        .arithmetic = 1000,
                        .of_doubles = 50,
                        .upload_bytes = 10,
                        .download_bytes = 5};
  Measurement measured{.stage = "s",
                       .seconds = 2,
                       .work = 30,
                       .unit = "u",
                       .multiply_adds = 500,
                       .uploaded = 20,
                       .downloaded = 20};
  CHECK(measured.rate() == 15);
  CHECK(measured.limit(peaks) == PeakLimit::arithmetic);
  CHECK(measured.share(peaks) == doctest::Approx(0.25));
  measured.bytes = 500;
  CHECK(measured.limit(peaks) == PeakLimit::copy);
  CHECK(measured.share(peaks) == doctest::Approx(2.5));
  measured.is_double = true;
  CHECK(measured.limit(peaks) == PeakLimit::doubles);
  CHECK(measured.share(peaks) == doctest::Approx(5));
  CHECK(measured.transfer_seconds(peaks) == doctest::Approx(6));
  CHECK(measured.transfer_seconds({.copy_bytes = 1}) == 0);
  CHECK(measured.share({}) == 0);
}

}  // namespace
}  // namespace accord::testing
