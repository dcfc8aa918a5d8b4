#pragma once

// Kernels in which each thread stores one word. The word must be the same under every divergence
// policy.

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/divergence_setups.h"

namespace heddle::gpu::test {

/// A kernel with one pointer argument, as device::test::kernel_of() makes it.
struct KernelOfWords {
  std::string body;
  std::string declarations = {};
  /// Returns the word expected from thread `thread` of block `block`, which has `threads` threads;
  /// zero if the thread stores nothing.
  std::function<std::uint32_t(std::uint32_t block, std::uint32_t thread, std::uint32_t threads)>
      expected;
};

/// Runs the kernel with every divergence setup and every block size; checks each thread's word.
inline void expect_everywhere(const KernelOfWords& kernel,
                              const std::vector<std::uint32_t>& block_sizes) {
  std::vector<DivergenceSetup> setups = divergence_setups();
  for (const std::string& machine : kStackMachines) setups.push_back({machine, {}});
  const std::string ptx = device::test::kernel_of(kernel.body, kernel.declarations);
  constexpr std::uint32_t kBlocks = 5;
  for (const DivergenceSetup& setup : setups) {
    SCOPED_TRACE(setup.name());
    const Machine machine = setup.load();
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
