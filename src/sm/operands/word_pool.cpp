#include "sm/operands/word_pool.h"

#include <algorithm>

namespace heddle::sm {

void WordPool::begin(WarpSlot warp, LaneMask path, LaneMask live, const code::StrandWorth& strand) {
  Warp& its = warps_[warp];
  free_ += its.held;
  std::uint32_t held_by_others = 0;
  std::size_t others = 0;
  Strand* same = nullptr;
  for (Strand each : its.strands) {
    each.lanes = (each.lanes & live).without(path);
    if (each.lanes.empty()) continue;
    held_by_others = std::max(held_by_others, each.words);
    its.strands[others] = each;
    if (each.strand == &strand) same = &its.strands[others];
    ++others;
  }
  its.strands.resize(others);
  if (same != nullptr) {
    // They may meet in it.
    same->lanes = same->lanes | path;
    its.words = same->words;
  } else {
    its.words = choose(strand, held_by_others);
    its.strands.push_back({.lanes = path, .strand = &strand, .words = its.words});
  }
  its.held = std::max(its.words, held_by_others);
  free_ -= its.held;
}

void WordPool::go_on(WarpSlot warp, LaneMask path) {
  Warp& its = warps_[warp];
  for (const Strand& each : its.strands) {
    if (each.lanes.contains(path.lowest())) its.words = each.words;
  }
}

void WordPool::give_back(WarpSlot warp) {
  free_ += warps_[warp].held;
  warps_[warp] = {};
}

std::uint32_t WordPool::choose(const code::StrandWorth& strand, std::uint32_t held_by_others) {
  const std::uint32_t wanted = best_of(most_, strand, held_by_others);
  const std::uint32_t taken = wanted <= free_ ? wanted : best_of(free_, strand, held_by_others);
  ++strands_;
  taken_ += taken;
  lacking_ += wanted - taken;
  return taken;
}

std::uint32_t WordPool::best_of(std::uint32_t words, const code::StrandWorth& strand,
                                std::uint32_t held_by_others) const {
  std::uint32_t best = 0;
  double most = strand.saved[0];
  double cost = 0;
  for (std::uint32_t taken = 1; taken <= words; ++taken) {
    if (taken > held_by_others) cost += price_of(taken) * strand.instructions;
    if (strand.saved[taken] - cost <= most) continue;
    most = strand.saved[taken] - cost;
    best = taken;
  }
  return best;
}

double WordPool::price_of(std::uint32_t nth) const {
  const std::uint32_t left = free_ >= nth ? free_ - nth + 1 : 1;
  return price_ * words_ / left;
}

void WordPool::declare(CounterList& counters) {
  counters.add("pool_strands", strands_, "strands", "for which a warp chose its number of words");
  counters.add("pool_words", taken_, "words", "that warps took for them");
  counters.add("pool_lacking", lacking_, "words", "that they would have taken had there been more");
}

}  // namespace heddle::sm
