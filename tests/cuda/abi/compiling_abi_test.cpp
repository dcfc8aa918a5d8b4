// Checks that Heddle's numbers for nvrtc and nvJitLink are those of NVIDIA's own declarations.

#include <gtest/gtest.h>

#if __has_include(<nvrtc.h>)
#include <nvrtc.h>

#include "cuda/nvrtc/calls.h"

namespace heddle::cuda::nvrtc {
namespace {

TEST(NvrtcAbi, MatchesResults) {
  EXPECT_EQ(static_cast<int>(Result::success), NVRTC_SUCCESS);
  EXPECT_EQ(static_cast<int>(Result::out_of_memory), NVRTC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(static_cast<int>(Result::invalid_input), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(static_cast<int>(Result::builtin_operation_failure),
            NVRTC_ERROR_BUILTIN_OPERATION_FAILURE);
}

}  // namespace
}  // namespace heddle::cuda::nvrtc
#endif

#if __has_include(<nvJitLink.h>)
#include <nvJitLink.h>

#include "cuda/nvjitlink/link.h"

namespace heddle::cuda::nvjitlink {
namespace {

TEST(JitLinkAbi, MatchesResults) {
  EXPECT_EQ(static_cast<int>(Result::success), NVJITLINK_SUCCESS);
  EXPECT_EQ(static_cast<int>(Result::unrecognized_option), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  EXPECT_EQ(static_cast<int>(Result::missing_architecture), NVJITLINK_ERROR_MISSING_ARCH);
  EXPECT_EQ(static_cast<int>(Result::invalid_input), NVJITLINK_ERROR_INVALID_INPUT);
  EXPECT_EQ(static_cast<int>(Result::ptx_error), NVJITLINK_ERROR_PTX_COMPILE);
  EXPECT_EQ(static_cast<int>(Result::internal_error), NVJITLINK_ERROR_INTERNAL);
  EXPECT_EQ(static_cast<int>(Result::null_input), NVJITLINK_ERROR_NULL_INPUT);
  EXPECT_EQ(static_cast<int>(Result::incorrect_input_type), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
}

}  // namespace
}  // namespace heddle::cuda::nvjitlink
#endif
