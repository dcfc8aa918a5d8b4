// Where a compiler says where a warp is suspended (Gebhart's dissertation on on-chip storage for
// throughput processors, section 6.3), it is as the instruction before the mark issues, and until
// all that it has asked of memory is there. Seen by operands that are 'managed' and note what they
// are told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"
#include "sm/issue_table.h"
#include "sm/operands/operands.h"

namespace heddle::gpu::test {
namespace {

using testing::ElementsAre;

struct Change {
  std::string what;
  sm::WarpSlot warp = 0;
  std::uint64_t at = 0;

  friend bool operator==(const Change&, const Change&) = default;
  friend void PrintTo(const Change& change, std::ostream* out) {
    *out << change.what << " " << change.warp << " at " << change.at;
  }
};
/// Of the operands that were made last; there is one multiprocessor.
struct Noted {
  std::vector<Change> changes;
  /// By warp and number of the instruction.
  std::map<std::pair<sm::WarpSlot, std::ptrdiff_t>, std::uint64_t> issues;
};
Noted& noted() {
  static Noted all;
  return all;
}
std::uint64_t issue_of(std::ptrdiff_t instruction, sm::WarpSlot warp = 0) {
  return noted().issues.at({warp, instruction});
}

class NotingOperands final : public sm::Operands {
 public:
  explicit NotingOperands(std::unique_ptr<sm::Operands> managed) : managed_(std::move(managed)) {
    noted() = {};
  }

  Cycle free_from(Cycle now) const override { return managed_->free_from(now); }
  Cycles read_latency() const override { return managed_->read_latency(); }
  Cycle read(sm::WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) override {
    return managed_->read(warp, registers, now);
  }
  Cycle write(sm::WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) override {
    return managed_->write(warp, registers, done);
  }
  Cycle read_sources(const sm::IssuedPass& issued, Cycle now) override {
    noted().issues[{issued.warp, &issued.info - &issued.table[0]}] = now.number;
    return managed_->read_sources(issued, now);
  }
  Cycle write_results(const sm::IssuedInstruction& issued, Cycle done) override {
    return managed_->write_results(issued, done);
  }
  bool follows_control() const override { return managed_->follows_control(); }
  void passed_by(const sm::IssuedInstruction& issued, std::span<const sm::Row> rows,
                 Cycle now) override {
    managed_->passed_by(issued, rows, now);
  }
  Cycles branch_cycles() const override { return managed_->branch_cycles(); }
  bool suspends_by_marks() const override { return managed_->suspends_by_marks(); }
  void activated(sm::WarpSlot warp, Cycle now) override {
    noted().changes.push_back({"activated", warp, now.number});
    managed_->activated(warp, now);
  }
  void suspended(sm::WarpSlot warp, Cycle now) override {
    noted().changes.push_back({"suspended", warp, now.number});
    managed_->suspended(warp, now);
  }
  void ended(sm::WarpSlot warp, Cycle now) override { managed_->ended(warp, now); }
  void declare(CounterList& counters) override { managed_->declare(counters); }

 private:
  std::unique_ptr<sm::Operands> managed_;
};

sm::OperandDescription managed(sm::OperandDescription description) {
  description.policy = "managed";
  return description;
}

struct NotingParameters {
  static sm::OperandProperties properties(const sm::OperandDescription& description) {
    return sm::OperandsRegistry::properties("managed", managed(description));
  }
};
const sm::OperandsRegistry::Entry entry{
    "noting-managed", "for tests: 'managed', with notes of what it is told",
    [](const NotingParameters&, const sm::OperandDescription& description) {
      return std::make_unique<NotingOperands>(sm::make_operands(managed(description)));
    }};

/// One warp is active at a time, and the compiler leaves the order as it is. A load of a warp's
/// words brings the next 128 bytes, too.
const Settings kOneActive{"operands.policy=noting-managed",
                          "operands.main=flat",
                          "operands.checked=yes",
                          "schedule.policy=active-set",
                          "schedule.active_warps=1",
                          "units.integer.latency=8",
                          "isa.scheduling=no",
                          "lsu.address_cycles=2",
                          "l1.latency=20",
                          "l1.line_bytes=256",
                          "l2.present=no",
                          "dram.policy=fixed"};
constexpr std::uint64_t kInteger = 8;
constexpr std::uint64_t kHit = 2 + 20;

/// Instructions 0 to 2 make %at, where a thread has a word; its number is %t. Those of `body` begin
/// with 3, and the last stores %a.
std::string kernel(const std::string& body) {
  return R"(
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b32 table[64];
.visible .entry k(.param .u64 values)
{
  .reg .b32 %t, %a, %b, %c;
  .reg .b64 %at, %offset, %to;
  mov.u32 %t, %tid.x;
  ld.param.u64 %at, [values];
  mul.wide.u32 %offset, %t, 4;
  add.u64 %at, %at, %offset;
)" + body +
         "st.global.u32 [%at], %a;\nret;\n}\n";
}

void run(ChipRun& chip, std::uint32_t warps = 1) {
  chip.launch("k", {1, 1, 1}, {32 * warps, 1, 1}, chip.zeros<std::uint32_t>(4096));
}
void run(const std::string& body, std::uint32_t warps = 1) {
  ChipRun chip(kernel(body), kPlain + kOneActive);
  run(chip, warps);
  EXPECT_EQ(chip.counter("operands.wrong_values"), 0U);
}

const std::string kLoad = "ld.global.u32 %a, [%at];\n";
const std::string kTwoBetween = "mul.lo.u32 %c, %t, %t;\nnot.b32 %c, %c;\n";
const std::string kUse = "xor.b32 %a, %a, %c;\n";

TEST(SuspensionMarks, SuspendAWarpAsTheInstructionBeforeIssues) {
  run(kLoad + kTwoBetween + kUse, 2);
  // Of 0, 1 and 2 each but the first two waits for the one before it, and so does 3, the load; 5
  // waits for 4. The result of 5 is not waited for before the other warp comes.
  const std::uint64_t begin = issue_of(0);
  const std::uint64_t marked = begin + 1 + 2 * kInteger + 1 + kInteger;
  const std::uint64_t other = marked + 1;
  EXPECT_EQ(issue_of(5), marked);
  const std::uint64_t back = issue_of(6);
  const std::uint64_t other_back = issue_of(6, 1);
  EXPECT_GT(back, other + (marked - begin)) << "or the warps are not both pending for a while";
  EXPECT_THAT(
      noted().changes,
      ElementsAre(Change{"activated", 0, begin}, Change{"suspended", 0, marked},
                  Change{"activated", 1, other}, Change{"suspended", 1, other + (marked - begin)},
                  Change{"activated", 0, back}, Change{"activated", 1, other_back}));
}

// What comes of a load whose use is marked, and what of the same code without a mark.
TEST(SuspensionMarks, LetAWarpGoOnAsItsValueComes) {
  run(kLoad + kTwoBetween + kUse);
  const std::uint64_t marked = issue_of(6) - issue_of(3);
  EXPECT_EQ(noted().changes.size(), 3U);

  const Machine machine = machine_of(kPlain + kOneActive);
  code::CompileOptions unmarked = machine.compile_options();
  unmarked.hierarchy->is_long_latency = [](const code::Instruction&) { return false; };
  Chip chip(machine, {});
  device::Device device({.compile = unmarked, .engine = &chip});
  const device::LoadedModule& module =
      device.load({{.file = "test.ptx", .text = kernel(kLoad + kTwoBetween + kUse)}});
  const device::DevicePointer values = device.upload(std::vector<std::uint32_t>(32));
  device.launch_with(device.find_kernel(module, "k"), {.grid = {1, 1, 1}, .block = {32, 1, 1}},
                     values);
  // The warp waits where it is, and loses nothing.
  EXPECT_THAT(noted().changes, ElementsAre(Change{"activated", 0, issue_of(0)}));
  EXPECT_EQ(issue_of(6) - issue_of(3), marked);
  EXPECT_EQ(counter_of(chip.runs().front(), chip.counters(), "operands.wrong_values"), 0U);
}

TEST(SuspensionMarks, WaitForAllThatWasAskedFor) {
  const std::string warm = "ld.global.u32 %c, [%at];\nadd.u32 %c, %c, 1;\n";
  const std::string near = "ld.global.u32 %a, [%at+128];\n";
  const std::string far = "ld.global.u32 %b, [%at+4096];\n";
  run(warm + near + kUse);
  const std::uint64_t miss = issue_of(4) - issue_of(3);
  EXPECT_GT(miss, 2 * kHit);
  EXPECT_EQ(issue_of(6), issue_of(5) + kHit) << "a hit alone";
  // The same hit waits for a miss that is asked for behind it.
  run(warm + near + far + kUse + "add.u32 %a, %a, %b;\n");
  EXPECT_EQ(issue_of(6), issue_of(5) + 1);
  EXPECT_EQ(issue_of(7), issue_of(6) + miss);
  const std::uint64_t asked = issue_of(6);
  ASSERT_EQ(noted().changes.size(), 5U);
  EXPECT_EQ(noted().changes[3], (Change{"suspended", 0, asked}));
  EXPECT_EQ(noted().changes[4], (Change{"activated", 0, asked + miss}));
}

TEST(SuspensionMarks, LetAWarpGoOnAtOnceWhereTheValueIsThereAlready) {
  run(kLoad + repeat(100, "mul.lo.u32 %t, %t, %t;\n") +
      "xor.b32 %a, %a, 5;\nxor.b32 %a, %a, %t;\n");
  const std::uint64_t last = issue_of(4) + 99 * kInteger;
  EXPECT_THAT(noted().changes,
              ElementsAre(Change{"activated", 0, issue_of(0)}, Change{"suspended", 0, last},
                          Change{"activated", 0, last + 1}));
  EXPECT_EQ(issue_of(104), last + 1);
}

TEST(SuspensionMarks, AreNotWhereAConstantMayMiss) {
  const std::string body =
      "mov.u64 %to, table;\nadd.u64 %to, %to, %offset;\n"
      "ld.const.u32 %a, [%to];\nadd.u32 %a, %a, 1;\n";
  run(body);
  EXPECT_GT(issue_of(5), issue_of(4) + 2 * kHit) << "it misses";
  EXPECT_THAT(noted().changes, ElementsAre(Change{"activated", 0, issue_of(0)}));
  // Hardware that goes by what a warp waits for suspends it.
  ChipRun hardware(kernel(body), kPlain + kOneActive + Settings{"operands.policy=register-cache"});
  run(hardware);
  EXPECT_EQ(hardware.counter("operands.suspensions"), 1U);
}

}  // namespace
}  // namespace heddle::gpu::test
