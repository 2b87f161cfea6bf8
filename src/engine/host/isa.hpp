// SPDX-License-Identifier: Apache-2.0
// For the files *_isa.cpp, which CMake compiles once for each instruction set, with ACCORD_ISA its
// name and with its flags. They must not use the C++ library, whose inline functions the linker
// might share with other files.
#pragma once

#define ACCORD_NAMED(name, isa) name##isa
#define ACCORD_NAME_OF(name, isa) ACCORD_NAMED(name, isa)
/// kSomething with the name of the set behind it.
#define ACCORD_OF_ISA(name) ACCORD_NAME_OF(name, ACCORD_ISA)
