#pragma once

// Runs a kernel until it ends or is reported as a livelock.

#include <cstdint>
#include <string>

#include "device/ptx_text.h"
#include "gpu/divergence_setups.h"
#include "gpu/run_outcome.h"

namespace heddle::gpu::test {

// One reconvergence stack per warp, and dynamic warp formation.
inline const DivergenceSetup kStack{"warpman", {"chip.sms=2"}};
inline const DivergenceSetup kDynamicFormation{"large-warps", kMajority + Settings{"chip.sms=2"}};

struct Kernel {
  std::string body;
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
};

inline RunOutcome run(const Kernel& kernel, const DivergenceSetup& setup,
                      const ChipOptions& options) {
  return run_to_completion(device::test::kernel_of(kernel.body, ".shared .u32 s[64];\n"),
                           kernel.blocks, kernel.threads, setup.load(), options);
}

}  // namespace heddle::gpu::test
