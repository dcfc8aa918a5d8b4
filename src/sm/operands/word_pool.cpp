#include "sm/operands/word_pool.h"

#include <algorithm>

namespace heddle::sm {

void WordPool::begin(WarpSlot warp, LaneMask path, LaneMask live,
                     const code::StrandSavings& strand) {
  Warp& holder = warps_[warp];
  free_ += holder.taken_words;
  std::uint32_t other_words = 0;
  std::size_t others = 0;
  Strand* same = nullptr;
  for (Strand each : holder.strands) {
    each.lanes = (each.lanes & live).without(path);
    if (each.lanes.empty()) continue;
    other_words = std::max(other_words, each.words);
    holder.strands[others] = each;
    if (each.strand == &strand) same = &holder.strands[others];
    ++others;
  }
  holder.strands.resize(others);
  if (same != nullptr) {
    // Other threads of the warp are already in the same strand, and may reconverge with these.
    same->lanes = same->lanes | path;
    holder.strand_words = same->words;
  } else {
    holder.strand_words = choose(strand, other_words);
    holder.strands.push_back({.lanes = path, .strand = &strand, .words = holder.strand_words});
  }
  holder.taken_words = std::max(holder.strand_words, other_words);
  free_ -= holder.taken_words;
}

void WordPool::resume_strand(WarpSlot warp, LaneMask path) {
  Warp& holder = warps_[warp];
  for (const Strand& each : holder.strands) {
    if (each.lanes.contains(path.lowest())) holder.strand_words = each.words;
  }
}

void WordPool::release(WarpSlot warp) {
  free_ += warps_[warp].taken_words;
  warps_[warp] = {};
}

std::uint32_t WordPool::choose(const code::StrandSavings& strand, std::uint32_t other_words) {
  const std::uint32_t wanted = best_number_of_words(max_words_per_warp_, strand, other_words);
  const std::uint32_t taken =
      wanted <= free_ ? wanted : best_number_of_words(free_, strand, other_words);
  ++strands_;
  taken_ += taken;
  lacking_ += wanted - taken;
  return taken;
}

std::uint32_t WordPool::best_number_of_words(std::uint32_t max_words,
                                             const code::StrandSavings& strand,
                                             std::uint32_t other_words) const {
  std::uint32_t best = 0;
  double best_saving = strand.saved[0];
  double cost = 0;
  for (std::uint32_t taken = 1; taken <= max_words; ++taken) {
    if (taken > other_words) cost += price_of(taken) * strand.instructions;
    if (strand.saved[taken] - cost <= best_saving) continue;
    best_saving = strand.saved[taken] - cost;
    best = taken;
  }
  return best;
}

double WordPool::price_of(std::uint32_t nth) const {
  const std::uint32_t free_words = free_ >= nth ? free_ - nth + 1 : 1;
  return price_ * words_ / free_words;
}

void WordPool::declare(CounterList& counters) {
  counters.add("pool_strands", strands_, "strands", "for which a warp chose its number of words");
  counters.add("pool_words", taken_, "words", "that warps took from the pool for these strands");
  counters.add("pool_words_lacking", lacking_, "words",
               "that warps would also have taken if they had been free");
}

}  // namespace heddle::sm
