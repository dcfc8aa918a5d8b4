// With compiler-managed register levels, a warp leaves the active set (the warps that may issue)
// exactly at the instructions that the compiler has marked. There it waits for all its outstanding
// loads.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/timing/probe.h"
#include "gpu/traced_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kHit = 3 + 21;  // Address generation and the L1.
/// The cycles of a miss: address generation; the request's path (a cycle until it leaves, the
/// crossbar, and one cycle on each port); the response's path (a line and its header, 136 bytes on
/// ports of 32 bytes per cycle, and the crossbar); memory and its pins.
constexpr std::uint32_t kMiss = 3 + (1 + 1 + 37 + 1) + (5 + 37 + 5) + 211 + 8;

const Settings kMemory{"lsu.address_cycles=3",
                       "l1.latency=21",
                       "interconnect.latency=37",
                       "interconnect.bytes_per_cycle=32",
                       "interconnect.header_bytes=8",
                       "dram.policy=fixed",
                       "dram.latency=211",
                       "dram.overhead=0",
                       "dram.bandwidth_bytes=16",
                       "units.integer.latency=8"};
const Settings kOneActive{"schedule.policy=active-set", "schedule.active_warps=1"};
const Settings kByHardware = kPlain + kMemory + kOneActive + Settings{"operands.policy=flat"};
const Settings kByMarks =
    kPlain + kMemory + kOneActive + Settings{"operands.policy=managed", "operands.main=flat"};

// -- waiting at a mark ----------------------------------------------------------------------------

/// Prepares the addresses of two lines of data; the first is in the L1.
const std::string kTwoLines =
    "mul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %data;\nld.global.u32 %r10, [%rd1];\n";
const std::string kMissLoad = "ld.global.u32 %r1, [%rd1+128];\n";
const std::string kHitLoad = "ld.global.u32 %r2, [%rd1];\n";
/// Depends on the load that hits, not on the one that misses.
const std::string kUse = "add.u32 %r3, %r2, 5;\n";

/// Cycles between two clock reads around `body`.
std::uint32_t cycles_of(const std::string& body, const Settings& settings) {
  return ProbeRun({.setup = kTwoLines,
                   .body = clock(0) + body + clock(1),
                   .keep = registers("%r", 3, 1) + Settings{"%r10"}},
                  machine_of(settings))
      .cycles();
}

TEST(ManagedSuspension, LastsUntilAllLoadsOfTheWarpReturn) {
  const std::string both = kMissLoad + kHitLoad + kUse;
  // The loads issue in cycles 1 and 2; the second clock is read in the cycle after the use.
  EXPECT_EQ(cycles_of(both, kByHardware), 2 + kHit + 1)
      << "hardware waits only for the value that is read";
  EXPECT_EQ(cycles_of(both, kByMarks), 1 + kMiss + 1);
}

TEST(ManagedSuspension, LastsAsLongAsASingleLoad) {
  EXPECT_EQ(cycles_of(kMissLoad + "add.u32 %r3, %r1, 5;\n", kByMarks), 1 + kMiss + 1);
}

TEST(ManagedSuspension, TakesNoTimeWhenTheValueIsAvailable) {
  // The last instruction, a multiply-add that also reads the loaded value, waits for a chain of
  // three operations of 8 cycles each. The loaded value has arrived by then.
  const std::string chain = "not.b32 %r4, %lane;\n" + repeat(3, "mul.lo.u32 %r4, %r4, 77;\n");
  const std::string use = "add.u32 %r3, %r4, %r2;\n";
  static_assert(1 + kHit <= 2 + 3 * 8);
  EXPECT_EQ(cycles_of(kHitLoad + chain + use, kByHardware), 2 + 3 * 8 + 1);
  EXPECT_EQ(cycles_of(kHitLoad + chain + use, kByMarks), 2 + 3 * 8 + 1);
}

// -- replacement in the active set ----------------------------------------------------------------

std::string kernel_of(const std::string& body) {
  return R"(
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b32 table[32] = {7};
.visible .entry marked(.param .u64 values)
{
  .reg .b32 %thread, %r<9>;
  .reg .b64 %at, %offset;
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %offset, %thread, 4;
  ld.param.u64 %at, [values];
  add.u64 %at, %at, %offset;
)" + body +
         "ret;\n}\n";
}

/// The issue cycles of two warps, only one of which is active at a time.
class TwoWarps {
 public:
  TwoWarps(const std::string& body, const Settings& settings) {
    TraceText trace;
    ChipRun chip(kernel_of(body), machine_of(settings), {.trace = trace.trace()});
    chip.launch("marked", {1, 1, 1}, {64, 1, 1}, chip.zeros<std::uint32_t>(512));
    program_ = chip.program();
    for (const TracedEvent& event : trace.events()) {
      if (event.event == "issue") issued_[event.subject].push_back(event.cycle);
    }
  }
  /// The cycle in which a warp issued the instruction at `pc`.
  std::uint64_t issue(int warp, std::size_t pc) const {
    return issued_.at("w" + std::to_string(warp)).at(pc);
  }
  /// The instructions that the compiler has marked as suspension points.
  std::vector<std::size_t> marks() const {
    std::vector<std::size_t> marks;
    for (std::size_t pc = 0; pc < program_.placement.size(); ++pc) {
      if (program_.placement[pc].suspends) marks.push_back(pc);
    }
    return marks;
  }
  std::size_t size() const { return program_.instructions.size(); }

 private:
  code::Program program_;
  std::map<std::string, std::vector<std::uint64_t>> issued_;
};

TEST(ManagedSuspension, ReleasesTheActivePlaceEvenIfTheValueIsAvailable) {
  // The second address is in the line that the first load fetched.
  const std::string body =
      "ld.global.u32 %r1, [%at];\nmul.wide.u32 %offset, %r1, 4;\nadd.u64 %at, %at, %offset;\n"
      "ld.global.u32 %r2, [%at];\nnot.b32 %r3, %r1;\n" +
      repeat(5, "mul.lo.u32 %r3, %r3, 77;\n") +
      "add.u32 %r3, %r3, %r2;\nst.global.u32 [%at], %r3;\n";
  const TwoWarps by_marks(body, kByMarks);
  //  4  mad_wide R2:3, the second address     7..10  multiplications
  //  5  not, where a chain begins               11   mad_lo of their end and the second value
  //  6  load of the second value                12   store
  ASSERT_EQ(by_marks.marks(), (std::vector<std::size_t>{4, 11}));
  // When instruction 10 issues, the mark at 11 suspends the warp. The other warp's first value has
  // arrived.
  EXPECT_EQ(by_marks.issue(1, 4), by_marks.issue(0, 10) + 1);
  // That warp reaches its own mark, and the first warp becomes active again.
  EXPECT_EQ(by_marks.issue(0, 11), by_marks.issue(1, 10) + 1);

  const TwoWarps by_hardware(body, kByHardware);
  EXPECT_EQ(by_hardware.issue(0, 11), by_hardware.issue(0, 10) + 8)
      << "the warp keeps its place until the end of the chain";
  EXPECT_EQ(by_hardware.issue(1, 4), by_hardware.issue(0, by_hardware.size() - 1) + 1);
}

TEST(ManagedSuspension, DoesNotHappenForConstants) {
  // Instruction 1 loads the constant, 4 reads it, 6 is the exit.
  const std::string body =
      "ld.const.u32 %r1, [table];\nadd.u32 %r2, %r1, %thread;\nst.global.u32 [%at], %r2;\n";
  const TwoWarps by_marks(body, kByMarks);
  ASSERT_EQ(by_marks.size(), 7u);
  EXPECT_EQ(by_marks.marks(), std::vector<std::size_t>());
  EXPECT_GT(by_marks.issue(0, 4), by_marks.issue(0, 3) + kMiss - 30) << "the constant misses";
  EXPECT_EQ(by_marks.issue(1, 0), by_marks.issue(0, 6) + 1);

  const TwoWarps by_hardware(body, kByHardware);
  EXPECT_EQ(by_hardware.issue(1, 0), by_hardware.issue(0, 3) + 1);
}

TEST(ManagedSuspension, DoesNotHappenWithoutLongLatencyMarks) {
  // The active warp then keeps its place and waits for its load, and no value is wrong.
  const Machine machine = machine_of(kByMarks + Settings{"operands.check_values=yes"});
  code::CompileOptions compile = machine.compile_options();
  compile.hierarchy->is_long_latency = [](const code::Instruction&) { return false; };
  Chip chip(machine, {});
  device::Device device({.compile = compile, .engine = &chip});
  const device::LoadedModule& module =
      device.load({{.file = "test.ptx",
                    .text = kernel_of("ld.global.u32 %r1, [%at];\nadd.u32 %r2, %r1, %thread;\n"
                                      "st.global.u32 [%at], %r2;\n")}});
  const std::vector<std::uint32_t> values(64, 21);
  device.launch_with(device.find_kernel(module, "marked"), {.grid = {1, 1, 1}, .block = {64, 1, 1}},
                     device.upload(values));
  const auto counted = [&](const std::string& name) {
    return counter_of(chip.runs().back(), chip.counters(), "operands." + name);
  };
  EXPECT_EQ(counted("suspensions"), 0u);
  EXPECT_EQ(counted("strands"), 2u) << "one for each warp";
  EXPECT_GT(counted("checked_values"), 0u);
  EXPECT_EQ(counted("wrong_values"), 0u);
}

}  // namespace
}  // namespace heddle::gpu::test
