#pragma once

// Copies of threads, which a livelock probe executes in their place.

#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "exec/livelock/warp_copy.h"

namespace heddle::exec {

using Copies = std::deque<WarpCopy>;

/// A copy of a warp with a stack of its own.
class ProbedWarp {
 public:
  /// Whether the copy includes all threads of the warp.
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

/// A copy of a thread with a program counter of its own.
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
    // Rows without threads on the path execute nothing.
    for (WarpCopy& copy : copies_) copy.context().active = 0;
    return threads_.enter();
  }
  void execute(const Decoded&) { threads_.execute(); }

 private:
  Copies copies_;
  LargeWarpThreads threads_;
};

/// Everything that determines what threads do next, except shared and global memory.
template <class Actor>
class State {
 public:
  explicit State(Actor& actor) : flow_(actor.flow()) {
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
