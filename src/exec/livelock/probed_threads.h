#pragma once

// Copies of threads for a livelock probe, which executes the copies instead of the threads.

#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "exec/livelock/warp_copy.h"

namespace heddle::exec {

using Copies = std::deque<WarpCopy>;

/// A copy of a warp that has a stack of its own.
class ProbedWarp {
 public:
  /// Whether all threads of the warp are executed.
  static constexpr bool kHasWholeWarp = true;
  using Flow = ReconvergenceStack;

  ProbedWarp(Block& block, const Warp& warp) : block_(block) { copies_.emplace_back(block, warp); }
  Copies& copies() { return copies_; }
  Flow& flow() { return copies_.front().warp().stack; }
  const Decoded& enter() { return block_.enter(copies_.front().warp()); }
  void execute(const Decoded& decoded) { block_.execute(copies_.front().warp(), decoded); }

 private:
  Block& block_;
  Copies copies_;
};

/// A copy of a thread that has a program counter of its own. It is a copy of the thread's warp in
/// which only this thread runs.
class ProbedThread : public ProbedWarp {
 public:
  static constexpr bool kHasWholeWarp = false;

  ProbedThread(Block& block, const Warp& warp, int lane, std::uint32_t pc, const CallFrame& frame)
      : ProbedWarp(block, warp) {
    flow().start(pc, LaneMask::of_lane(lane), 0);
    flow().frame() = frame;
    copies().front().context().frame_base = frame.base;
    copies().front().context().frame_top = frame.top;
  }
};

/// A copy of a large warp.
class ProbedLargeWarp {
 public:
  static constexpr bool kHasWholeWarp = true;
  using Flow = LargeWarpThreads::Flow;

  explicit ProbedLargeWarp(const LargeWarpThreads& threads) {
    std::vector<LargeWarpThreads::Row> rows;
    for (const LargeWarpThreads::Row& row : threads.rows()) {
      rows.push_back({row.block, &copies_.emplace_back(*row.block, *row.warp).warp()});
    }
    threads_.copy_state(threads, rows);
  }
  Copies& copies() { return copies_; }
  const Flow& flow() const { return threads_.stack(); }
  const Decoded& enter() {
    // enter() sets the active lanes only of rows with threads on the path.
    for (WarpCopy& copy : copies_) copy.context().active = 0;
    return threads_.enter();
  }
  void execute(const Decoded&) { threads_.execute(); }

 private:
  Copies copies_;
  LargeWarpThreads threads_;
};

/// The state that determines, together with shared and global memory, what threads do next. `Actor`
/// is one of the classes above.
template <class Actor>
class ProbedState {
 public:
  explicit ProbedState(Actor& actor) : flow_(actor.flow()) {
    for (const WarpCopy& copy : actor.copies()) values_.push_back(copy.values());
  }
  bool equals(Actor& actor) const {
    if (!(actor.flow() == flow_)) return false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::vector<VectorRegister>& values = actor.copies()[i].values();
      if (std::memcmp(values.data(), values_[i].data(), values.size() * sizeof(VectorRegister)) !=
          0) {
        return false;
      }
    }
    return true;
  }

 private:
  typename Actor::Flow flow_;
  std::vector<std::vector<VectorRegister>> values_;
};

}  // namespace heddle::exec
