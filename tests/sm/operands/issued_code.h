#pragma once

// A warp that issues hand-written instructions one by one to an operand policy.

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "configure.h"
#include "exec/block/warp.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/operand_access.h"
#include "sm/operands/operands.h"

namespace heddle::sm::test {

using code::Instruction;
using code::Operand;
using code::Operation;

// All lanes of a warp, the lower half, the upper half, and none.
inline constexpr LaneMask kAll = LaneMask::all();
inline constexpr LaneMask kLow(0x0000ffffU);
inline constexpr LaneMask kHigh(0xffff0000U);
inline constexpr LaneMask kNone;

inline Instruction instruction_of(Operation operation, std::vector<Operand> destinations,
                                  std::vector<Operand> sources) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = ValueType::u32;
  for (const Operand& operand : destinations) instruction.destinations.push_back(operand);
  for (const Operand& operand : sources) instruction.sources.push_back(operand);
  return instruction;
}
/// R`to` = 7
inline Instruction set(std::uint32_t to) {
  return instruction_of(Operation::move, {Operand::reg(to)}, {Operand::immediate(7)});
}
/// An instruction that reads a register and writes none. With `last`, the read is marked as the
/// last read of the value.
inline Instruction compare(std::uint32_t from, bool last = false) {
  Operand source = Operand::reg(from);
  source.last_use = last;
  return instruction_of(Operation::setp, {Operand::predicate(0)}, {source});
}
inline Instruction add(std::uint32_t to, std::uint32_t first, std::uint32_t second) {
  return instruction_of(Operation::add, {Operand::reg(to)},
                        {Operand::reg(first), Operand::reg(second)});
}
inline Instruction load(std::uint32_t to) {
  Instruction load = instruction_of(Operation::load, {Operand::reg(to)}, {Operand::constant(0)});
  load.space = code::Space::global;
  return load;
}
inline Instruction store(std::uint32_t value) {
  Instruction store =
      instruction_of(Operation::store, {}, {Operand::constant(0), Operand::reg(value)});
  store.space = code::Space::global;
  return store;
}
/// A branch without a guard.
inline Instruction jump(std::uint32_t target) {
  Instruction branch = instruction_of(Operation::branch, {}, {});
  branch.target = target;
  return branch;
}

class IssuedCode {
 public:
  IssuedCode(std::initializer_list<std::string_view> settings,
             std::vector<Instruction> instructions,
             std::vector<code::InstructionPlacement> placement = {})
      : table_(program_of(std::move(instructions), std::move(placement))),
        operands_(make_operands(configure<OperandDescription>(settings))),
        access_(*operands_) {
    static_warp_.warp = warp_.get();
  }

  /// Issues an instruction for the threads of `path`. Its guard lets the threads of `active`
  /// execute it.
  IssuedCode& issue(std::uint32_t pc, LaneMask path, LaneMask active,
                    AccessedRegisters accessed = {}) {
    const IssueInfo& info = table_[pc];
    const IssuedInstruction issued{kWarp, table_, info, accessed};
    static_warp_.path = path;
    warp_->context.active = active.bits();
    ++now_.number;
    if (info.unit == UnitKind::control) {
      access_.observe_control(issued, {&static_warp_, 1}, now_);
      return *this;
    }
    const Pass pass{.lanes = path, .static_warp = &static_warp_};
    access_.read_sources(issued, {&static_warp_, 1}, pass, 0, now_);
    access_.write_results(issued, now_);
    return *this;
  }
  IssuedCode& issue(std::uint32_t pc, LaneMask path = kAll) { return issue(pc, path, path); }
  /// Issues an instruction that accesses only these of its registers, for all threads.
  IssuedCode& issue_accessing(std::uint32_t pc, AccessedRegisters accessed) {
    return issue(pc, kAll, kAll, accessed);
  }
  /// Issues the instructions from `first` to `last`, inclusive, for all threads.
  IssuedCode& issue_all(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t pc = first; pc <= last; ++pc) issue(pc);
    return *this;
  }
  IssuedCode& suspend(WaitReason reason = WaitReason::long_latency_result) {
    operands_->interfaces().active_set->suspended(kWarp, reason, now_);
    return *this;
  }
  IssuedCode& wait_again(WaitReason reason) {
    operands_->interfaces().active_set->waits_again(kWarp, reason, now_);
    return *this;
  }
  IssuedCode& activate() {
    operands_->interfaces().active_set->activated(kWarp, now_);
    return *this;
  }
  IssuedCode& end() {
    operands_->interfaces().active_set->ended(kWarp, now_);
    return *this;
  }

  std::uint64_t counter_value(const std::string& name) {
    CounterList list;
    operands_->declare(list);
    for (const Counter& counter : list.all()) {
      if (counter.name == name) return *counter.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  /// Checks the counters in `expected` only.
  void expect(const std::map<std::string, std::uint64_t>& expected) {
    for (const auto& [name, count] : expected) EXPECT_EQ(counter_value(name), count) << name;
  }

 private:
  static constexpr WarpSlot kWarp = 3;
  static code::Program program_of(std::vector<Instruction> instructions,
                                  std::vector<code::InstructionPlacement> placement) {
    code::Program program;
    program.instructions = std::move(instructions);
    program.placement = std::move(placement);
    return program;
  }

  IssueTable table_;
  std::unique_ptr<Operands> operands_;
  OperandAccess access_;
  std::unique_ptr<exec::Warp> warp_ = std::make_unique<exec::Warp>();
  StaticWarp static_warp_{.hardware_warp = 5};
  Cycle now_{};
};

}  // namespace heddle::sm::test
