// SPDX-License-Identifier: Apache-2.0
// For the files *_isa.cpp. CMake compiles them once for each instruction set, with the flags of the
// set, and with its name as ACCORD_ISA. These files must not use the C++ library: the linker might
// share its inline functions with other files.
#pragma once

/// Helpers of ACCORD_OF_ISA(), which replaces ACCORD_ISA by its value before it joins the names.
#define ACCORD_NAMED(name, isa) name##isa
#define ACCORD_NAME_OF(name, isa) ACCORD_NAMED(name, isa)
/// The name with the name of the instruction set behind it: ACCORD_OF_ISA(kKernels) is
/// kKernelsAvx2 in a file that is compiled for Avx2.
#define ACCORD_OF_ISA(name) ACCORD_NAME_OF(name, ACCORD_ISA)
