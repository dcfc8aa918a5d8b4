// Programs with deliberate races between multiprocessors. The result is one of the allowed ones,
// and it is the same in every run, for any number of host threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::Each;

constexpr std::uint32_t kSms = 8;

/// Eight multiprocessors with two block slots each: sixteen blocks are resident at once.
Machine eight_sms(const Settings& settings = {}) {
  return machine_of(Settings{"chip.sms=8", "sm.blocks=2", "memory.partitions=3"} + settings);
}

/// Runs the kernel on zeroed words with 1, 2 and 4 host threads. The words afterwards and the
/// counters must be the same. Returns the words.
std::vector<std::uint32_t> run_for_any_host_threads(const std::string& body, std::uint32_t blocks,
                                                    std::uint32_t threads_each, std::size_t words,
                                                    const Settings& settings = {}) {
  std::vector<std::uint32_t> memory;
  std::vector<KernelRun> runs;
  for (const std::uint32_t threads : {1U, 2U, 4U, 4U}) {
    ChipRun run(kernel_of(body), eight_sms(settings),
                {.threads = threads, .max_cycles = 20'000'000});
    const device::DevicePointer out = run.zeros<std::uint32_t>(words);
    runs.push_back(run.launch("k", {blocks}, {threads_each}, out));
    std::vector<std::uint32_t> result = run.download<std::uint32_t>(out, words);
    if (threads == 1) memory = result;
    EXPECT_EQ(result, memory) << threads << " threads";
    EXPECT_EQ(difference(runs.front(), runs.back(), run.chip().counters()), "")
        << threads << " threads";
  }
  return memory;
}

/// Ends all threads except the first of each warp, because a loop that waits for another thread of
/// its own warp may never end.
const std::string kOneThreadAWarp = R"(
  and.b32 %r9, %r4, 31;
  setp.ne.u32 %p9, %r9, 0;
  @%p9 exit;
)";

TEST(Races, LeaveTheValueOfOneWriter) {
  constexpr std::uint32_t kThreads = 16 * 64;
  const std::vector<std::uint32_t> memory = run_for_any_host_threads(R"(
  mov.u32 %r10, 0;
  add.u32 %r11, %r1, 1;
LOOP:
  st.volatile.global.u32 [%rd1], %r11;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 10;
  @%p1 bra LOOP;
  ret;)",
                                                                     16, 64, 1);
  EXPECT_GE(memory[0], 1U);
  EXPECT_LE(memory[0], kThreads);
}

TEST(Races, GiveReproducibleReads) {
  // Each thread repeatedly combines another thread's word with its own value, and stores the result
  // in both words.
  run_for_any_host_threads(R"(
  mov.u32 %r10, 0;
  mov.u32 %r12, %r1;
LOOP:
  mad.lo.u32 %r13, %r1, 37, %r10;
  and.b32 %r13, %r13, 1023;
  mul.wide.u32 %rd3, %r13, 4;
  add.u64 %rd3, %rd1, %rd3;
  ld.volatile.global.u32 %r14, [%rd3];
  mad.lo.u32 %r12, %r12, 31, %r14;
  st.volatile.global.u32 [%rd2], %r12;
  st.volatile.global.u32 [%rd3], %r12;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 12;
  @%p1 bra LOOP;
  ret;)",
                           16, 64, 1024);
}

TEST(Races, FencedStoresAreVisibleOnceTheirFlagIs) {
  // Block n waits for block n - 1's flag, adds one to each of that block's words, and sets its own
  // flag.
  constexpr std::uint32_t kBlocks = 2 * kSms;
  const std::vector<std::uint32_t> memory =
      run_for_any_host_threads(R"(
  mul.wide.u32 %rd3, %r2, 4;
  add.u64 %rd3, %rd1, %rd3;
  setp.eq.u32 %p1, %r2, 0;
  setp.ne.u32 %p2, %r4, 0;
  mov.u32 %r10, 0;
  @%p1 bra WRITE;
  @%p2 bra WAITED;
SPIN:
  ld.volatile.global.u32 %r11, [%rd3+-4];
  setp.eq.u32 %p3, %r11, 0;
  @%p3 bra SPIN;
  membar.gl;
WAITED:
  bar.sync 0;
  ld.volatile.global.u32 %r10, [%rd2+-192];
WRITE:
  add.u32 %r10, %r10, 1;
  st.volatile.global.u32 [%rd2+64], %r10;
  membar.gl;
  bar.sync 0;
  @%p2 bra DONE;
  mov.u32 %r12, 1;
  st.volatile.global.u32 [%rd3], %r12;
DONE:
  ret;)",
                               kBlocks, 64, 16 + kBlocks * 64);
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
      ASSERT_EQ(memory[16 + block * 64 + thread], block + 1);
    }
  }
}

TEST(Races, TicketLockProtectsItsCriticalSection) {
  // The words are the next ticket, the ticket being served, and the sum.
  const std::vector<std::uint32_t> memory = run_for_any_host_threads(kOneThreadAWarp + R"(
  mov.u32 %r10, 0;
AGAIN:
  atom.global.add.u32 %r11, [%rd1], 1;
SPIN:
  ld.volatile.global.u32 %r12, [%rd1+4];
  setp.ne.u32 %p1, %r12, %r11;
  @%p1 bra SPIN;
  membar.gl;
  ld.volatile.global.u32 %r13, [%rd1+8];
  add.u32 %r13, %r13, 1;
  st.volatile.global.u32 [%rd1+8], %r13;
  membar.gl;
  add.u32 %r12, %r12, 1;
  st.volatile.global.u32 [%rd1+4], %r12;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p2, %r10, 3;
  @%p2 bra AGAIN;
  ret;)",
                                                                     16, 64, 3);
  EXPECT_THAT(memory, Each(16U * 2 * 3));
}

TEST(Races, CompareAndSwapLockProtectsItsCriticalSection) {
  // The words are the lock and the sum.
  for (const char* const policy : {"round-robin", "greedy-oldest"}) {
    const std::vector<std::uint32_t> memory =
        run_for_any_host_threads(kOneThreadAWarp + R"(
  mov.u32 %r10, 0;
AGAIN:
  atom.global.cas.b32 %r11, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r11, 0;
  @%p1 bra AGAIN;
  membar.gl;
  ld.volatile.global.u32 %r13, [%rd1+4];
  add.u32 %r13, %r13, 1;
  st.volatile.global.u32 [%rd1+4], %r13;
  membar.gl;
  atom.global.exch.b32 %r14, [%rd1], 0;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p2, %r10, 3;
  @%p2 bra AGAIN;
  ret;)",
                                 16, 64, 2, {"schedule.policy=" + std::string(policy)});
    EXPECT_EQ(memory[0], 0U);
    EXPECT_EQ(memory[1], 16U * 2 * 3);
  }
}

TEST(Races, AtomicGridBarrierSynchronisesBlocks) {
  // In each round a thread adds the neighbouring block's value of the previous round to its own.
  // The first word counts arrived blocks. From word 16 on there are two sets of one word per
  // thread: rounds read one set and write the other alternately.
  constexpr std::uint32_t kBlocks = 16;
  constexpr std::uint32_t kRounds = 4;
  const std::vector<std::uint32_t> memory = run_for_any_host_threads(R"(
  mov.u32 %r10, 0;
  mov.u32 %r20, %nctaid.x;
  mov.u32 %r30, 0;
  add.u32 %r21, %r1, 64;
  rem.u32 %r21, %r21, 1024;
  mul.wide.u32 %rd4, %r21, 4;
  add.u64 %rd4, %rd1, %rd4;
  setp.ne.u32 %p1, %r4, 0;
  add.u32 %r11, %r2, 1;
  st.global.u32 [%rd2+64], %r11;
ROUND:
  bar.sync 0;
  @%p1 bra ARRIVED;
  membar.gl;
  atom.global.add.u32 %r12, [%rd1], 1;
  add.u32 %r30, %r30, %r20;
SPIN:
  ld.volatile.global.u32 %r13, [%rd1];
  setp.lt.u32 %p2, %r13, %r30;
  @%p2 bra SPIN;
  membar.gl;
ARRIVED:
  bar.sync 0;
  and.b32 %r14, %r10, 1;
  mul.lo.u32 %r15, %r14, 4096;
  xor.b32 %r16, %r15, 4096;
  cvt.u64.u32 %rd5, %r15;
  cvt.u64.u32 %rd6, %r16;
  add.u64 %rd7, %rd4, %rd5;
  add.u64 %rd8, %rd2, %rd6;
  ld.volatile.global.u32 %r17, [%rd7+64];
  add.u32 %r11, %r11, %r17;
  st.global.u32 [%rd8+64], %r11;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p3, %r10, 4;
  @%p3 bra ROUND;
  ret;)",
                                                                     kBlocks, 64, 16 + 2 * 1024);
  std::vector<std::uint32_t> expected(kBlocks);
  std::iota(expected.begin(), expected.end(), 1U);
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    std::vector<std::uint32_t> next(kBlocks);
    for (std::size_t b = 0; b < kBlocks; ++b) {
      next[b] = expected[b] + expected[(b + 1) % kBlocks];
    }
    expected = next;
  }
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
      ASSERT_EQ(memory[16 + block * 64 + thread], expected[block]) << block << ", " << thread;
    }
  }
}

TEST(Races, AtomicsAndStoresToTheSameWordsMix) {
  // Odd blocks add 1 to the words, even blocks store 1000 times their number. A final word is one
  // of the stored values plus at most all additions.
  const std::vector<std::uint32_t> memory = run_for_any_host_threads(R"(
  and.b32 %r10, %r1, 7;
  mul.wide.u32 %rd3, %r10, 4;
  add.u64 %rd3, %rd1, %rd3;
  and.b32 %r11, %r2, 1;
  setp.eq.u32 %p1, %r11, 1;
  mul.lo.u32 %r12, %r2, 1000;
  mov.u32 %r13, 0;
LOOP:
  @%p1 red.global.add.u32 [%rd3], 1;
  @!%p1 st.volatile.global.u32 [%rd3], %r12;
  add.u32 %r13, %r13, 1;
  setp.lt.u32 %p2, %r13, 4;
  @%p2 bra LOOP;
  ret;)",
                                                                     16, 32, 8);
  for (const std::uint32_t word : memory) {
    EXPECT_LE(word / 1000, 14U);
    EXPECT_EQ(word / 1000 % 2, 0U);
    EXPECT_LE(word % 1000, 8U * 4 * 4);
  }
}

TEST(Races, ThreadSeesItsOwnAtomicsAndStoresInOrder) {
  // Every thread works on its own word: it stores 5, adds 3 without waiting for the old value,
  // reads, stores 20, exchanges the word for 7, and reads.
  const std::vector<std::uint32_t> memory = run_for_any_host_threads(R"(
  mov.u32 %r10, 5;
  st.global.u32 [%rd2], %r10;
  red.global.add.u32 [%rd2], 3;
  ld.global.u32 %r11, [%rd2];
  mov.u32 %r12, 20;
  st.global.u32 [%rd2], %r12;
  atom.global.exch.b32 %r13, [%rd2], 7;
  ld.global.u32 %r14, [%rd2];
  mad.lo.u32 %r15, %r11, 10000, %r14;
  mad.lo.u32 %r15, %r13, 100, %r15;
  st.global.u32 [%rd2], %r15;
  ret;)",
                                                                     16, 64, 1024);
  EXPECT_THAT(memory, Each(8U * 10000 + 20 * 100 + 7));
}

TEST(Races, EveryAtomicReturnsADistinctOldValue) {
  const std::vector<std::uint32_t> memory = run_for_any_host_threads(R"(
  atom.global.add.u32 %r10, [%rd1], 1;
  mul.wide.u32 %rd3, %r10, 4;
  add.u64 %rd3, %rd1, %rd3;
  st.global.u32 [%rd3+4], 1;
  ret;)",
                                                                     16, 64, 1025);
  EXPECT_EQ(memory[0], 1024U);
  EXPECT_THAT(std::vector<std::uint32_t>(memory.begin() + 1, memory.end()), Each(1U));
}

}  // namespace
}  // namespace heddle::gpu::test
