// Register caches with kernels whose register accesses are counted by hand: which entry is evicted,
// and how diverged threads and guarded instructions write. Each kernel is listed as compiled code;
// R0' marks the last read of a value. Comments name instructions by their numbers in the listing.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

const Settings kCache{"operands.policy=register-cache", "operands.active_only=no",
                      "operands.check_values=yes", "isa.predication=no"};

std::string kernel_of(const std::string& body) {
  return R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry counted(.param .u64 values)
{
  .reg .pred %high;
  .reg .b32 %thread, %r<9>;
  .reg .b64 %at, %offset;
  mov.u32 %thread, %tid.x;
)" + body +
         R"(
  ret;
}
)";
}
const std::string kAddress = R"(
  mul.wide.u32 %offset, %thread, 4;
  ld.param.u64 %at, [values];
  add.u64 %at, %at, %offset;
)";

/// Runs the kernel with one warp; compares only the counters in `expected`.
void expect_counters(const std::string& body, const Settings& settings,
                     const std::map<std::string, std::uint64_t>& expected) {
  ChipRun chip(kernel_of(body), kPlain + kCache + settings);
  chip.launch("counted", {1, 1, 1}, {32, 1, 1}, chip.zeros<std::uint32_t>(64));
  for (const auto& [name, count] : expected) {
    EXPECT_EQ(chip.counter("operands." + name), count) << name;
  }
}

///   0  read_special R0        3  move R4                          6  mul_lo R0, R0', R2'
///   1  not R2, R0             4  mad_wide R4:5, R0, R4', ...      7  store [R4:5'], R0'
///   2  mul_lo R3, R0, 77      5  xor R0, R0', R3'                 8  exit
const std::string kProduct = R"(
  not.b32 %r1, %thread;
  mul.lo.u32 %r2, %thread, 77;
  xor.b32 %r3, %thread, %r2;
  mul.lo.u32 %r4, %r3, %r1;
)" + kAddress + "st.global.u32 [%at], %r4;\n";

TEST(RegisterCacheReplacement, FifoEvictsAValueThatIsReadAgain) {
  // Instruction 3 evicts R0, which 4 and 5 then read from the main file. 4 writes R4 and R5; R5
  // evicts R2, which 6 reads from the main file. The other evicted values are dead.
  expect_counters(kProduct, {"operands.entries=3", "operands.replacement=fifo"},
                  {{"operand_file_reads_private", 2 + 1 + 1 + 1},
                   {"operand_file_reads_shared", 3},
                   {"reads", 1 + 1 + 1},
                   {"one_registers_from_main", 3},
                   {"written_back", 2},
                   {"writes", 2},
                   {"wrong_values", 0}});
}

TEST(RegisterCacheReplacement, LruKeepsAValueThatIsReadAgain) {
  // Instruction 3 evicts R2, which 6 reads from the main file. R5 evicts R3, which 5 reads from the
  // main file.
  expect_counters(kProduct, {"operands.entries=3", "operands.replacement=lru"},
                  {{"operand_file_reads_private", 2 + 2 + 1 + 1},
                   {"operand_file_reads_shared", 3},
                   {"reads", 1 + 1},
                   {"one_registers_from_main", 2},
                   {"written_back", 2},
                   {"writes", 2},
                   {"wrong_values", 0}});
}

///   0  read_special R0                     7  not R4, R0
///   1  move R2                             8  mul_lo R5, R4, R4
///   2  mad_wide R2:3, R0, R2', c[0x160]    9  store [R2:3+128], R5'
///   3  setp P0, R0, 15                    10  xor R0, R4', R0'
///   4  @P0 branch 7 (reconverges at 10)         11  store [R2:3'], R0'
///   5  mul_lo R4, R0, 77                  12  exit
///   6  branch 10
const std::string kSides = kAddress + R"(
  setp.gt.u32 %high, %thread, 15;
  @%high bra HIGH;
  mul.lo.u32 %r1, %thread, 77;
  bra.uni JOIN;
HIGH:
  not.b32 %r1, %thread;
  mul.lo.u32 %r2, %r1, %r1;
  st.global.u32 [%at+128], %r2;
JOIN:
  xor.b32 %r3, %r1, %thread;
  st.global.u32 [%at], %r3;
)";

TEST(RegisterCacheUnderDivergence, WritesBackValuesThatTheOtherSideEvicts) {
  // Every result evicts the one before it: R0, R2, R3, and R4 of the taken side, which executes
  // first. The R4 of the other side replaces a dead R5 and stays. Instruction 10 therefore finds R4
  // in the cache for half of the threads, and in the main file for the others.
  expect_counters(kSides, {"operands.entries=1"},
                  {{"operand_file_reads_private", 1 + 1 + 1},
                   {"operand_file_reads_shared", 1 + 1},
                   {"operand_file_writes_private", 1 + 1 + 2 + 1 + 1 + 1 + 1},
                   {"reads", 4 + 2 * 3},
                   {"one_registers_from_main", 4},  // 2, 3, 7 and 5 read R0.
                   {"two_registers_from_main", 3},  // 9 and 11 their addresses, 10 R4 and R0.
                   {"split_reads", 1},
                   {"written_back", 4},
                   {"writes", 4},
                   {"wrong_values", 0}});
}

TEST(RegisterCacheUnderDivergence, HoldsValuesOfBothSidesInOneEntry) {
  // R3 evicts R0, the first side's R4 evicts R2, and its R5 evicts R3. The second side's R4 shares
  // the entry of the first side's R4.
  expect_counters(kSides, {"operands.entries=2"},
                  {{"operand_file_reads_private", 2 + 1 + 1},
                   {"operand_file_reads_shared", 1 + 1},
                   {"reads", 4 + 2 * 2},
                   {"one_registers_from_main", 4},  // 3, 7, 5 and 10 read R0.
                   {"two_registers_from_main", 2},
                   {"split_reads", 0},
                   {"written_back", 3},
                   {"writes", 3},
                   {"wrong_values", 0}});
}

///   0  read_special R0                     4  mul_lo R0, R0', 77     8  store [R2:3'], R0'
///   1  move R4                             5  mul_lo R4, R0, R0      9  exit
///   2  mad_wide R2:3, R0, R4', c[0x160]    6  @P0 not R0, R4
///   3  setp P0, R0, 15                     7  xor R0, R0', R4'
const std::string kGuarded = kAddress + R"(
  setp.gt.u32 %high, %thread, 15;
  mul.lo.u32 %r1, %thread, 77;
  mul.lo.u32 %r2, %r1, %r1;
  @%high not.b32 %r1, %r2;
  xor.b32 %r3, %r1, %r2;
  st.global.u32 [%at], %r3;
)";

TEST(RegisterCacheUnderAGuard, WritesBackValuesOfInactiveLanes) {
  // Instructions 0 to 5 evict R0, R2, R3 and the next R0, and 6 evicts R4. 7 reads R4 from the main
  // file, and also the half of R0 that the guard excluded. The result of 7 has both halves in one
  // entry.
  expect_counters(kGuarded, {"operands.entries=1"},
                  {{"operand_file_reads_private", 1 + 1 + 1 + 1},  // 2, 5, 6 and 7.
                   {"operand_file_reads_shared", 1},
                   {"operand_file_writes_private", 1 + 1 + 2 + 1 + 1 + 1 + 1},
                   {"reads", 3 + 2 * 2},
                   {"one_registers_from_main", 3},
                   {"two_registers_from_main", 2},
                   {"split_reads", 1},
                   {"written_back", 5},
                   {"writes", 5},
                   {"wrong_values", 0}});
}

TEST(RegisterCacheUnderAGuard, MergesIntoAnExistingEntry) {
  // R3 evicts R0, the R0 of instruction 4 evicts R2, and the R4 of 5 evicts R3. 6 updates half of
  // R0 in its entry.
  expect_counters(kGuarded, {"operands.entries=2"},
                  {{"operand_file_reads_private", 2 + 1 + 1 + 2},  // 2, 5, 6 and 7.
                   {"operand_file_reads_shared", 1},
                   {"reads", 2 + 2},
                   {"one_registers_from_main", 2},
                   {"two_registers_from_main", 1},
                   {"split_reads", 0},
                   {"written_back", 3},
                   {"writes", 3},
                   {"wrong_values", 0}});
}

}  // namespace
}  // namespace heddle::gpu::test
