#pragma once

// The control flow of a placed function, instruction by instruction, for the placement checks.

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

#include "code/effects.h"
#include "code/program.h"

namespace heddle::code::testing {

inline constexpr std::uint32_t kWords = 256;          ///< The 32-bit registers of a thread.
inline constexpr std::uint32_t kOperandEntries = 32;  ///< At least those of any tested hierarchy.
/// The entries of all upper levels: the operand file's, then the last-result file's.
inline constexpr std::uint32_t kEntries = kOperandEntries + 3;
using Registers = std::bitset<kWords + 16>;  ///< A bit for each word, then for predicates.

/// The number of an entry among those of all upper levels.
inline std::uint32_t entry_of(const UpperPlace& place) {
  return place.level == RegisterLevel::operand ? place.entry : kOperandEntries + place.entry;
}

/// Calls `visit` with the index in Registers of each word or predicate of the operand.
template <class Visit>
void for_each_register(const Operand& operand, Visit visit) {
  if (operand.is_predicate()) visit(kWords + operand.index);
  if (!operand.is_register()) return;
  for (std::uint32_t i = 0; i < operand.width; ++i) visit(operand.index + i);
}

inline Registers read_by(const Instruction& instruction) {
  Registers read;
  for (const Operand& source : instruction.sources) {
    for_each_register(source, [&](std::uint32_t index) { read.set(index); });
  }
  if (instruction.guard.present()) read.set(kWords + instruction.guard.predicate);
  return read;
}

inline Registers written_by(const Instruction& instruction) {
  Registers written;
  for (const Operand& destination : instruction.destinations) {
    for_each_register(destination, [&](std::uint32_t index) { written.set(index); });
  }
  return written;
}

/// The control flow of a function, and the mistakes that checks find in its placement. Positions
/// count from the function's entry.
class PlacedFlow {
 public:
  PlacedFlow(const Program& program, const FunctionInfo& function)
      : program_(program), function_(function), reached_(size()) {
    for (std::uint32_t at = 0; at < size(); ++at) find_successors(at);
    if (size() > 0) reach(0, size(), reached_);
  }

  std::uint32_t size() const { return function_.end - function_.entry; }
  const Instruction& instruction(std::uint32_t at) const {
    return program_.instructions[function_.entry + at];
  }
  const InstructionPlacement& placement(std::uint32_t at) const {
    return program_.placement[function_.entry + at];
  }
  const std::vector<std::uint32_t>& successors(std::uint32_t at) const { return successors_[at]; }
  bool is_reached(std::uint32_t at) const { return reached_[at]; }
  /// The position at which threads that diverge at `at` reconverge; size() if they do not
  /// reconverge.
  std::uint32_t reconvergence(std::uint32_t at) const {
    return instruction(at).reconvergence == kNone ? size()
                                                  : instruction(at).reconvergence - function_.entry;
  }

  /// Marks the positions that `from` reaches before `reconvergence`.
  void reach(std::uint32_t from, std::uint32_t reconvergence, std::vector<bool>& reached) const {
    std::vector<std::uint32_t> work{from};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      if (at == reconvergence || reached[at]) continue;
      reached[at] = true;
      work.insert(work.end(), successors_[at].begin(), successors_[at].end());
    }
  }

  /// Records a mistake at a position.
  void report(std::uint32_t at, const std::string& what) {
    mistakes_.push_back(fmt::format("{} at {}: {}", function_.name, function_.entry + at, what));
  }
  const std::vector<std::string>& mistakes() const { return mistakes_; }

 private:
  void find_successors(std::uint32_t at) {
    std::vector<std::uint32_t>& next = successors_.emplace_back();
    const Instruction& in = instruction(at);
    if (in.operation == Operation::branch) next.push_back(in.target - function_.entry);
    if (in.operation == Operation::branch_indexed) {
      for (const std::uint32_t target : program_.branch_tables[in.target]) {
        next.push_back(target - function_.entry);
      }
    }
    if (!ends_path(in)) next.push_back(at + 1);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    while (!next.empty() && next.back() >= size()) next.pop_back();
  }

  const Program& program_;
  const FunctionInfo& function_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::vector<bool> reached_;
  std::vector<std::string> mistakes_;
};

/// Checks rules that do not depend on the contents of the levels: a warp waits for pending results,
/// values that leave their strand are marked, every value written to an upper level is read there,
/// and hardware can do every access.
void check_rules(PlacedFlow& flow, const Hierarchy& hierarchy);

}  // namespace heddle::code::testing
