// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "engine/work_queue_parts.hpp"

using namespace accord;

TEST_CASE("device health: three faults in a row are too many, a success in between starts anew") {
  DeviceHealth health;
  for (int k = 1; k < DeviceHealth::kMostFaultsInRow; ++k) health.note_fault(false, true);
  CHECK(!health.is_hopeless());
  health.note_success();
  for (int k = 1; k < DeviceHealth::kMostFaultsInRow; ++k) health.note_fault(false, false);
  CHECK(!health.is_hopeless());
  health.note_fault(true, false);
  CHECK(health.is_hopeless());
}

TEST_CASE("device health: rare faults are forgiven in a batch of any length, frequent ones not") {
  const auto faults_until_hopeless = [](int successes_between) {
    DeviceHealth health;
    int faults = 0;
    while (!health.is_hopeless() && faults < 10000) {
      health.note_fault(false, true);
      ++faults;
      for (int k = 0; k < successes_between && !health.is_hopeless(); ++k) health.note_success();
    }
    return faults;
  };
  CHECK(faults_until_hopeless(1) < 2 * DeviceHealth::kMostFaults);
  CHECK(faults_until_hopeless(5) < 3 * DeviceHealth::kMostFaults);
  CHECK(faults_until_hopeless(DeviceHealth::kForgiving) == 10000);
  CHECK(faults_until_hopeless(100) == 10000);
}

TEST_CASE("device health: the memory is halved at once, and doubled after ever longer trials") {
  DeviceHealth health;
  // A device with a quarter of what it claims.
  const auto batch = [&] {
    if (health.memory_parts() < 4) {
      health.note_fault(true, true);
      return false;
    }
    health.note_success();
    return true;
  };
  CHECK(!batch());
  CHECK(!batch());
  CHECK(health.memory_parts() == 4);
  int faults = 0;
  for (int k = 0; k < 100'000; ++k) faults += !batch();
  CHECK(faults > 2);
  CHECK(faults < 20);
  CHECK(!health.is_hopeless());
  // From now on it has all of it.
  for (int k = 0; k < 1'000'000; ++k) health.note_success();
  CHECK(health.memory_parts() == 1);
}
