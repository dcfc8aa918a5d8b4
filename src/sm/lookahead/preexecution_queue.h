#pragma once

// The P-queue of Kim et al., Warped-Preexecution (sections 5.1 and 5.2): a warp's instructions that
// have been executed ahead, in program order, with the registers that hold their results.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/cycle.h"
#include "base/inline_vector.h"
#include "exec/block/vector_register.h"
#include "sm/lookahead/renaming_registers.h"

namespace heddle::sm {

/// A result of an instruction that has been executed ahead.
struct PreexecutedResult {
  std::uint16_t entry = 0;  ///< The register or predicate: its number in the IssueTable.
  RenamingRegister renamed = kNotRenamed;
};

/// An instruction that has been executed ahead.
struct PreexecutedInstruction {
  static constexpr std::size_t kMostResults = 8;

  std::uint32_t pc = 0;
  Cycle usable = Cycle::never();  ///< When its results can be read; never() if not known yet.
  std::uint32_t token = 0;        ///< If `usable` is never(): the token of the load.
  InlineVector<PreexecutedResult, kMostResults> results;
  /// By result: its value, with which the value that the normal context computes is compared. A
  /// predicate is a mask of lanes, in the first word.
  std::vector<exec::VectorRegister> values;
};

/// The queue is filled while its warp runs ahead, and emptied from its head afterwards. As in the
/// paper, a place is not used again before the queue is cleared. An entry of the hardware names one
/// result, so that an instruction with several results takes several places.
class PreexecutionQueue {
 public:
  explicit PreexecutionQueue(std::uint32_t places) : places_(places) {}

  bool empty() const { return head_ == instructions_; }
  bool has_space(std::size_t results) const { return used_places_ + results <= places_; }
  /// Appends an instruction without results. The caller fills it in.
  PreexecutedInstruction& push(std::uint32_t pc, std::size_t results, Cycle usable) {
    assert(has_space(results));
    if (instructions_ == storage_.size()) storage_.emplace_back();
    PreexecutedInstruction& added = storage_[instructions_++];
    used_places_ += results;
    added.pc = pc;
    added.usable = usable;
    added.results.clear();
    added.values.resize(results);
    return added;
  }
  const PreexecutedInstruction& head() const { return storage_[head_]; }
  /// Exchanges the head with `instruction`, and removes it from the queue.
  void pop(PreexecutedInstruction& instruction) { std::swap(instruction, storage_[head_++]); }
  /// How many instructions, from the head on, are at `pc`, `pc + 1` and so on.
  std::uint32_t count_from(std::uint32_t pc) const {
    std::uint32_t count = 0;
    while (head_ + count < instructions_ && storage_[head_ + count].pc == pc + count) ++count;
    return count;
  }
  /// Calls each(instruction) for the instructions from the head on.
  template <class Each>
  void for_each(Each each) {
    for (std::size_t i = head_; i < instructions_; ++i) each(storage_[i]);
  }
  void clear() { head_ = instructions_ = used_places_ = 0; }

 private:
  std::size_t places_;
  std::size_t used_places_ = 0;
  std::size_t head_ = 0;
  std::size_t instructions_ = 0;  ///< The end of the queue in storage_.
  /// Never becomes shorter, so that its elements keep their memory.
  std::vector<PreexecutedInstruction> storage_;
};

}  // namespace heddle::sm
