#pragma once

// Who rehearses: copies of threads, with what moves them.

#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "exec/livelock/warp_copy.h"

namespace heddle::exec {

using Copies = std::deque<WarpCopy>;

/// A warp, or a thread of one, with a stack of its own.
class SoloActor {
 public:
  static constexpr bool kMayMeet = true;
  using Flow = ReconvergenceStack;

  SoloActor(Block& block, const Warp& warp) : block_(block) { copies_.emplace_back(block, warp); }
  Copies& copies() { return copies_; }
  Flow& flow() { return copies_.front().warp().stack; }
  const Decoded& enter() { return block_.enter(copies_.front().warp()); }
  void execute(const Decoded& decoded) { block_.execute(copies_.front().warp(), decoded); }

 private:
  Block& block_;
  Copies copies_;
};

/// A thread that meets no others of its warp but where the program says so.
class ThreadActor : public SoloActor {
 public:
  static constexpr bool kMayMeet = false;

  ThreadActor(Block& block, const Warp& warp, int lane, std::uint32_t pc, const CallFrame& frame)
      : SoloActor(block, warp) {
    flow().start(pc, LaneMask::of_lane(lane), 0);
    flow().frame() = frame;
    copies().front().context().frame_base = frame.base;
    copies().front().context().frame_top = frame.top;
  }
};

class LargeActor {
 public:
  static constexpr bool kMayMeet = true;
  using Flow = LargeWarpThreads::Flow;

  explicit LargeActor(const LargeWarpThreads& threads) {
    std::vector<LargeWarpThreads::Row> rows;
    for (const LargeWarpThreads::Row& row : threads.rows()) {
      rows.push_back({row.block, &copies_.emplace_back(*row.block, *row.warp).warp()});
    }
    threads_.stand_in_for(threads, rows);
  }
  Copies& copies() { return copies_; }
  const Flow& flow() const { return threads_.stack(); }
  const Decoded& enter() {
    // Rows without threads there execute nothing.
    for (WarpCopy& copy : copies_) copy.context().active = 0;
    return threads_.enter();
  }
  void execute(const Decoded&) { threads_.execute(); }

 private:
  Copies copies_;
  LargeWarpThreads threads_;
};

/// All that decides what threads do next, but for memory.
template <class Actor>
class State {
 public:
  explicit State(Actor& actor) : flow_(actor.flow()) {
    for (const WarpCopy& copy : actor.copies()) values_.push_back(copy.values());
  }
  bool is_that_of(Actor& actor) const {
    if (!(actor.flow() == flow_)) return false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::vector<Row>& values = actor.copies()[i].values();
      if (std::memcmp(values.data(), values_[i].data(), values.size() * sizeof(Row)) != 0) {
        return false;
      }
    }
    return true;
  }

 private:
  typename Actor::Flow flow_;
  std::vector<std::vector<Row>> values_;
};

}  // namespace heddle::exec
