#pragma once

// A pool of operand-file (ORF) words that a multiprocessor's active warps share: how many words
// each warp holds (Gebhart's dissertation on on-chip storage for throughput processors, section
// 6.6.1).

#include <array>
#include <cstdint>

#include "base/counters.h"
#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "code/placement/pooled.h"
#include "sm/ids.h"

namespace heddle::sm {

/// Diverged threads of a warp can be in different strands (code between two points at which the
/// operand file keeps nothing). The compiler's placement of each strand uses a number of words of
/// its own. A word has all lanes of a warp, and these strands use different lanes. So a warp holds
/// as many words as the strand that uses most.
class WordPool {
 public:
  /// `words`: the size of the pool. `price`: the energy, in the unit of StrandSavings, that a word
  /// must save per instruction of a strand while all words are free. The price rises as fewer words
  /// are left. It estimates what other warps would save with the word. The paper's policy is an
  /// oracle and knows what they would save.
  WordPool(std::uint32_t words, std::uint32_t max_words_per_warp, double price)
      : words_(words), free_(words), max_words_per_warp_(max_words_per_warp), price_(price) {}

  /// Notes that the threads of `path` begin the strand. `live`: all of the warp's threads that have
  /// not exited. The warp returns the words that it held for the threads of `path`, and takes the
  /// number of free words that saves most.
  void begin(WarpSlot warp, LaneMask path, LaneMask live, const code::StrandSavings& strand);
  /// Notes that the threads of `path` execute another instruction of their strand.
  void resume_strand(WarpSlot warp, LaneMask path);
  /// The number of words of the strand that the warp last executed.
  std::uint32_t operator[](WarpSlot warp) const { return warps_[warp].words; }
  /// Returns all words of a warp that is suspended or has ended.
  void release(WarpSlot warp);

  void declare(CounterList& counters);

 private:
  struct Strand {
    LaneMask lanes{};
    const code::StrandSavings* strand = nullptr;
    std::uint32_t words = 0;
  };
  struct Warp {
    InlineVector<Strand, kWarpSize> strands;
    std::uint32_t held = 0;   ///< Words that the warp has taken from the pool.
    std::uint32_t words = 0;  ///< Words of the strand that it last executed.
  };

  std::uint32_t choose(const code::StrandSavings& strand, std::uint32_t held_by_others);
  /// The number of words, up to `max_words`, for which the strand's saving less the price is
  /// largest; of equals, the smallest. Words that the warp holds for other threads cost nothing.
  std::uint32_t best_number_of_words(std::uint32_t max_words, const code::StrandSavings& strand,
                                     std::uint32_t held_by_others) const;

  /// The energy that the nth word taken now must save per instruction.
  double price_of(std::uint32_t nth) const;

  std::uint32_t words_;
  std::uint32_t free_;
  std::uint32_t max_words_per_warp_;
  double price_;
  std::array<Warp, kMostWarps> warps_{};
  // Counters: strands begun, words taken, and words that were wanted and not free.
  std::uint64_t strands_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t lacking_ = 0;
};

}  // namespace heddle::sm
