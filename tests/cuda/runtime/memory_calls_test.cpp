#include <gtest/gtest.h>

#include "cuda/runtime/calls.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda {

// NOLINTNEXTLINE(readability-identifier-naming)
HEDDLE_CUDA_EXPORT Error cudaMalloc3D(abi::PitchedPointer* result, abi::Extent extent);

namespace {

TEST(MemoryCalls, Malloc3DRejectsNumberOfRowsThatOverflows) {
  abi::PitchedPointer memory{};
  // The product of height and depth is 2^64.
  EXPECT_EQ(cudaMalloc3D(&memory, {1, std::size_t{1} << 44, std::size_t{1} << 20}),
            Error::memory_allocation);
  EXPECT_EQ(cudaMalloc3D(&memory, {1, std::size_t{1} << 20, std::size_t{1} << 44}),
            Error::memory_allocation);
  EXPECT_EQ(memory.pointer, nullptr);
  Session::instance().reset();  // Other tests require that the runtime has not been used.
}

}  // namespace
}  // namespace heddle::cuda
