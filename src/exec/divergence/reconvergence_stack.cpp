#include "exec/divergence/reconvergence_stack.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heddle::exec {

template <class Threads>
void BasicReconvergenceStack<Threads>::start(std::uint32_t pc, const Threads& threads,
                                             std::uint32_t frame_bytes) {
  entries_.clear();
  entries_.push_back({.pc = pc, .mask = threads, .arrived = {}});
  frames_.clear();
  frames_.push_back({.base = 0, .top = frame_bytes});
  live_ = threads;
}

template <class Threads>
void BasicReconvergenceStack<Threads>::pop_reconverged() {
  while (!entries_.empty() && (top().mask.empty() || top().pc == top().reconvergence)) {
    entries_.pop_back();
  }
  if (!entries_.empty()) frames_.shrink(top().frame + 1);
}

template <class Threads>
void BasicReconvergenceStack<Threads>::leave_join_entry(std::uint32_t reconvergence) {
  // If the sides reconverge where the top entry does, or not at all, a join entry would have
  // nothing to execute. A loop would push such an entry in every iteration.
  if (reconvergence == code::kNone || reconvergence == top().reconvergence) {
    entries_.pop_back();
  } else {
    top().pc = reconvergence;
  }
}

template <class Threads>
void BasicReconvergenceStack<Threads>::branch(const Threads& taken, std::uint32_t target,
                                              std::uint32_t next, std::uint32_t reconvergence) {
  const Entry diverged = top();
  const Threads others = diverged.mask.without(taken);
  if (taken.empty() || others.empty()) return advance(taken.empty() ? next : target);
  leave_join_entry(reconvergence);
  push_side(diverged, others, next, reconvergence);
  push_side(diverged, taken, target, reconvergence);
  pop_reconverged();
}

template <class Threads>
void BasicReconvergenceStack<Threads>::branch_many(const Sides& sides,
                                                   std::uint32_t reconvergence) {
  if (sides.size() == 1) return advance(sides[0].target);
  const Entry diverged = top();
  leave_join_entry(reconvergence);
  for (std::size_t i = sides.size(); i-- > 0;) {
    push_side(diverged, sides[i].threads, sides[i].target, reconvergence);
  }
  pop_reconverged();
}

template <class Threads>
void BasicReconvergenceStack<Threads>::push_side(const Entry& diverged, const Threads& threads,
                                                 std::uint32_t target,
                                                 std::uint32_t reconvergence) {
  const std::uint32_t join_pc =
      reconvergence == code::kNone ? diverged.reconvergence : reconvergence;
  if (target == join_pc) return;  // The join entry already contains these threads.
  entries_.push_back({.pc = target,
                      .reconvergence = join_pc,
                      .mask = threads,
                      .frame = diverged.frame,
                      .arrived = {}});
}

template <class Threads>
void BasicReconvergenceStack<Threads>::call(CallFrame caller, const Threads& threads,
                                            std::uint32_t target, std::uint32_t frame_bytes) {
  frames_.push_back({.base = caller.top, .top = caller.top + frame_bytes});
  entries_.push_back({.pc = target,
                      .mask = threads,
                      .frame = static_cast<std::uint32_t>(frames_.size() - 1),
                      .arrived = {}});
}

template <class Threads>
void BasicReconvergenceStack<Threads>::leave_function(const Threads& threads, std::uint32_t next) {
  const std::uint32_t frame = top().frame;
  if (frame == 0) return exit(threads, next);
  top().pc = next;
  for (std::size_t i = entries_.size(); i-- > 0 && entries_[i].frame == frame;) {
    entries_[i].mask = entries_[i].mask.without(threads);
  }
  pop_reconverged();
}

template <class Threads>
void BasicReconvergenceStack<Threads>::exit(const Threads& threads, std::uint32_t next) {
  top().pc = next;
  for (Entry& entry : entries_) entry.mask = entry.mask.without(threads);
  live_ = live_.without(threads);
  pop_reconverged();
}

template <class Threads>
bool BasicReconvergenceStack<Threads>::is_whole_call(const Threads& threads) const {
  // The running function's entries are the topmost ones.
  for (std::size_t i = entries_.size(); i-- > 0 && entries_[i].frame == top().frame;) {
    if (!entries_[i].mask.without(threads).empty()) return false;
  }
  return true;
}

template <class Threads>
bool BasicReconvergenceStack<Threads>::operator==(const BasicReconvergenceStack& other) const {
  return live_ == other.live_ &&
         std::equal(entries_.begin(), entries_.end(), other.entries_.begin(),
                    other.entries_.end()) &&
         std::equal(frames_.begin(), frames_.end(), other.frames_.begin(), other.frames_.end());
}

template <class Threads>
bool BasicReconvergenceStack<Threads>::rotate() {
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

template <class Threads>
bool BasicReconvergenceStack<Threads>::run_ahead(const Threads& excluded) {
  const std::uint32_t frame = top().frame;
  Threads others = excluded;  // Excluded, or in a higher entry.
  for (std::size_t i = entries_.size(); i-- > 0 && entries_[i].frame == frame;) {
    Entry ahead = entries_[i];
    ahead.mask = ahead.mask.without(others);
    others = others | entries_[i].mask;
    if (ahead.mask.empty()) continue;
    if (!ahead.arrived.empty()) {
      ahead.arrived = {};
      ++ahead.pc;
    }
    entries_[i].mask = entries_[i].mask.without(ahead.mask);
    if (entries_[i].mask.empty()) {
      std::rotate(entries_.begin() + static_cast<std::ptrdiff_t>(i),
                  entries_.begin() + static_cast<std::ptrdiff_t>(i) + 1, entries_.end());
      entries_.pop_back();
    }
    entries_.push_back(ahead);
    pop_reconverged();
    return true;
  }
  return false;
}

template class BasicReconvergenceStack<LaneMask>;
template class BasicReconvergenceStack<ThreadSet>;

}  // namespace heddle::exec
