#include "cuda/static_runtime/jump.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace heddle::cuda {
namespace {

/// A function with more integer arguments than fit into registers, and floating-point ones.
double weigh(int a, int b, int c, int d, int e, int f, int g, int h, int i, double x, double y) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 0.5 * x + 0.25 * y;
}

TEST(Jump, PassesArgumentsThrough) {
  void* const page =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const auto code = jump_to(reinterpret_cast<std::uint64_t>(&weigh));
  std::memcpy(page, code.data(), code.size());
  ASSERT_EQ(::mprotect(page, 4096, PROT_READ | PROT_EXEC), 0);
  __builtin___clear_cache(static_cast<char*>(page), static_cast<char*>(page) + code.size());

  const auto function = reinterpret_cast<decltype(&weigh)>(page);

  EXPECT_EQ(function(1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 4), 285 + 1 + 1);
  ::munmap(page, 4096);
}

}  // namespace
}  // namespace heddle::cuda
