// SPDX-License-Identifier: Apache-2.0
#include "base/packages.hpp"

#include <doctest/doctest.h>

using namespace accord;

TEST_CASE("packages: the column of a system, by ID and ID_LIKE") {
  CHECK(packages_column("PRETTY_NAME=\"Debian\"\nID=debian\n", false) == "debian");
  CHECK(packages_column("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", false) == "debian");
  CHECK(packages_column("ID_LIKE='rhel centos fedora'\nID='rocky'\n", false) == "fedora");
  CHECK(packages_column("ID=fedora", false) == "fedora");
  CHECK(packages_column("ID=manjaro\nID_LIKE=arch\n", false) == "arch");
  CHECK(packages_column("ID=void\n", false) == "words");
  CHECK(packages_column("VERSION_ID=debian\nBUILD_ID=arch\n", false) == "words");
  CHECK(packages_column("", false) == "words");
  CHECK(packages_column("ID=debian\n", true) == "conda");
}

TEST_CASE("packages: how the OpenCL loader and PoCL are installed") {
  CHECK(install_command("opencl-loader", "debian") == "apt-get install ocl-icd-libopencl1");
  CHECK(install_command("opencl-loader", "fedora") == "dnf install ocl-icd");
  CHECK(install_command("opencl-loader", "arch") == "pacman -S ocl-icd");
  CHECK(install_command("opencl-loader", "words") == "an OpenCL loader such as ocl-icd");
  CHECK(install_command("pocl", "debian") == "apt-get install pocl-opencl-icd");
  CHECK(install_command("pocl", "conda") == "conda install -c conda-forge pocl");
  CHECK_FALSE(install_command("pocl").empty());
}
