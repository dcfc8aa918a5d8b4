#pragma once

// A kernel whose warps run as long as a test wants.

#include <string>

#include "device/ptx_text.h"

namespace heddle::gpu::test {

/// Thread n stores n + 1 after as many loop iterations as `turns` computes for its warp (from %r6,
/// the warp's number in the block, to %r7).
inline std::string turning_kernel(const std::string& turns) {
  return device::test::kernel_of("shr.u32 %r6, %r4, 5;\n" + turns + R"(
LOOP:
  setp.eq.u32 %p1, %r7, 0;
  @%p1 bra DONE;
  sub.u32 %r7, %r7, 1;
  bra LOOP;
DONE:
  add.u32 %r8, %r1, 1;
  st.global.u32 [%rd2], %r8;
  ret;)");
}

}  // namespace heddle::gpu::test
