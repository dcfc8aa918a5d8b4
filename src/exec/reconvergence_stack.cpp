#include "exec/reconvergence_stack.h"

#include <utility>

namespace heddle::exec {

void ReconvergenceStack::start(std::uint32_t entry, LaneMask threads, std::uint32_t frame_bytes) {
  entries_.clear();
  entries_.push_back({.pc = entry, .mask = threads, .arrived = {}});
  frames_.clear();
  frames_.push_back({.base = 0, .top = frame_bytes});
  live_ = threads;
}

void ReconvergenceStack::settle() {
  while (!entries_.empty() && (top().mask.empty() || top().pc == top().reconvergence)) {
    entries_.pop_back();
  }
  if (!entries_.empty()) frames_.shrink(top().frame + 1);
}

void ReconvergenceStack::part(std::uint32_t reconvergence) {
  // Where the sides meet no sooner than the top entry's threads meet others, its own join entry
  // would have nothing to do; without this, a loop would leave one behind at every turn.
  if (reconvergence == code::kNone || reconvergence == top().reconvergence) {
    entries_.pop_back();
  } else {
    top().pc = reconvergence;
  }
}

void ReconvergenceStack::branch(LaneMask taken, std::uint32_t target, std::uint32_t next,
                                std::uint32_t reconvergence) {
  const Entry parted = top();
  const LaneMask others = parted.mask.without(taken);
  if (taken.empty() || others.empty()) return advance(taken.empty() ? next : target);
  part(reconvergence);
  push_side(parted, others, next, reconvergence);
  push_side(parted, taken, target, reconvergence);
  settle();
}

void ReconvergenceStack::branch_many(const Sides& sides, std::uint32_t reconvergence) {
  if (sides.size() == 1) return advance(sides[0].target);
  const Entry parted = top();
  part(reconvergence);
  for (std::size_t i = sides.size(); i-- > 0;) {
    push_side(parted, sides[i].lanes, sides[i].target, reconvergence);
  }
  settle();
}

void ReconvergenceStack::push_side(const Entry& parted, LaneMask lanes, std::uint32_t target,
                                   std::uint32_t reconvergence) {
  const std::uint32_t meet = reconvergence == code::kNone ? parted.reconvergence : reconvergence;
  if (target == meet) return;  // Already there: the join entry has them.
  entries_.push_back(
      {.pc = target, .reconvergence = meet, .mask = lanes, .frame = parted.frame, .arrived = {}});
}

void ReconvergenceStack::call(Frame caller, LaneMask lanes, std::uint32_t target,
                              std::uint32_t frame_bytes) {
  frames_.push_back({.base = caller.top, .top = caller.top + frame_bytes});
  entries_.push_back({.pc = target,
                      .mask = lanes,
                      .frame = static_cast<std::uint32_t>(frames_.size() - 1),
                      .arrived = {}});
}

void ReconvergenceStack::leave_function(LaneMask lanes, std::uint32_t next) {
  const std::uint32_t frame = top().frame;
  if (frame == 0) return exit(lanes, next);
  top().pc = next;
  for (std::size_t i = entries_.size(); i-- > 0 && entries_[i].frame == frame;) {
    entries_[i].mask = entries_[i].mask.without(lanes);
  }
  settle();
}

void ReconvergenceStack::exit(LaneMask lanes, std::uint32_t next) {
  top().pc = next;
  for (Entry& entry : entries_) entry.mask = entry.mask.without(lanes);
  live_ = live_.without(lanes);
  settle();
}

bool ReconvergenceStack::rotate() {
  for (std::size_t i = entries_.size() - 1; i-- > 0;) {
    Entry& other = entries_[i];
    if (other.frame != top().frame || other.reconvergence != top().reconvergence) return false;
    if (other.arrived.empty() && !other.mask.empty()) {
      std::swap(other, top());
      return true;
    }
  }
  return false;
}

}  // namespace heddle::exec
