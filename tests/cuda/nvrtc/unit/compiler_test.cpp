#include "cuda/nvrtc/compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/installed/installed_library.h"

namespace heddle::cuda::nvrtc {
namespace {

TEST(NvrtcCompiler, SaysOnceWhatToInstallIfItIsAbsent) {
  Compiler compiler("libheddle-has-no-such-library.so.");
  testing::internal::CaptureStderr();
  EXPECT_EQ(compiler.find("nvrtcCreateProgram"), nullptr);
  EXPECT_EQ(compiler.find("nvrtcVersion"), nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "heddle: nvrtcCreateProgram: NVIDIA's run-time compiler is not installed: no library "
            "libheddle-has-no-such-library.so.13 or libheddle-has-no-such-library.so.12; install "
            "CUDA's package cuda-nvrtc or Python's nvidia-cuda-nvrtc, and add the library's folder "
            "to LD_LIBRARY_PATH\n");
}

TEST(LibraryFolders, AreTheDynamicLinkersAndThenTheToolkits) {
  const std::vector<std::string> folders = library_folders();
  const auto system = std::find(folders.begin(), folders.end(), "/usr/lib");
  const auto toolkit = std::find(folders.begin(), folders.end(), "/usr/local/cuda/lib64");
  ASSERT_NE(system, folders.end());
  ASSERT_NE(toolkit, folders.end());
  EXPECT_LT(system, toolkit);
}

}  // namespace
}  // namespace heddle::cuda::nvrtc
