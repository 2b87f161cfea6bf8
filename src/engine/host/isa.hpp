// SPDX-License-Identifier: Apache-2.0
// For the files *_isa.cpp. CMake compiles them once for each instruction set, with the flags of the
// set, and with its name as ACCORD_ISA. These files must not use the C++ library: the linker might
// share its inline functions with other files. The kernels of likelihoods are compiled for fewer
// instruction sets; ACCORD_LIKELIHOOD_ISA is the one to use with ACCORD_ISA.
#pragma once

#define ACCORD_NAMED(name, isa) name##isa
#define ACCORD_NAME_OF(name, isa) ACCORD_NAMED(name, isa)
/// A name such as kSomething with the name of the instruction set behind it.
#define ACCORD_OF_ISA(name) ACCORD_NAME_OF(name, ACCORD_ISA)
#define ACCORD_OF_LIKELIHOOD_ISA(name) ACCORD_NAME_OF(name, ACCORD_LIKELIHOOD_ISA)
