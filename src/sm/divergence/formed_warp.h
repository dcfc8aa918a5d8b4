#pragma once

#include <span>
#include <vector>

#include "exec/divergence/stackless_threads.h"
#include "sm/divergence/warp_pool.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// A formed warp: threads of one or several static warps, in different lanes, that share a slot for
/// one instruction (DWF; see dynamic_formation.cpp).
class FormedWarp {
 public:
  explicit FormedWarp(exec::StacklessThreads& all) : all_(all) {}

  ThreadGroup& group() { return group_; }
  const ThreadGroup& group() const { return group_; }
  /// The threads by the instruction that they execute next: the slot's instruction after put(), and
  /// where they continue after execute() or skip().
  const exec::StacklessThreads::Sides& sides() const { return sides_; }
  /// Fills the slot with threads, which will execute the instruction at their program counter.
  void put(const ThreadGroup& group) {
    if (&group != &group_) group_ = group;
    sides_.clear();
    sides_.push_back({group.threads.lanes, group.threads.pc});
  }
  /// Whether all threads continue at the same instruction.
  bool stays_together() const {
    return sides_.size() == 1 && sides_[0].threads == group_.threads.lanes;
  }

  /// Prepares static_warps() for the instruction.
  void enter() {
    all_.enter(group_.threads);
    static_warps_.clear();
    for (const exec::FormedThreads::Part& part : group_.threads.parts) {
      static_warps_.push_back({.block = &all_.block(part.static_warp),
                               .warp = &all_.warp(part.static_warp),
                               .hardware_warp = part.static_warp,
                               .path = part.lanes});
    }
  }
  /// After enter(): the static warps to which the threads belong, with these threads as paths.
  std::span<const StaticWarp> static_warps() const { return static_warps_; }
  void execute() {
    sides_.clear();
    all_.execute(group_.threads, sides_);
  }
  void skip() {
    sides_.clear();
    sides_.push_back({group_.threads.lanes, group_.threads.pc + 1});
  }

 private:
  exec::StacklessThreads& all_;
  ThreadGroup group_;
  exec::StacklessThreads::Sides sides_;
  std::vector<StaticWarp> static_warps_;
};

}  // namespace heddle::sm
