// SPDX-License-Identifier: Apache-2.0
// An OpenCL driver that never gets ready: loading it does not return.
#include <unistd.h>

namespace {

__attribute__((constructor)) void wait_for_ever() {
  for (;;) pause();
}

}  // namespace
