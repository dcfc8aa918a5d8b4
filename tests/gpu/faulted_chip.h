#pragma once

// Checks that a fault changes nothing in later launches on the same chip.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {

/// Runs faulting kernels with blocks of `threads` threads, and a correct kernel after each. The
/// correct kernel's run must be the same as on a new chip.
inline void expect_as_new_after_faults(const Machine& machine, std::uint32_t threads) {
  const std::string good = device::test::kernel_of(R"(
  atom.global.add.u32 %r5, [%rd1+4096], %r4;
  ld.global.u32 %r6, [%rd2];
  add.u32 %r6, %r6, %r1;
  bar.sync 0;
  st.global.u32 [%rd2], %r6;
  ret;)");
  const std::vector<std::string> bad{
      "st.global.u32 [%rd2+1048576], %r4;\n ret;",
      "setp.eq.u32 %p1, %r1, 70;\n @%p1 trap;\n atom.global.add.u32 %r5, [%rd1], 1;\n"
      "st.global.u32 [%rd2], %r5;\n ret;",
      "setp.lt.u32 %p1, %r4, 32;\n @%p1 bra A;\n bar.sync 1, 96;\n A: bar.sync 0, 96;\n ret;",
      "SPIN: ld.volatile.global.u32 %r5, [%rd1];\n setp.eq.u32 %p1, %r5, 0;\n @%p1 bra SPIN;\n "
      "ret;",
  };
  const auto run_good = [&](ChipRun& run) {
    run.load(good);
    const device::DevicePointer out = run.zeros<std::uint32_t>(1025);
    KernelRun done = run.launch("k", {12}, {64}, out);
    EXPECT_EQ(run.download<std::uint32_t>(out, 1025)[767], 767U);
    return done;
  };
  ChipRun fresh(machine);
  const KernelRun expected = run_good(fresh);
  for (const std::string& body : bad) {
    SCOPED_TRACE(body);
    ChipRun run(device::test::kernel_of(body), machine, {.threads = 2, .max_cycles = 20000});
    EXPECT_THROW(run.launch("k", {9}, {threads}, run.zeros<std::uint32_t>(1024)),
                 exec::SimulatedFault);
    run.device().reset();
    EXPECT_EQ(difference(run_good(run), expected, run.chip().counters()), "");
    EXPECT_EQ(run.chip().runs().size(), 2U);
  }
}

}  // namespace heddle::gpu::test
