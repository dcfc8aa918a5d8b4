#pragma once

// Loads of cache lines that have letters as names, one after another.

#include <string>
#include <string_view>

#include "gpu/chip_run.h"

namespace heddle::gpu::test {

/// A machine whose L1 and L2 slices have four ways, and whose lines 'A', 'B', ... share one set.
inline const Settings kFourWays{"chip.sms=1",        "memory.partitions=1", "l1.bytes=512",
                                "l1.line_bytes=128", "l1.ways=4",           "l2.bytes=1024",
                                "l2.line_bytes=128", "l2.sector_bytes=128", "l2.ways=4"};

/// Loads the lines of `letters` ('A' to 'Z') in their order. Each load waits for the one before.
/// Returns the counter of the launch.
inline std::uint64_t count_of_loads(std::string_view letters, const Settings& settings,
                                    std::string_view counter) {
  constexpr std::uint32_t kLineDistance = 256;  // The L2 has two sets of lines of 128 bytes.
  std::string loads;
  for (const char letter : letters) {
    // The loaded value is 0, which the compiler does not know.
    loads += "ld.global.u32 %value, [%at + " +
             std::to_string(static_cast<std::uint32_t>(letter - 'A') * kLineDistance) +
             "];\ncvt.u64.u32 %zero, %value;\nadd.u64 %at, %at, %zero;\n";
  }
  ChipRun chip(R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry load_lines(.param .u64 lines)
{
  .reg .b32 %value;
  .reg .b64 %at, %zero;
  .reg .pred %fails;
  ld.param.u64 %at, [lines];
)" + loads + R"(
  setp.ne.u64 %fails, %zero, 0;
  @%fails trap;
  ret;
}
)",
               kFourWays + settings);
  const auto lines = chip.zeros<std::uint8_t>(26 * kLineDistance);
  chip.launch("load_lines", {1, 1, 1}, {1, 1, 1}, lines);
  return chip.counter(counter);
}

}  // namespace heddle::gpu::test
