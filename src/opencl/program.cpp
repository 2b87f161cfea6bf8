// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl/program.hpp"

#include "accord/base/error.hpp"
#include "accord/opencl/kernel_source.hpp"

namespace accord::ocl {
namespace {

std::string build_messages(const cl::Program& program, const cl::Device& device) {
  cl_int ignored = CL_SUCCESS;  // without messages the status has to do
  std::string text = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device, &ignored);
  constexpr std::size_t kMost = 4000;
  if (text.size() > kMost) text.resize(kMost);
  return text;
}

}  // namespace

Session::Session(const DeviceInfo& chosen) : info(chosen) {
  checked(describe(info) + ": opening the device", [&] {
    device = cl::Device(info.id, true);
    context = cl::Context(device);
    queue = cl::CommandQueue(context, device);
  });
}

cl::Kernel build_kernel(const Session& session, const KernelChoice& choice) {
  const std::string attempt = describe(session.info) + ": compiling kernels/" + choice.file;
  return checked(attempt, [&] {
    const cl::Program program(session.context, expanded_source(choice.file));
    const std::string options = "-cl-std=CL1.2 " + choice.defines;
    // Not program.build(): it asks for messages even if all is well, and fails if there are none.
    const cl_device_id device = session.device();
    const cl_int status = clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS) {
      throw Error(ErrorKind::device_failed,
                  attempt + " failed (" + status_text(status) + ")\n" +
                      build_messages(program, session.device),
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
