#include "sm/operands/word_pool.h"

#include <algorithm>

namespace heddle::sm {

void WordPool::begin(WarpSlot warp, LaneMask path, LaneMask live,
                     const code::StrandSavings& strand) {
  Warp& holder = warps_[warp];
  free_ += holder.held;
  std::uint32_t held_by_others = 0;
  std::size_t others = 0;
  Strand* same = nullptr;
  for (Strand each : holder.strands) {
    each.lanes = (each.lanes & live).without(path);
    if (each.lanes.empty()) continue;
    held_by_others = std::max(held_by_others, each.words);
    holder.strands[others] = each;
    if (each.strand == &strand) same = &holder.strands[others];
    ++others;
  }
  holder.strands.resize(others);
  if (same != nullptr) {
    // Other threads of the warp are in the same strand already, and may reconverge in it.
    same->lanes = same->lanes | path;
    holder.words = same->words;
  } else {
    holder.words = choose(strand, held_by_others);
    holder.strands.push_back({.lanes = path, .strand = &strand, .words = holder.words});
  }
  holder.held = std::max(holder.words, held_by_others);
  free_ -= holder.held;
}

void WordPool::resume_strand(WarpSlot warp, LaneMask path) {
  Warp& holder = warps_[warp];
  for (const Strand& each : holder.strands) {
    if (each.lanes.contains(path.lowest())) holder.words = each.words;
  }
}

void WordPool::release(WarpSlot warp) {
  free_ += warps_[warp].held;
  warps_[warp] = {};
}

std::uint32_t WordPool::choose(const code::StrandSavings& strand, std::uint32_t held_by_others) {
  const std::uint32_t wanted = best_number_of_words(max_words_per_warp_, strand, held_by_others);
  const std::uint32_t taken =
      wanted <= free_ ? wanted : best_number_of_words(free_, strand, held_by_others);
  ++strands_;
  taken_ += taken;
  lacking_ += wanted - taken;
  return taken;
}

std::uint32_t WordPool::best_number_of_words(std::uint32_t max_words,
                                             const code::StrandSavings& strand,
                                             std::uint32_t held_by_others) const {
  std::uint32_t best = 0;
  double best_saving = strand.saved[0];
  double cost = 0;
  for (std::uint32_t taken = 1; taken <= max_words; ++taken) {
    if (taken > held_by_others) cost += price_of(taken) * strand.instructions;
    if (strand.saved[taken] - cost <= best_saving) continue;
    best_saving = strand.saved[taken] - cost;
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
  counters.add("pool_words", taken_, "words", "that warps took from the pool for these strands");
  counters.add("pool_words_lacking", lacking_, "words",
               "that warps would also have taken if they had been free");
}

}  // namespace heddle::sm
