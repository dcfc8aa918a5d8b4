#pragma once

#include <span>
#include <vector>

#include "exec/divergence/stackless_threads.h"
#include "sm/divergence/warp_pool.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// The formed warp in a slot (see dynamic_formation.cpp): threads of one or several static warps,
/// in different lanes, that share the slot for one instruction. A static warp is 32 threads of a
/// block with consecutive numbers.
class FormedWarp {
 public:
  /// `all_threads`: the threads of the multiprocessor.
  explicit FormedWarp(exec::StacklessThreads& all_threads) : all_threads_(all_threads) {}

  ThreadGroup& group() { return group_; }
  const ThreadGroup& group() const { return group_; }
  /// The warp's threads, grouped by the instruction at which they are: the slot's instruction after
  /// put(), and the instructions at which they continue after execute() or skip().
  const exec::StacklessThreads::Sides& sides() const { return sides_; }
  /// Makes `group` the threads of the slot. They are all at one instruction.
  void put(const ThreadGroup& group) {
    if (&group != &group_) group_ = group;
    sides_.clear();
    sides_.push_back({group.threads.lanes, group.threads.pc});
  }
  /// Whether all threads continue at the same instruction.
  bool stays_together() const {
    return sides_.size() == 1 && sides_[0].threads == group_.threads.lanes;
  }

  /// Prepares the execution of the instruction, and static_warps().
  void enter() {
    all_threads_.enter(group_.threads);
    static_warps_.clear();
    for (const exec::FormedThreads::Part& part : group_.threads.parts) {
      static_warps_.push_back({.block = &all_threads_.block(part.static_warp),
                               .warp = &all_threads_.warp(part.static_warp),
                               .hardware_warp = part.static_warp,
                               .path = part.lanes});
    }
  }
  /// After enter(): the static warps to which the threads belong. Their paths are these threads.
  std::span<const StaticWarp> static_warps() const { return static_warps_; }
  /// After enter(): executes the instruction, and sets sides().
  void execute() {
    sides_.clear();
    all_threads_.execute(group_.threads, sides_);
  }
  /// Instead of execute(): all threads continue at the following instruction.
  void skip() {
    sides_.clear();
    sides_.push_back({group_.threads.lanes, group_.threads.pc + 1});
  }

 private:
  exec::StacklessThreads& all_threads_;
  ThreadGroup group_;
  exec::StacklessThreads::Sides sides_;
  std::vector<StaticWarp> static_warps_;
};

}  // namespace heddle::sm
