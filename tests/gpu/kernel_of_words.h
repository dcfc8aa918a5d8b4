#pragma once

// Kernels that must leave the same words however threads travel together.

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/ways_to_diverge.h"

namespace heddle::gpu::test {

/// One of a pointer, as device::test::kernel_of() makes them.
struct KernelOfWords {
  std::string body;
  std::string declarations = {};
  /// The word of a thread, by its block, its number in it, and the block's threads; zero where it
  /// leaves none.
  std::function<std::uint32_t(std::uint32_t block, std::uint32_t thread, std::uint32_t threads)>
      expected;
};

inline void expect_everywhere(const KernelOfWords& kernel,
                              const std::vector<std::uint32_t>& block_sizes) {
  std::vector<WayToDiverge> ways = ways_to_diverge();
  for (const std::string& machine : kStackMachines) ways.push_back({machine, {}});
  const std::string ptx = device::test::kernel_of(kernel.body, kernel.declarations);
  constexpr std::uint32_t kBlocks = 5;
  for (const WayToDiverge& way : ways) {
    SCOPED_TRACE(way.name());
    const Machine machine = way.described();
    for (const std::uint32_t threads : block_sizes) {
      SCOPED_TRACE(threads);
      ChipRun run(ptx, machine, {.max_cycles = 50'000'000});
      const device::DevicePointer out = run.zeros<std::uint32_t>(kBlocks * threads);
      try {
        run.launch("k", {kBlocks}, {threads}, out);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
        continue;
      }
      const auto words = run.download<std::uint32_t>(out, kBlocks * threads);
      std::uint32_t wrong = 0;
      for (std::uint32_t i = 0; i < words.size() && wrong < 3; ++i) {
        const std::uint32_t expected = kernel.expected(i / threads, i % threads, threads);
        EXPECT_EQ(words[i], expected) << "block " << i / threads << ", thread " << i % threads;
        if (words[i] != expected) ++wrong;
      }
    }
  }
}

}  // namespace heddle::gpu::test
