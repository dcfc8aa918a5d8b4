#pragma once

// Two static warps (a static warp: 32 consecutive threads of a block) that perform two atomics
// each, of 4 and of 8 bytes, at addresses that a test chooses.

#include <array>
#include <cstring>
#include <vector>

#include "sm/launched_grid.h"
#include "sm/memory/atomics_in_flight.h"

namespace heddle::sm {

class AtomicStaticWarps {
 public:
  static constexpr std::uint32_t kStaticWarps = 2;
  static constexpr std::array<std::uint32_t, 2> kBytes = {4, 8};  ///< Bytes of each atomic.
  static constexpr std::uint64_t kTargets = 512;  ///< Bytes of memory for the atomics.

  /// Offsets in memory by lane; kNowhere for a lane that performs no atomic.
  using Offsets = std::array<std::uint64_t, 32>;
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  /// Sets the offsets of atomic `number` of static warp `index`, from the next start() on.
  void set_offsets(std::uint32_t index, std::size_t number, const Offsets& offsets) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t address = offsets[lane] == kNowhere ? 0 : grid_.memory + offsets[lane];
      std::memcpy(host(kTargets + (index * 32 + lane) * 16 + number * 8), &address, 8);
    }
  }
  void start() { block_.start(0); }
  /// Captures a static warp's next atomic without performing it.
  std::uint32_t capture(AtomicsInFlight& atomics, std::uint32_t index) {
    exec::Warp& warp = block_.warp(index);
    while (next(warp).operation != code::Operation::atomic) block_.step(warp);
    const std::uint32_t number = atomics.add(warp);
    const exec::Decoded& decoded = block_.enter(warp);
    EXPECT_TRUE(block_.capture_atomic(warp, decoded.index, atomics[number].work));
    exec::Block::skip(warp, decoded);
    return number;
  }
  void run_to_the_end() {
    for (std::uint32_t index = 0; index < kStaticWarps; ++index) {
      while ((block_.running_warps() >> index & 1) != 0) block_.step(block_.warp(index));
    }
  }
  /// The old value that atomic `number` of a lane returned. Call it after run_to_the_end().
  std::uint64_t old_value(std::uint32_t index, std::size_t lane, std::size_t number) {
    std::uint64_t value = 0;
    std::memcpy(&value, host(kTargets + (index * 32 + lane) * 16 + number * 8), 8);
    return number == 0 ? value & 0xffff'ffff : value;
  }
  exec::Warp& static_warp(std::uint32_t number) { return block_.warp(number); }
  /// Prepares a static warp for an access to these offsets. Lanes with kNowhere are inactive.
  exec::Warp& prepare_access(std::uint32_t number, const Offsets& offsets) {
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
                     kStaticWarps * 32};
  exec::Block block_{grid_.prepared.launch};
};

}  // namespace heddle::sm
