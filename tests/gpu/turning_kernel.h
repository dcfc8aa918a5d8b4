#pragma once

// A kernel whose warps execute as many loop iterations as a test wants.

#include <string>

#include "device/ptx_text.h"

namespace heddle::gpu::test {

/// Thread n stores n + 1 after a loop. `turns` is PTX that sets %r7 to the number of iterations;
/// %r6 is the number of the thread's warp in its block.
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
