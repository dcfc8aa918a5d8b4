#pragma once

// A kernel that runs until it ends, or is found to be a livelock.

#include <cstdint>
#include <string>

#include "device/ptx_text.h"
#include "gpu/ended_run.h"
#include "gpu/ways_to_diverge.h"

namespace heddle::gpu::test {

inline const WayToDiverge kStack{"warpman", {"chip.sms=2"}};
inline const WayToDiverge kFormed{"large-warps", kMajority + Settings{"chip.sms=2"}};

struct Kernel {
  std::string body;
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
};

inline Ended run(const Kernel& kernel, const WayToDiverge& way, const ChipOptions& options) {
  return run_to_its_end(device::test::kernel_of(kernel.body, ".shared .u32 s[64];\n"),
                        kernel.blocks, kernel.threads, way.described(), options);
}

}  // namespace heddle::gpu::test
