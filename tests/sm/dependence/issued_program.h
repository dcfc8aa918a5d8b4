#pragma once

// A dependence policy and a program, whose instructions any warp issues when the test likes.

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "code/program.h"
#include "exec/block/warp.h"
#include "sm/dependence/dependence.h"
#include "sm/pipeline/travellers.h"

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
inline code::Instruction test(std::uint32_t to, std::uint32_t from) {
  code::Instruction instruction = add(0, from);
  instruction.operation = code::Operation::setp;
  instruction.destinations = {code::Operand::predicate(to)};
  return instruction;
}

inline code::Instruction of_memory(code::Operation operation) {
  code::Instruction instruction;
  instruction.operation = operation;
  instruction.type = ValueType::u32;
  instruction.space = code::Space::global;
  return instruction;
}

/// [R`to`:`to`+1] = R`from`
inline code::Instruction store(std::uint32_t to, std::uint32_t from) {
  code::Instruction instruction = of_memory(code::Operation::store);
  instruction.sources = {code::Operand::reg(to, 2), code::Operand::reg(from)};
  return instruction;
}

/// R`to`, and as many after it as `words` says = [R`from`:`from`+1]
inline code::Instruction load(std::uint32_t to, std::uint32_t from, std::uint32_t words = 1) {
  code::Instruction instruction = of_memory(code::Operation::load);
  instruction.destinations = {code::Operand::reg(to, words)};
  instruction.sources = {code::Operand::reg(from, 2)};
  return instruction;
}

/// R`to` = what was in [R`at`:`at`+1], to which R`from` is added
inline code::Instruction atomic(std::uint32_t to, std::uint32_t at, std::uint32_t from) {
  code::Instruction instruction = of_memory(code::Operation::atomic);
  instruction.destinations = {code::Operand::reg(to)};
  instruction.sources = {code::Operand::reg(at, 2), code::Operand::reg(from)};
  return instruction;
}

/// The same, and nobody asks what was there.
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
    for (WarpSlot warp = 0; warp < kMostWarps; ++warp) dependence_->start(warp, table_);
  }

  /// It becomes the warp's next instruction, and issues for the lanes; where it lies in a pipe its
  /// results can be used from `done` on.
  void issue(std::uint32_t pc, std::uint64_t now, std::uint64_t done,
             LaneMask lanes = LaneMask::all(), WarpSlot warp = 0) {
    issue(pc, now, {.at = Cycle(now), .done = Cycle(done), .computed = Cycle(done)}, lanes, warp);
  }
  /// Memory will say when; the access is called `access`.
  void issue_miss(std::uint32_t pc, std::uint64_t now, std::uint32_t access,
                  LaneMask lanes = LaneMask::all(), WarpSlot warp = 0) {
    issue(pc, now,
          {.at = Cycle(now),
           .done = Cycle::never(),
           .computed = Cycle::never(),
           .cause = StallCause::long_scoreboard,
           .access = access},
          lanes, warp);
  }
  void complete(std::uint32_t pc, std::uint32_t access, std::uint64_t done, WarpSlot warp = 0) {
    dependence_->complete(warp, table_, table_[pc], access, Cycle(done));
  }
  Readiness ready(std::uint32_t pc, std::uint64_t now, LaneMask lanes = LaneMask::all(),
                  WarpSlot warp = 0) {
    return dependence_->ready(warp, table_, table_[pc], lanes, Cycle(now));
  }
  /// When the warp's instruction may issue, asked at `now`.
  Cycle from(std::uint32_t pc, std::uint64_t now, LaneMask lanes = LaneMask::all(),
             WarpSlot warp = 0) {
    return std::max(ready(pc, now, lanes, warp).at, Cycle(now));
  }
  /// Whether a warp whose next instruction that is finds no room.
  bool is_stuck(std::uint32_t pc, std::uint64_t now, WarpSlot warp = 0) {
    ready(pc, now, LaneMask::all(), warp);
    return dependence_->stuck(set_of(warp), Cycle(now)) != 0;
  }
  std::uint64_t counter(std::string_view name) const {
    CounterList counters;
    dependence_->declare(counters);
    for (const Counter& counter : counters.all()) {
      if (counter.name == name) return *counter.value;
    }
    throw std::invalid_argument("there is no counter '" + std::string(name) + "'");
  }
  Dependence& dependence() { return *dependence_; }
  const IssueTable& table() const { return table_; }

 private:
  static code::Program program_of(std::vector<code::Instruction> instructions) {
    code::Program program;
    program.instructions = std::move(instructions);
    return program;
  }
  void issue(std::uint32_t pc, std::uint64_t now, Issued issued, LaneMask lanes, WarpSlot warp) {
    ready(pc, now, lanes, warp);
    exec::Warp& row = rows_[warp];
    row.context.active = lanes.bits();
    issued.lanes = lanes;
    dependence_->issue(warp, table_, table_[pc], issued);
  }

  std::unique_ptr<Dependence> dependence_;
  IssueTable table_;
  std::vector<exec::Warp> rows_ = std::vector<exec::Warp>(kMostWarps);
};

}  // namespace heddle::sm::test
