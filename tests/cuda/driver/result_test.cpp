// Tests of how errors of the runtime API become results of the driver API.

#include "cuda/driver/result.h"

#include <gtest/gtest.h>

namespace heddle::cuda::driver {
namespace {

TEST(Result, EqualsRuntimeErrorNumberIfDriverHasIt) {
  EXPECT_EQ(result_of(Error::success), Result::success);
  EXPECT_EQ(result_of(Error::memory_allocation), Result::out_of_memory);
  EXPECT_EQ(result_of(Error::illegal_address), Result::illegal_address);
  EXPECT_EQ(result_of(Error::not_supported), Result::not_supported);
}

TEST(Result, IsNearestForRuntimeOnlyErrors) {
  EXPECT_EQ(result_of(Error::invalid_configuration), Result::invalid_value);
  EXPECT_EQ(result_of(Error::invalid_pitch), Result::invalid_value);
  EXPECT_EQ(result_of(Error::invalid_function), Result::invalid_handle);
  EXPECT_EQ(result_of(Error::invalid_symbol), Result::not_found);
}

TEST(Result, HasNameAndTextForEveryConvertedError) {
  for (int number = 0; number < 1000; ++number) {
    const auto error = static_cast<Error>(number);
    if (cuda::name_of(error) == nullptr) continue;
    EXPECT_NE(name_of(result_of(error)), nullptr) << number;
    EXPECT_NE(text_of(result_of(error)), nullptr) << number;
  }
  EXPECT_STREQ(name_of(Result::not_found), "CUDA_ERROR_NOT_FOUND");
  EXPECT_STREQ(text_of(Result::invalid_value), "invalid argument");
  EXPECT_EQ(name_of(static_cast<Result>(9)), nullptr);
  EXPECT_EQ(text_of(static_cast<Result>(9)), nullptr);
}

}  // namespace
}  // namespace heddle::cuda::driver
