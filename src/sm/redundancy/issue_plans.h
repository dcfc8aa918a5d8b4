#pragma once

// The plans that a redundancy policy makes for the instruction that issues, one for each of its
// passes (sets of threads in different lanes that go through a unit together). They are made before
// the instruction is executed, because its results may overwrite its sources. They are used when
// its passes are booked.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sm/operands/one_lane_accesses.h"
#include "sm/redundancy/redundancy.h"

namespace heddle::sm {

class IssuePlans {
 public:
  /// `redundancy`: null if no plans are made.
  IssuePlans(Redundancy* redundancy, OneLaneAccesses& one_lane, const Cycle& now)
      : redundancy_(redundancy), one_lane_(one_lane), now_(now) {}

  bool is_enabled() const { return redundancy_ != nullptr; }
  // The other functions may be called only if plans are made.
  void report_started(WarpSlot warp, std::span<const StaticWarp> static_warps) {
    redundancy_->started(warp, static_warps, now_);
  }

  // -- the instruction that issues ----------------------------------------------------------------
  /// Makes plans for the warp's instruction, which has not been executed yet.
  void make(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
            std::span<const Pass> passes);
  /// The plan for the pass with this number, from 0 on. Its `computed_lanes` is the exact number.
  const Plan& operator[](std::size_t pass) const { return plans_[pass]; }
  /// See Plan::interval.
  std::optional<Cycles> interval() const { return interval_; }
  /// The result registers that any pass writes.
  RegisterSelection writes() const { return writes_.accessed; }
  /// Whether each pass goes through its unit with all its slices.
  bool compute_all_slices() const { return compute_all_slices_; }
  /// Reports that the results of the pass exist from `at` on.
  void report_computed(std::size_t pass, Cycle at) { redundancy_->observe_computed(pass, at); }
  /// Counts the registers that the pass has read in one lane. `registers`: all that the instruction
  /// reads.
  void count_reads(std::size_t pass, std::span<const std::uint16_t> registers) {
    const Plan& plan = plans_[pass];
    one_lane_.reads += OneLaneAccesses::count(registers, plan.accessed.reads & plan.one_lane.reads);
  }
  /// The same for the results of an arithmetic instruction's pass.
  void count_writes(std::size_t pass, std::span<const std::uint16_t> registers) {
    const Plan& plan = plans_[pass];
    one_lane_.writes +=
        OneLaneAccesses::count(registers, plan.accessed.writes & plan.one_lane.writes);
  }
  /// The same for the results of a memory instruction that completes at issue.
  void count_memory_writes(std::span<const std::uint16_t> registers) {
    one_lane_.writes += OneLaneAccesses::count(registers, writes_.one_lane);
  }
  /// Reports that the warp's instruction has been executed.
  void report_executed(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                       std::span<const Pass> passes);

  // -- memory instructions in flight --------------------------------------------------------------
  /// The instruction that issues is in flight under this token: keeps writes() for it.
  void keep_writes(std::uint32_t token);
  RegisterSelection writes_of(std::uint32_t token) const {
    return writes_in_flight_[token].accessed;
  }
  /// The same as count_memory_writes(), for the instruction with this token.
  void count_writes_of(std::uint32_t token, std::span<const std::uint16_t> registers) {
    one_lane_.writes += OneLaneAccesses::count(registers, writes_in_flight_[token].one_lane);
  }

 private:
  /// The results of an instruction that all its passes together write.
  struct Writes {
    RegisterSelection accessed = RegisterSelection::all();
    RegisterSelection one_lane = RegisterSelection::none();  ///< Those written in one lane only.
  };

  Redundancy* redundancy_;
  OneLaneAccesses& one_lane_;
  const Cycle& now_;
  std::array<Plan, kMaxPasses> plans_{};
  std::optional<Cycles> interval_;
  bool compute_all_slices_ = true;
  Writes writes_;
  std::vector<Writes> writes_in_flight_;  ///< By token.
};

}  // namespace heddle::sm
