#pragma once

// Two rows of threads that do two atomics each, of 4 bytes and of 8, at addresses that a test says.

#include <array>
#include <cstring>
#include <vector>

#include "sm/launched_grid.h"
#include "sm/memory/atomics_in_flight.h"

namespace heddle::sm {

class AtomicRows {
 public:
  static constexpr std::uint32_t kRows = 2;
  static constexpr std::array<std::uint32_t, 2> kBytes = {4, 8};  ///< Of the first and the second.
  static constexpr std::uint64_t kTargets = 512;                  ///< Bytes to do atomics on.

  /// Offsets of a row's lanes; kNowhere for those that do none.
  using Offsets = std::array<std::uint64_t, 32>;
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  /// Where a row's lanes do an atomic, from the next start() on.
  void aim(std::uint32_t row, std::size_t number, const Offsets& offsets) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t address = offsets[lane] == kNowhere ? 0 : grid_.memory + offsets[lane];
      std::memcpy(host(kTargets + (row * 32 + lane) * 16 + number * 8), &address, 8);
    }
  }
  void start() { block_.start(0); }
  /// A row's next atomic is taken, and left to be performed.
  std::uint32_t capture(AtomicsInFlight& atomics, std::uint32_t row) {
    exec::Warp& warp = block_.warp(row);
    while (next(warp).operation != code::Operation::atomic) block_.step(warp);
    const std::uint32_t number = atomics.add(warp);
    const exec::Decoded& decoded = block_.enter(warp);
    EXPECT_TRUE(block_.capture_atomic(warp, decoded.index, atomics[number].work));
    exec::Block::skip(warp, decoded);
    return number;
  }
  void run_to_the_end() {
    for (std::uint32_t row = 0; row < kRows; ++row) {
      while ((block_.running_warps() >> row & 1) != 0) block_.step(block_.warp(row));
    }
  }
  /// What a lane found in memory before its atomic, if it ran to the end.
  std::uint64_t old_value(std::uint32_t row, std::size_t lane, std::size_t number) {
    std::uint64_t value = 0;
    std::memcpy(&value, host(kTargets + (row * 32 + lane) * 16 + number * 8), 8);
    return number == 0 ? value & 0xffff'ffff : value;
  }
  exec::Warp& row(std::uint32_t number) { return block_.warp(number); }
  /// The row is about to access these offsets; kNowhere where a lane is not.
  exec::Warp& about_to_access(std::uint32_t number, const Offsets& offsets) {
    exec::Warp& warp = block_.warp(number);
    warp.context.active = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (offsets[lane] == kNowhere) continue;
      warp.context.active |= 1U << lane;
      warp.context.address()[lane] = grid_.memory + offsets[lane];
    }
    return warp;
  }
  std::uint64_t memory() const { return grid_.memory; }

 private:
  std::byte* host(std::uint64_t offset) {
    return grid_.device.memory().host(grid_.memory + offset);
  }
  const code::Instruction& next(exec::Warp& warp) {
    return grid_.prepared.launch.program->instructions[warp.stack.top().pc];
  }

  LaunchedGrid grid_{R"(
  mul.wide.u32 %rd3, %r4, 16;
  add.u64 %rd3, %rd1, %rd3;
  ld.global.v2.u64 {%rd4, %rd5}, [%rd3+512];
  setp.ne.u64 %p1, %rd4, 0;
  setp.ne.u64 %p2, %rd5, 0;
  @%p1 atom.global.add.u32 %r10, [%rd4], 1;
  @%p2 atom.global.add.u64 %rd6, [%rd5], 1;
  st.global.u32 [%rd3+512], %r10;
  st.global.u64 [%rd3+520], %rd6;
  ret;)",
                     kRows * 32};
  exec::Block block_{grid_.prepared.launch};
};

}  // namespace heddle::sm
