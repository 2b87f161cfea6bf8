// SPDX-License-Identifier: Apache-2.0
#include <cfloat>  // which doctest 2.4.9 relies on
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
