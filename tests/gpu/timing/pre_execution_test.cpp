// Pre-execution (lookahead.policy=pre-execution): while a warp waits for memory, it computes
// results that it reuses afterwards (sm/lookahead/pre_execution.cpp). The rows of the table in
// docs/timing/pre-execution.md are tests here.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "energy/account.h"
#include "gpu/timing/probe.h"
#include "gpu/traced_run.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAddress = 2;
constexpr std::uint32_t kL1 = 20;
/// From a miss to its data, as in lookahead_test.cpp: the request's path, memory and a cycle on its
/// pins, and the response's path.
constexpr std::uint32_t kMiss = (1 + 1 + 40 + 1) + (300 + 1) + (1 + 40 + 1);
/// From the second clock read of two_loads() to the third, if the second line has been preloaded in
/// time, and if not.
constexpr std::uint32_t kHit = 1 + kAddress + kL1 + 1;
constexpr std::uint32_t kNoPreload = 1 + kAddress + kMiss + 1;
/// When the first load of a probe is used: the load issues one cycle after the clock read.
constexpr std::uint32_t kFirstUse = 1 + kAddress + kMiss;

Settings machine_with(const Settings& more = {}) {
  return Settings{"lsu.address_cycles=2",
                  "l1.latency=20",
                  "interconnect.latency=40",
                  "interconnect.bytes_per_cycle=256",
                  "dram.policy=fixed",
                  "dram.latency=300",
                  "dram.bandwidth_bytes=128",
                  "dram.overhead=0",
                  "lookahead.policy=pre-execution"} +
         more;
}

/// %l1 is %data - 1; see lookahead_test.cpp.
const std::string kBase =
    "cvt.u64.u32 %l1, %settled;\nsub.u64 %l1, %data, %l1;\ncvt.u32.u64 %r50, %l1;\n";

/// A load of the word 1024 * `number`, in a line of its own.
std::string load(const std::string& to, int number) {
  return "ld.global.u32 " + to + ", [%l1+" + std::to_string(number * 4096 + 1) + "];\n";
}

/// `length` multiplications, each of which needs the result of the one before.
std::string chain(int length) { return repeat(length, "mul.lo.u32 %r20, %r20, %r21;\n"); }

/// A load and its use, a clock read, and `after`, which is executed ahead while the use waits.
Probe wait_and_then(const std::string& after) {
  return {.setup = "mov.u32 %r20, %lane;\nadd.u32 %r21, %lane, 3;\n",
          .body = kBase + clock(0) + load("%r1", 1) + "add.u32 %r11, %r1, 5;\n" + clock(1) + after +
                  clock(2),
          .stamps = 3,
          .keep = {"%r11", "%r20", "%r50"}};
}

TEST(PreExecutionTiming, ReusedInstructionsIssueOneEachCycle) {
  // From the clock read, the first multiplication issues after a cycle. Reused ones issue in
  // consecutive cycles; executed ones wait for the result before.
  constexpr std::uint32_t kLatency = 30;
  constexpr int kLength = 6;
  for (const std::uint32_t entries : {0U, 1U, 3U, 6U, 8U}) {
    SCOPED_TRACE(entries);
    const ProbeRun run(wait_and_then(chain(kLength)),
                       machine_with({"units.integer.latency=30",
                                     "lookahead.queue_entries=" + std::to_string(entries)}));
    const std::uint32_t reused = std::min<std::uint32_t>(entries, kLength);
    const std::uint32_t executed = kLength - reused;
    const std::uint32_t last_issue =
        executed == 0 ? reused : reused + 1 + (executed - 1) * kLatency;
    EXPECT_EQ(run.cycles(0), kFirstUse + 1) << "the wait is as long as without pre-execution";
    EXPECT_EQ(run.cycles(1), last_issue + 1);
    EXPECT_EQ(run.counter("lookahead.wrong_results"), 0U);
  }
}

TEST(PreExecutionTiming, ResultOnItsWayIsUsedWhenItIsWritten) {
  // The wait begins at 1. The use is skipped at 2 and the clock read at 3. The first multiplication
  // issues at 4 and the second at 204, whose result is written at 404. The warp returns at
  // kFirstUse. It reuses both at once, but the last instruction must wait for the second.
  const std::string code = chain(2) + "xor.b32 %r20, %r20, 1;\n";
  const auto run = [&](const std::string& entries) {
    return ProbeRun(wait_and_then(code), machine_with({"units.integer.latency=200",
                                                       "lookahead.queue_entries=" + entries}));
  };
  const std::uint32_t clock_read = kFirstUse + 1;
  EXPECT_EQ(run("2").cycles(1), 404 - clock_read + 1);
  EXPECT_EQ(run("1").cycles(1), 2 + 200 + 1) << "the second one is executed";
}

TEST(PreExecutionTiming, SecondWaitDropsWhatTheFirstHasQueued) {
  // The second line arrives a cycle after the first. In the cycle in which the first wait ends, the
  // first use issues, and the second one begins to wait. The three results of the first wait are
  // dropped, and the second wait is over before it has computed them again.
  const Probe probe{.setup = "mov.u32 %r20, %lane;\nadd.u32 %r21, %lane, 3;\n",
                    .body = kBase + clock(0) + load("%r1", 1) + load("%r2", 2) +
                            "add.u32 %r11, %r1, 5;\nadd.u32 %r12, %r2, 5;\n" + clock(1) + chain(3) +
                            clock(2),
                    .stamps = 3,
                    .keep = {"%r11", "%r12", "%r20", "%r50"}};
  const ProbeRun run(probe, machine_with({"units.integer.latency=30"}));
  EXPECT_EQ(run.cycles(0), kFirstUse + 2);
  EXPECT_EQ(run.cycles(1), 1 + 2 * 30 + 1U);
  // The probe's two waits before the measurement have queued the three instructions, too.
  EXPECT_EQ(run.counter("lookahead.dropped"), 3 * 3U);
}

TEST(PreExecutionTiming, WithoutQueueItOnlyPreloads) {
  const ProbeRun run(wait_and_then(chain(3) + load("%r2", 2) + "add.u32 %r20, %r20, %r2;\n"),
                     machine_with({"lookahead.queue_entries=0"}));
  EXPECT_EQ(run.counter("lookahead.reused"), 0U);
  EXPECT_EQ(run.counter("lookahead.queue_accesses"), 0U);
  // The first load misses, and the second hits the line that its preload has fetched.
  EXPECT_EQ(run.counter("l1.hits"), 1U);
  EXPECT_EQ(run.counter("l1.misses"), 2U);
  EXPECT_EQ(run.counter("lookahead.l1_misses"), 1U);
}

TEST(PreExecutionTiming, IssuesNothingAheadWithoutRenamingRegisters) {
  const ProbeRun run(wait_and_then(chain(3) + load("%r2", 2) + "add.u32 %r20, %r20, %r2;\n"),
                     machine_with({"lookahead.rename_registers=0"}));
  EXPECT_GT(run.counter("lookahead.contexts"), 0U);
  EXPECT_EQ(run.counter("lookahead.warp_instructions"), 0U);
  EXPECT_EQ(run.counter("l1.hits"), 0U);
}

TEST(PreExecutionTiming, WaitsForAFreeRenamingRegister) {
  // Each result in the queue keeps its register. With `count` of them, so many are reused.
  constexpr std::uint32_t kLatency = 30;
  for (const std::uint32_t count : {1U, 2U, 4U}) {
    SCOPED_TRACE(count);
    const ProbeRun run(wait_and_then(chain(6)),
                       machine_with({"units.integer.latency=30",
                                     "lookahead.rename_registers=" + std::to_string(count)}));
    EXPECT_EQ(run.cycles(1), count + 1 + (6 - count - 1) * kLatency + 1);
  }
}

TEST(PreExecutionTiming, RegistersOfBlocksAreNotRenamingRegisters) {
  // The block has one warp. Its registers are those of the whole multiprocessor, except two.
  const Probe probe = wait_and_then(chain(6));
  const ProbeRun all(probe, machine_with());
  const auto reused = [&](std::uint32_t free) {
    const std::uint32_t used = all.chip().last_launch().registers_per_thread;
    return ProbeRun(probe, machine_with({"units.integer.latency=30", "sm.register_unit=32",
                                         "sm.registers=" + std::to_string(32 * (used + free))}))
        .cycles(1);
  };
  EXPECT_EQ(reused(2), 2 + 1 + 3 * 30 + 1U);
  EXPECT_EQ(reused(6), 6 + 1U);
}

/// A row of the table of instructions.
struct Row {
  std::string name;
  std::string code;  ///< Between two loads. The first is in flight, and its use waits.
  int reused = 0;    ///< How many instructions of `code` are reused.
  /// How many loads are preloaded. The last one is that of the second line, if P-mode gets there.
  int preloads = 1;
  Settings settings{};
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

/// The code uses shared memory at %r40, constants at %l6, and local memory at %l8. %p2 is true for
/// all lanes, %p3 for some, and %p4 for none. %r11 is the awaited value plus 5.
ProbeRun run_row(const std::string& code, const Settings& settings = {}) {
  return ProbeRun(
      {.setup = "ld.global.u32 %r5, [%data+4];\nsetp.ne.u32 %p2, %r5, 77;\n"
                "setp.lt.u32 %p3, %lane, 9;\nmov.u32 %r40, words;\nmad.lo.u32 %r40, %lane, 4, "
                "%r40;\nmov.u32 %r13, %thread;\nmov.u32 %r14, 0;\nmul.wide.u32 %l6, %warp, 4;\n"
                "mov.u64 %l7, table;\nadd.u64 %l6, %l6, %l7;\nmul.wide.u32 %l8, %warp, 4;\nmov.u64 "
                "%l7, stack;\n"
                "add.u64 %l8, %l8, %l7;\nst.local.u32 [%l8], %lane;\nsetp.gt.u32 %p4, %lane, 77;\n",
       .body = kBase + clock(0) + load("%r1", 1) + "add.u32 %r11, %r1, 5;\n" + clock(3) + code +
               clock(1) + load("%r2", 2) + "add.u32 %r12, %r2, 5;\n" + clock(2),
       .stamps = 4,
       .keep = {"%r11", "%r12", "%r13", "%r14", "%r50", "%l6"},
       .declarations = ".shared .align 4 .b8 words[512];\n"
                       ".const .align 4 .b32 table[4] = {5, 6, 7, 8};\n",
       .locals = ".local .align 4 .b8 stack[64];\n"},
      machine_with(Settings{"isa.predication=no"} + settings));
}

class PreExecutionRow : public testing::TestWithParam<Row> {};

TEST_P(PreExecutionRow, IsReusedAndPassedAsTheTableSays) {
  const ProbeRun run = run_row(GetParam().code, GetParam().settings);
  EXPECT_EQ(run.counter("lookahead.reused"), run_row("").counter("lookahead.reused") +
                                                 static_cast<std::uint64_t>(GetParam().reused));
  EXPECT_EQ(run.counter("lookahead.preloads"), static_cast<std::uint64_t>(GetParam().preloads));
  if (GetParam().preloads == 0) {
    EXPECT_EQ(run.cycles(1), kNoPreload);
  } else {
    // If the preload issued late, the load gets its data when they arrive, before a hit would.
    EXPECT_LE(run.cycles(1), kHit);
  }
  EXPECT_EQ(run.counter("lookahead.wrong_results"), 0U);
  EXPECT_EQ(run.counter("lookahead.registers_taken"), run.counter("lookahead.registers_freed"));
}

const std::string kAdd = "add.u32 %r13, %lane, 77;\n";
const std::string kSharedLoad = "ld.shared.u32 %r13, [%r40];\n";
const std::string kLocalLoad =
    "sub.u64 %l9, %l1, %data;\nadd.u64 %l9, %l9, %l8;\nld.local.u32 %r13, [%l9+1];\n";
const std::string kUnknownGuard = "setp.gt.u32 %p1, %r11, 5;\n";

std::vector<Row> rows() {
  return {
      {"arithmetic", kAdd, 1},
      {"unknown source", "add.u32 %r13, %r11, 7;\n", 0},
      {"chain behind unknown source", "add.u32 %r13, %r11, 7;\nmul.lo.u32 %r14, %r13, 3;\n", 0},
      {"result of two registers", "mad.wide.u32 %l5, %lane, 12, %l1;\ncvt.u32.u64 %r13, %l5;\n", 1},
      {"predicate", "setp.gt.u32 %p5, %lane, 5;\nselp.u32 %r13, %lane, 7, %p5;\n", 2},
      {"guard of some threads", "@%p3 add.u32 %r13, %lane, 77;\n", 1},
      {"unknown guard", kUnknownGuard + "@%p1 add.u32 %r13, %lane, 77;\n", 0},
      {"some threads, unknown old value",
       "add.u32 %r13, %r11, 1;\n@%p3 mul.lo.u32 %r13, %lane, 9;\n", 0},
      {"known branch", "@%p2 bra AROUND;\nst.global.u32 [%result], %lane;\nAROUND:\n" + kAdd, 1},
      {"unknown branch",
       kUnknownGuard + "@%p1 bra AROUND;\nst.global.u32 [%result], %lane;\n" +
           "st.global.u32 [%result], %thread;\nAROUND:\n" + kAdd,
       0, 0},
      {"store", "st.global.u32 [%result], %lane;\n" + kAdd, 1},
      {"shared load", kSharedLoad, 1},
      {"shared load after store", "st.shared.u32 [%r40+128], %lane;\n" + kSharedLoad, 0},
      {"shared load after global store", "st.global.u32 [%result], %lane;\n" + kSharedLoad, 1},
      {"shared load after barrier", "bar.sync 0;\n" + kSharedLoad, 0},
      {"shared load after fence", "membar.cta;\n" + kSharedLoad, 0},
      {"shared load after shared atomic", "red.shared.add.u32 [%r40+128], 1;\n" + kSharedLoad, 0},
      {"shared load after global atomic", "red.global.add.u32 [%result], 1;\n" + kSharedLoad, 1},
      {"volatile shared load", "ld.volatile.shared.u32 %r13, [%r40];\n", 0},
      {"constant load", "ld.const.u32 %r13, [%l6];\n", 1},
      {"barrier", "bar.sync 0;\n" + kAdd, 1},
      {"fence", "membar.gl;\n" + kAdd, 1},
      {"atomic", "atom.global.add.u32 %r14, [%result], 1;\n" + kAdd, 1},
      // Earlier waits do not know these addresses. The local one takes two instructions.
      {"local load", kLocalLoad, 2, 1},
      {"preloaded local load", kLocalLoad, 2, 2, {"lookahead.preload_local=yes"}},
      {"global load", "ld.global.u32 %r13, [%l1+513];\n", 0, 2},
      {"load that bypasses the L1", "ld.volatile.global.u32 %r13, [%data+512];\n", 0, 1},
      {"exit of no thread", "@%p4 exit;\n" + kAdd, 1},
      {"exit of unknown threads", "setp.eq.u32 %p1, %r11, 3;\n@%p1 exit;\n" + kAdd, 0, 0},
      {"shared load after copy, whose address is reused",
       "cp.async.ca.shared.global [%r40], [%data+512], 4;\ncp.async.wait_all;\n" + kSharedLoad, 2},
      {"in reach", repeat(50, "add.u32 %r13, %r13, %r11;\n"), 0},
      {"out of reach", repeat(64, "add.u32 %r13, %r13, %r11;\n"), 0, 0},
  };
}

INSTANTIATE_TEST_SUITE_P(, PreExecutionRow, testing::ValuesIn(rows()), [](const auto& tested) {
  std::string name = tested.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == ','; }, '_');
  return name;
});

/// The loop of the paper's Figure 5, with registers of 64 bits because they hold addresses. The
/// loop runs twice. The instructions are those of the figure, but the compiler moves the
/// multiplication behind the comparison.
const std::string kFigure5 = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry figure(.param .u64 data, .param .u64 result)
{
  .reg .b64 %r<7>;
  .reg .pred %p;
  ld.param.u64 %r1, [data];
  ld.param.u64 %r6, [result];
  add.u64 %r4, %r1, 8192;
  mov.u64 %r5, 4096;
  add.u64 %r2, %r1, %r5;
LOOP:
  ld.global.u64 %r0, [%r1];
  add.u64 %r2, %r2, 4096;
  mul.lo.u64 %r3, %r0, %r2;
  sub.u64 %r1, %r2, %r5;
  setp.lt.u64 %p, %r1, %r4;
  @%p bra LOOP;
  st.global.u64 [%r6], %r3;
  ret;
}
)";

TEST(PreExecutionTiming, RunsFigure5CycleByCycle) {
  TraceText trace;
  const Machine machine = machine_of(kPlain + machine_with({"units.integer.latency=10"}));
  ChipRun run(kFigure5, machine, {.trace = trace.trace()});
  const device::DevicePointer data = run.zeros<std::uint32_t>(65536);
  run.launch("figure", {1}, {32}, data, run.zeros<std::uint64_t>(1));
  // Each event of the loop and of what follows it, with its cycle since the first load.
  const std::map<std::string, std::string> names{{"pc4", "ld"},  {"pc5", "add"},  {"pc6", "sub"},
                                                 {"pc7", "set"}, {"pc8", "mul"},  {"pc9", "br"},
                                                 {"pc10", "st"}, {"pc11", "exit"}};
  std::vector<std::string> found;
  std::uint64_t begin = 0;
  for (const TracedEvent& event : trace.events()) {
    const bool is_shown = event.event == "issue" || event.event == "issue_ahead" ||
                          event.event == "reuse" || event.event == "block";
    if (!is_shown || !names.contains(event.pc)) continue;
    if (begin == 0) begin = event.cycle;
    found.push_back(std::to_string(event.cycle - begin) + " " + event.event + " " +
                    names.at(event.pc));
  }
  // An operation of 64 bits is two of 32, so that its result can be used after 11 cycles; the
  // multiplication is four. After a branch, 4 cycles pass until the next instruction, and 5 if it
  // jumps.
  const std::vector<std::string> expected{
      "0 issue ld", "10 issue add", "21 issue sub", "32 issue set",
      // The multiplication waits for the load, and is skipped ahead. So are the second one, which
      // waits for the preload, and the store.
      "33 block mul", "43 issue_ahead br", "48 issue_ahead ld", "49 issue_ahead add",
      "60 issue_ahead sub", "71 issue_ahead set", "82 issue_ahead br", "87 issue_ahead exit",
      // The data arrive. Three results are reused.
      "388 issue mul", "389 issue br", "394 issue ld", "395 issue add", "395 reuse add",
      "396 issue sub", "396 reuse sub", "397 issue set", "397 reuse set",
      // The second load waits for the line that was preloaded: until 48 + 388.
      "398 block mul", "399 issue_ahead br", "404 issue_ahead exit", "436 issue mul",
      "437 issue br", "449 issue st", "450 issue exit"};
  EXPECT_EQ(found, expected);
}

/// The cycles of the scheduler, whose only warp waits for memory, by what stalls P-mode.
std::map<std::string, std::uint64_t> stalls_of(const ChipRun& run) {
  std::map<std::string, std::uint64_t> stalls;
  std::uint64_t sum = 0;
  for (const std::string name :
       {"sp_sfu_full", "lsu_full", "no_register", "short_latency_raw", "instruction_buffer_empty",
        "long_latency_raw", "barrier_wait", "no_instruction_left"}) {
    const std::uint64_t cycles = run.counter("lookahead.stalls." + name);
    if (cycles != 0) stalls[name] = cycles;
    sum += cycles;
  }
  EXPECT_EQ(sum, run.counter("scheduler.long_scoreboard"));
  return stalls;
}

TEST(PreExecutionTiming, CountsTheStallsOfFigure5) {
  ChipRun run(kFigure5, machine_of(kPlain + machine_with({"units.integer.latency=10"})));
  const device::DevicePointer data = run.zeros<std::uint32_t>(65536);
  run.launch("figure", {1}, {32}, data, run.zeros<std::uint64_t>(1));
  // The cycles of RunsFigure5CycleByCycle, except those in which an instruction issues. The
  // multiplication is skipped at 33, 72 and 398, and the store at 86 and 403. The buffer is also
  // empty after the branches. The exit issues at 87 and 404, and the waits end at 388 and 436.
  const std::map<std::string, std::uint64_t> expected{
      {"instruction_buffer_empty", 1 + (87 - 44) - (82 - 48 + 1) + 1 + 1 + (404 - 400)},
      {"short_latency_raw", (43 - 34) + (60 - 50) + (71 - 61) + (82 - 73)},
      {"no_instruction_left", (388 - 88) + (436 - 405)}};
  EXPECT_EQ(stalls_of(run), expected);
}

/// A load, which issues at 0, and its use, which waits until kFirstUse - 1. P-mode skips the use at
/// 1. Then it comes to `code`, which may use %lane, %p2, which some lanes have, and the awaited
/// value plus 5, %r11.
std::map<std::string, std::uint64_t> stalls_in(const std::string& code,
                                               const Settings& settings = {}) {
  ChipRun run(R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry wait(.param .u64 data)
{
  .reg .b64 %l<4>;
  .reg .b32 %r<20>, %lane;
  .reg .f32 %f<4>;
  .reg .pred %p<4>;
  mov.u32 %lane, %tid.x;
  mov.b32 %f0, %lane;
  ld.param.u64 %l1, [data];
  setp.lt.u32 %p2, %lane, 9;
  ld.global.u32 %r1, [%l1];
  add.u32 %r11, %r1, 5;
)" + code +
                  "st.global.u32 [%l1], %r11;\nst.global.u32 [%l1+4], %r13;\n"
                  "st.global.u32 [%l1+8], %r14;\nst.global.u32 [%l1+12], %r15;\nret;\n}\n",
              machine_of(kPlain +
                         machine_with({"isa.scheduling=no", "isa.predication=no",
                                       "units.integer.latency=10"}) +
                         settings));
  run.launch("wait", {1}, {32}, run.zeros<std::uint32_t>(65536));
  return stalls_of(run);
}

/// The cycles from the one after the use is skipped until the wait is over.
constexpr std::uint64_t kAfterUse = kFirstUse - 1 - 2;

using Stalls = std::map<std::string, std::uint64_t>;

TEST(PreExecutionTiming, CountsTheStallsOfABranchThatNeedsTheData) {
  // The comparison is skipped at 2. From then on, the warp has halted at the branch.
  EXPECT_EQ(stalls_in("setp.gt.u32 %p1, %r11, 7;\n@%p1 bra END;\nadd.u32 %r13, %lane, 1;\nEND:\n"),
            (Stalls{{"instruction_buffer_empty", 1}, {"long_latency_raw", kAfterUse}}));
}

TEST(PreExecutionTiming, CountsTheStallsOfABarrierOfSomeThreads) {
  // The branch issues at 2.
  EXPECT_EQ(stalls_in("@%p2 bra END;\nbar.sync 0;\nEND:\n", {"units.integer.latency=1"}),
            (Stalls{{"instruction_buffer_empty", 1}, {"barrier_wait", kAfterUse - 1}}));
}

TEST(PreExecutionTiming, CountsTheStallsWithoutARenamingRegister) {
  EXPECT_EQ(stalls_in("add.u32 %r13, %lane, 1;\n", {"lookahead.rename_registers=0"}),
            (Stalls{{"instruction_buffer_empty", 1}, {"no_register", kAfterUse}}));
}

TEST(PreExecutionTiming, CountsTheStallsOfABusyUnit) {
  // Each of the three instructions occupies the unit for 32 cycles. They issue at 2, 34 and 66. The
  // four stores are skipped, and the exit issues at 71.
  EXPECT_EQ(stalls_in("ex2.approx.ftz.f32 %f1, %f0;\nlg2.approx.ftz.f32 %f2, %f0;\n"
                      "rsqrt.approx.ftz.f32 %f3, %f0;\n"
                      "mov.b32 %r13, %f1;\nmov.b32 %r14, %f2;\nmov.b32 %r15, %f3;\n",
                      {"units.special.lanes=1"}),
            (Stalls{{"instruction_buffer_empty", 1 + 4},
                    {"sp_sfu_full", 31 + 31},
                    {"no_instruction_left", kAfterUse - (71 - 1)}}));
}

TEST(PreExecutionTiming, CountsTheStallsOfAFullQueueToMemory) {
  // The queue has space for one load, which is accessed 21 cycles after its issue. The preloads,
  // which could issue at 2 and 22, issue at 21 and 42.
  EXPECT_EQ(stalls_in("ld.global.u32 %r13, [%l1+4096];\nld.global.u32 %r14, [%l1+8192];\n",
                      {"lsu.queue=1", "lsu.address_cycles=20"})["lsu_full"],
            19 + 20U);
}

TEST(PreExecutionTiming, NormalFetchesGoFirst) {
  // Warp 0 waits for memory, and could execute a long chain ahead. Warp 1 issues in each cycle, and
  // needs the only port in each cycle for that.
  const Probe probe{
      .setup = "mov.u32 %r20, %lane;\nadd.u32 %r21, %lane, 3;\nsetp.eq.u32 %p1, %warp, 0;\n",
      .body = kBase + "@%p1 bra LOAD;\n" + clock(0) +
              repeat(200, "mad.lo.u32 %r22, %r22, %r21, %r22;\n") + clock(1) + "bra END;\nLOAD:\n" +
              load("%r1", 1) + "add.u32 %r11, %r1, 5;\n" +
              repeat(40, "mul.lo.u32 %r20, %r20, %r21;\n") + "END:\n",
      .keep = {"%r11", "%r20", "%r22", "%r50"}};
  const auto cycles = [&](const std::string& policy) {
    return ProbeRun(probe,
                    machine_with({"lookahead.policy=" + policy, "fetch.width=1", "fetch.ports=1",
                                  "fetch.buffer=2", "units.integer.latency=1"}),
                    2)
        .cycles(0, 1);
  };
  EXPECT_EQ(cycles("pre-execution"), cycles("none"));
}

TEST(PreExecution, IsChargedForItsStructuresAndNotForDecodingAgain) {
  const Machine machine = machine_of(kPlain + machine_with());
  const energy::Technology technology = energy::load_technology("preexec-40nm");
  using Counts = std::map<std::string, std::uint64_t, std::less<>>;
  const auto dynamic = [&](const Counts& counts, energy::Component component) {
    return energy::account(technology, machine, {.counters = counts})
        .find(component)
        .dynamic_energy;
  };
  // Table 1 of the paper: 100, 2.94 and 4.15 pJ.
  EXPECT_EQ(dynamic({{"lookahead.contexts", 10},
                     {"lookahead.renamings", 100},
                     {"lookahead.queue_accesses", 1000}},
                    energy::Component::preexecution),
            1000 + 294 + 4150U);
  const auto decode = [&](const Counts& counts) {
    return dynamic(counts, energy::Component::decode);
  };
  EXPECT_GT(decode({{"sm.warp_instructions", 6}}), 0U);
  EXPECT_EQ(decode({{"sm.warp_instructions", 10}, {"lookahead.reused", 4}}),
            decode({{"sm.warp_instructions", 6}}));
}

TEST(PreExecution, RejectsWhatRunAheadRejects) {
  EXPECT_THROW(machine_of(machine_with({"units.bypass=yes"})), InputError);
  EXPECT_THROW(machine_of(machine_with({"branch.policy=static"})), InputError);
}

}  // namespace
}  // namespace heddle::gpu::test
