// SPDX-License-Identifier: Apache-2.0
#include "accord/base/error.hpp"

namespace accord {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::internal:
      return 1;
    case ErrorKind::usage:
      return 2;
    case ErrorKind::bad_input:
      return 65;
    case ErrorKind::no_input:
      return 66;
    case ErrorKind::device_unavailable:
      return 69;
    case ErrorKind::device_failed:
      return 70;
    case ErrorKind::cannot_create:
      return 73;
    case ErrorKind::write_failed:
    case ErrorKind::closed_pipe:
      return 74;
    case ErrorKind::out_of_memory:
      return 137;
    case ErrorKind::batch_incomplete:
      return 4;
  }
  return 1;
}

}  // namespace accord
