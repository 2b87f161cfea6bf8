// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl/program.hpp"

#include "accord/base/error.hpp"
#include "accord/opencl/kernel_source.hpp"

namespace accord::ocl {
namespace {

std::string messages_of(const cl::BuildError& error) {
  std::string text;
  for (const auto& [device, log] : error.getBuildLog()) text += log;
  constexpr std::size_t kMost = 4000;
  if (text.size() > kMost) text.resize(kMost);
  return text;
}

}  // namespace

Session::Session(const DeviceInfo& device) : info(device), device(device.id, true) {
  checked(describe(info) + ": opening the device", [&] {
    context = cl::Context(this->device);
    queue = cl::CommandQueue(context, this->device);
  });
}

cl::Kernel build_kernel(const Session& session, const KernelChoice& choice) {
  const std::string attempt = describe(session.info) + ": compiling kernels/" + choice.file;
  return checked(attempt, [&] {
    const cl::Program program(session.context, expanded_source(choice.file));
    try {
      program.build(session.device, ("-cl-std=CL1.2 " + choice.defines).c_str());
    } catch (const cl::BuildError& error) {
      throw Error(ErrorKind::device_failed,
                  attempt + " failed (" + status_text(error.err()) + ")\n" + messages_of(error),
                  "this is a bug in accord or in the driver; '--device none' needs no device");
    }
    return cl::Kernel(program, choice.entry.c_str());
  });
}

const cl::Buffer& GrowingBuffer::reserve(const Session& session, std::size_t bytes) {
  if (bytes > bytes_ || bytes_ == 0) {
    buffer_ = cl::Buffer();
    bytes_ = 0;
    buffer_ = cl::Buffer(session.context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 64));
    bytes_ = bytes;
  }
  return buffer_;
}

void LaunchPace::note(double work, double seconds) {
  constexpr double kSeconds = 0.05, kFastestGrowth = 8.0;
  const double wanted = work * kSeconds / std::max(seconds, 1e-6);
  work_ = std::min(wanted, kFastestGrowth * work_);
}

}  // namespace accord::ocl
