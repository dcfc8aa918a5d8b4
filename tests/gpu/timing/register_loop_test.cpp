// Register levels in a loop that an unguarded jump closes. Register accesses are counted by hand;
// comments name instructions by their numbers in the listing.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// A loop of three iterations; the condition is tested a fourth time at its end. The compiled code:
///   0  read_special R0           3  setp P0, R2, 2            8  move R2
///   1  read_special R2           4  @P0 branch 8              9  mad_wide R2:3, R0, R2, c[0x160]
///   2  move R4, R0               5  mad R4, R4, R4, R2        10 store [R2:3], R4
///                                6  add R2, R2, 1             11 exit
///                                7  branch 3
const std::string kTurns = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry turns(.param .u64 values)
{
  .reg .pred %done;
  .reg .b32 %thread, %value, %round;
  .reg .b64 %at, %offset;
  mov.u32 %thread, %tid.x;
  mov.u32 %round, %ctaid.x;
  mov.u32 %value, %thread;
AGAIN:
  setp.gt.u32 %done, %round, 2;
  @%done bra DONE;
  mad.lo.u32 %value, %value, %value, %round;
  add.u32 %round, %round, 1;
  bra.uni AGAIN;
DONE:
  mul.wide.u32 %offset, %thread, 4;
  ld.param.u64 %at, [values];
  add.u64 %at, %at, %offset;
  st.global.u32 [%at], %value;
  ret;
}
)";

/// Runs the kernel with one warp; compares only the counters in `expected`.
void expect_counters(const Settings& settings,
                     const std::map<std::string, std::uint64_t>& expected) {
  ChipRun chip(kTurns, kPlain +
                           Settings{"schedule.policy=active-set", "operands.entries=6",
                                    "operands.check_values=yes"} +
                           settings);
  chip.launch("turns", {1, 1, 1}, {32, 1, 1}, chip.zeros<std::uint32_t>(32));
  for (const auto& [name, count] : expected) {
    EXPECT_EQ(chip.counter("operands." + name), count) << name;
  }
}

TEST(RegisterCacheInALoop, IsFlushedByTheBackwardJump) {
  // In the first iteration, instructions 2, 3, 5 (two operands) and 6 hit, and 7 writes back R0, R2
  // and R4. In later iterations 3, 5 and 6 read R2 and R4 from the main file, and 7 writes both
  // back. After the last iteration, 3 reads R2 from the main file, 9 reads R0, and 10 reads R4; the
  // results of 8 and 9 hit.
  expect_counters({"operands.policy=register-cache", "operands.flush_at_backward_branches=yes"},
                  {{"operand_file_reads_private", 1 + 4 + 1},
                   {"operand_file_reads_shared", 2},
                   {"operand_file_writes_private", 3 + 3 * 2 + 1 + 2},
                   {"reads", 2 * 4 + 1 + 1 + 1},
                   {"one_registers_from_main", 2 * 2 + 3},
                   {"two_registers_from_main", 2},
                   {"written_back", 3 + 2 + 2},
                   {"writes", 3 + 2 + 2},
                   {"suspensions", 0},
                   {"wrong_values", 0}});
}

TEST(RegisterCacheInALoop, KeepsItsValuesWithoutFlushing) {
  expect_counters({"operands.policy=register-cache"},
                  {{"operand_file_reads_private", 1 + 3 * 4 + 1 + 2},
                   {"operand_file_reads_shared", 2 + 1},
                   {"reads", 0},
                   {"written_back", 0},
                   {"writes", 0},
                   {"wrong_values", 0}});
}

TEST(ManagedRegistersInALoop, BeginAStrandAtTheBackwardJumpsTarget) {
  // A strand begins at instruction 0 and at each execution of 3. R2 and R4 are live into each
  // iteration, and R2 into the last test. R0 and R4 are read after the loop in the strand of that
  // test, because no backward branch lies between. Each execution of 3 reads R2 from the main file
  // and keeps it for 5 and 6.
  expect_counters({"operands.policy=managed"}, {{"strands", 1 + 4},
                                                {"live_ins", 3 * 2 + 3},
                                                {"live_outs", 3 + 3 * 2},
                                                {"fills_private", 4},
                                                {"suspensions", 0},
                                                {"wrong_values", 0}});
}

}  // namespace
}  // namespace heddle::gpu::test
