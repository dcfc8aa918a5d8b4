#pragma once

// A dependence policy and a program. Tests issue the program's instructions for any warp in any
// cycle.

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "code/program.h"
#include "exec/block/warp.h"
#include "sm/dependence/dependence.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm::test {

/// R`to` = R`from` + 1
inline code::Instruction add(std::uint32_t to, std::uint32_t from) {
  code::Instruction instruction;
  instruction.operation = code::Operation::add;
  instruction.type = ValueType::u32;
  instruction.destinations = {code::Operand::reg(to)};
  instruction.sources = {code::Operand::reg(from), code::Operand::immediate(1)};
  return instruction;
}

/// P`to` = R`from` == 0
inline code::Instruction compare(std::uint32_t to, std::uint32_t from) {
  code::Instruction instruction = add(0, from);
  instruction.operation = code::Operation::setp;
  instruction.destinations = {code::Operand::predicate(to)};
  return instruction;
}

inline code::Instruction memory_instruction(code::Operation operation) {
  code::Instruction instruction;
  instruction.operation = operation;
  instruction.type = ValueType::u32;
  instruction.space = code::Space::global;
  return instruction;
}

/// [R`to`:`to`+1] = R`from`
inline code::Instruction store(std::uint32_t to, std::uint32_t from) {
  code::Instruction instruction = memory_instruction(code::Operation::store);
  instruction.sources = {code::Operand::reg(to, 2), code::Operand::reg(from)};
  return instruction;
}

/// `words` registers from R`to` on = [R`from`:`from`+1]
inline code::Instruction load(std::uint32_t to, std::uint32_t from, std::uint32_t words = 1) {
  code::Instruction instruction = memory_instruction(code::Operation::load);
  instruction.destinations = {code::Operand::reg(to, words)};
  instruction.sources = {code::Operand::reg(from, 2)};
  return instruction;
}

/// Adds R`from` to [R`at`:`at`+1]; R`to` = the old value
inline code::Instruction atomic(std::uint32_t to, std::uint32_t at, std::uint32_t from) {
  code::Instruction instruction = memory_instruction(code::Operation::atomic);
  instruction.destinations = {code::Operand::reg(to)};
  instruction.sources = {code::Operand::reg(at, 2), code::Operand::reg(from)};
  return instruction;
}

/// Adds R`from` to [R`at`:`at`+1] and returns no old value
inline code::Instruction reduction(std::uint32_t at, std::uint32_t from) {
  code::Instruction instruction = atomic(0, at, from);
  instruction.destinations = {};
  return instruction;
}

inline code::Instruction plain(code::Operation operation) {
  code::Instruction instruction;
  instruction.operation = operation;
  return instruction;
}

inline code::Instruction guarded(code::Instruction instruction, std::uint32_t predicate) {
  instruction.guard.predicate = predicate;
  return instruction;
}

class IssuedProgram {
 public:
  IssuedProgram(std::unique_ptr<Dependence> dependence, std::vector<code::Instruction> instructions)
      : dependence_(std::move(dependence)), table_(program_of(std::move(instructions))) {
    for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) dependence_->start(warp, table_);
  }

  /// Issues the instruction at `pc` in cycle `now`. Its results can be used from cycle `done` on.
  void issue(std::uint32_t pc, std::uint64_t now, std::uint64_t done,
             LaneMask lanes = LaneMask::all(), WarpSlot warp = 0) {
    issue(pc, now, {.at = Cycle(now), .done = Cycle(done), .computed = Cycle(done)}, lanes, warp);
  }
  /// Issues a memory access whose completion time is unknown. complete() identifies it by `access`.
  void issue_miss(std::uint32_t pc, std::uint64_t now, std::uint32_t access,
                  LaneMask lanes = LaneMask::all(), WarpSlot warp = 0) {
    issue(pc, now,
          {.at = Cycle(now),
           .done = Cycle::never(),
           .computed = Cycle::never(),
           .reason = WaitReason::long_latency_result,
           .access = access},
          lanes, warp);
  }
  /// Reports that the access of issue_miss() completes in cycle `done`.
  void complete(std::uint32_t pc, std::uint32_t access, std::uint64_t done, WarpSlot warp = 0) {
    dependence_->complete(warp, table_, table_[pc], access, Cycle(done));
  }
  Readiness ready(std::uint32_t pc, std::uint64_t now, LaneMask lanes = LaneMask::all(),
                  WarpSlot warp = 0) {
    return dependence_->ready(warp, table_, table_[pc], lanes, Cycle(now));
  }
  /// The first cycle from `now` on in which the warp's instruction may issue.
  Cycle first_issue_cycle(std::uint32_t pc, std::uint64_t now, LaneMask lanes = LaneMask::all(),
                          WarpSlot warp = 0) {
    return std::max(ready(pc, now, lanes, warp).at, Cycle(now));
  }
  /// Whether the scoreboard has no space for the warp's next instruction, the one at `pc`.
  bool is_stuck(std::uint32_t pc, std::uint64_t now, WarpSlot warp = 0) {
    ready(pc, now, LaneMask::all(), warp);
    return shared_entries().stuck_warps(set_of(warp), Cycle(now)) != 0;
  }
  std::uint64_t counter(std::string_view name) const {
    CounterList counters;
    dependence_->declare(counters);
    for (const Counter& counter : counters.all()) {
      if (counter.name == name) return *counter.value;
    }
    throw std::invalid_argument("no counter '" + std::string(name) + "'");
  }
  Dependence& dependence() { return *dependence_; }
  /// The entries of a policy whose warps share entries.
  SharedEntries& shared_entries() { return *dependence_->shared_entries(); }
  const IssueTable& table() const { return table_; }

 private:
  static code::Program program_of(std::vector<code::Instruction> instructions) {
    code::Program program;
    program.instructions = std::move(instructions);
    return program;
  }
  void issue(std::uint32_t pc, std::uint64_t now, Issued issued, LaneMask lanes, WarpSlot warp) {
    ready(pc, now, lanes, warp);
    exec::Warp& static_warp = static_warps_[warp];
    static_warp.context.active = lanes.bits();
    issued.lanes = lanes;
    issued.forwarded_from = table_[pc].unit;
    dependence_->issue(warp, table_, table_[pc], issued);
  }

  std::unique_ptr<Dependence> dependence_;
  IssueTable table_;
  std::vector<exec::Warp> static_warps_ = std::vector<exec::Warp>(kMaxWarps);
};

}  // namespace heddle::sm::test
