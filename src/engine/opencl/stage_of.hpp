// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

#include "engine/opencl/device_stage.hpp"
#include "engine/stage.hpp"

namespace accord {

/// Makes the stage of a type of call, as the value of Call::stage. `name` and `position` are those
/// of Stage. The caller must have declared host::compute(processor, call),
/// ocl::stage_on(device, std::type_identity<Call>()) and Call::self_test before.
template <class Call>
constexpr Stage stage_of(const char* name, int position) {
  return {.name = name,
          .position = position,
          .compute_on_host = [](const host::Processor& processor,
                                const StageCall& call) { compute(processor, call.get<Call>()); },
          .on_device =
              [](const ocl::DeviceInfo& device) {
                return stage_on(device, std::type_identity<Call>());
              },
          .self_test = Call::self_test};
}

}  // namespace accord
