#pragma once

// A slot's threads where they lie in several rows: a row is 32 threads side by side, whose
// registers one exec::Warp has.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lane_mask.h"
#include "exec/block.h"
#include "sm/ids.h"
#include "sm/issue_table.h"

namespace heddle::sm {

/// What of a row executes an instruction.
struct WideRow {
  exec::Block* block = nullptr;
  exec::Warp* warp = nullptr;
  std::uint32_t home = 0;  ///< The row's number on its multiprocessor.
  LaneMask path{};
};

/// Threads in different lanes that go through a unit together.
struct Pass {
  LaneMask lanes;
  const WideRow* row = nullptr;  ///< The one they are all of; null where they are of several.
};

class WideWarp {
 public:
  WideWarp() = default;
  WideWarp(const WideWarp&) = delete;
  WideWarp& operator=(const WideWarp&) = delete;
  virtual ~WideWarp() = default;

  /// Makes rows() those that execute the next instruction, and their contexts ready for it.
  virtual void enter() = 0;
  /// Executes it, after enter(). Throws exec::SimulatedFault.
  virtual void execute() = 0;
  /// It has been executed otherwise.
  virtual void skip() = 0;
  std::span<const WideRow> rows() const { return {rows_.data(), rows_.size()}; }
  /// In what passes the rows' threads go through their unit, one a cycle.
  virtual void find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const = 0;

 protected:
  std::vector<WideRow> rows_;
};

}  // namespace heddle::sm
