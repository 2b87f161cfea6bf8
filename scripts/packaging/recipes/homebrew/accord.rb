class Accord < Formula
  desc "Accurate multiple sequence alignment on processors and GPUs"
  homepage "@HOMEPAGE@"
  url "@SOURCE@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "opencl-clhpp-headers" => :build
  depends_on "opencl-headers" => :build
  depends_on "xxhash" => :build
  depends_on "boost"
  depends_on "bzip2"
  depends_on "gemmi"
  depends_on "libsodium"
  depends_on :linux
  depends_on "nlopt"
  depends_on "opencl-icd-loader"
  depends_on "pugixml"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  fails_with :gcc do
    version "10"
    cause "std::from_chars for numbers with a fraction"
  end

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DACCORD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build", "--component", "program"
    pkgshare.install "datasets/example.fa", "datasets/example.aln"
  end

  test do
    assert_equal "accord #{version}", shell_output("#{bin}/accord --version").chomp
    aligned = shell_output("#{bin}/accord align #{pkgshare}/example.fa --device none")
    assert_equal (pkgshare/"example.aln").read, aligned
  end
end
