#pragma once

#include <cstdint>
#include <span>

#include "exec/large_warp.h"
#include "sm/divergence/divergence.h"
#include "sm/divergence/wide_warp.h"

namespace heddle::sm {

/// A large warp in a slot: rows that execute as one, in sub-warps.
class LargeWarp final : public WideWarp {
 public:
  explicit LargeWarp(const DivergenceDescription& description)
      : memory_by_rows_(description.memory_by_rows), jumps_at_once_(description.jumps_at_once) {}

  /// Of WideRow, `path` is not looked at.
  void start(std::span<const WideRow> rows);
  exec::LargeWarp& state() { return state_; }
  /// All its rows.
  std::span<const WideRow> all_rows() const { return all_rows_; }

  void enter() override;
  void execute() override { state_.execute(); }
  void skip() override { state_.skip(); }
  void find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const override;

 private:
  bool memory_by_rows_;
  bool jumps_at_once_;
  exec::LargeWarp state_;
  std::vector<WideRow> all_rows_;
};

}  // namespace heddle::sm
