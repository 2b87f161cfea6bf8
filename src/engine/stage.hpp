// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <string>

namespace accord {

class Backend;
class StageCall;
namespace host {
struct Processor;
}
namespace ocl {
struct DeviceInfo;
struct StageOnDevice;
}  // namespace ocl

/// A stage as the engine knows it: its name, and the functions that compute it. Each type of call
/// has the stage as its static member `stage`, so that the engine has no list of the stages. There
/// is one object for each stage, and its address identifies the stage.
struct Stage {
  const char* name;  ///< in messages: "consistency"
  /// The position of the stage on the way of a family. Backends take work of later stages first, so
  /// that families end and give their memory back.
  int position;
  /// Computes a call of the stage on the host, with thread_count() threads.
  void (*compute_on_host)(const host::Processor& processor, const StageCall& call);
  /// The kernels and limits of the stage on a device.
  ocl::StageOnDevice (*on_device)(const ocl::DeviceInfo& device);
  /// Computes made-up calls on both backends.
  /// Returns  an empty text if the results agree, else the place of the first difference.
  std::string (*self_test)(Backend& tested, Backend& reference);
};

/// Orders stages by position, the last one first.
struct LaterStageFirst {
  bool operator()(const Stage* a, const Stage* b) const {
    return a->position != b->position ? a->position > b->position : a < b;
  }
};

/// A call of a stage.
template <class Call>
concept CallOfStage = requires {
  { Call::stage } -> std::same_as<const Stage&>;
};

/// A reference to a call of any stage.
class StageCall {
 public:
  /// Refers to `call`, which must outlive this object.
  template <CallOfStage Call>
  StageCall(const Call& call) : stage_(&Call::stage), call_(&call) {}

  const Stage& stage() const { return *stage_; }

  /// The call if it has the type Call, else null.
  template <CallOfStage Call>
  const Call* get_if() const {
    return stage_ == &Call::stage ? static_cast<const Call*>(call_) : nullptr;
  }
  /// The call, which must have the type Call.
  template <CallOfStage Call>
  const Call& get() const {
    return *static_cast<const Call*>(call_);
  }

 private:
  const Stage* stage_;
  const void* call_;
};

}  // namespace accord
