#pragma once

// A pool of operand-file (ORF) words that the active warps of a sub-core share. A word is an entry
// for one register of a warp. The pool decides how many words each warp has (Gebhart's dissertation
// on on-chip storage for throughput processors, section 6.6.1).

#include <array>
#include <cstdint>

#include "base/counters.h"
#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "code/placement/pooled.h"
#include "sm/ids.h"

namespace heddle::sm {

/// A strand is code between two points at which the operand file keeps no value. Diverged threads
/// of a warp can be in different strands, and each strand may use another number of words. A word
/// has space for all lanes of a warp, and threads in different strands are in different lanes. A
/// warp therefore takes as many words as that of its strands which uses most.
class WordPool {
 public:
  /// `words`: the size of the pool. `price`: the energy, in the unit of StrandSavings, that a word
  /// must save per instruction of a strand, if all words are free. The fewer words are free, the
  /// higher the price. It estimates what other warps would save with the word. (The policy in the
  /// dissertation is an oracle that knows this.)
  WordPool(std::uint32_t words, std::uint32_t max_words_per_warp, double price)
      : words_(words), free_(words), max_words_per_warp_(max_words_per_warp), price_(price) {}

  /// Notes that the threads of `path` begin the strand. `live`: all threads of the warp that have
  /// not exited. The warp returns the words that it had for the threads of `path`, and takes the
  /// number of free words that saves most.
  void begin(WarpSlot warp, LaneMask path, LaneMask live, const code::StrandSavings& strand);
  /// Notes that the threads of `path` execute a further instruction of their strand.
  void resume_strand(WarpSlot warp, LaneMask path);
  /// The number of words for the strand that the warp executed last.
  std::uint32_t operator[](WarpSlot warp) const { return warps_[warp].strand_words; }
  /// Returns all words of a warp that is suspended or has ended.
  void release(WarpSlot warp);

  void declare(CounterList& counters);

 private:
  struct Strand {
    LaneMask lanes{};  ///< The threads in the strand.
    const code::StrandSavings* strand = nullptr;
    std::uint32_t words = 0;  ///< The number of words for them.
  };
  struct Warp {
    InlineVector<Strand, kWarpSize> strands;
    std::uint32_t taken_words = 0;   ///< The number of words that it has taken from the pool.
    std::uint32_t strand_words = 0;  ///< Those for the strand that it executed last.
  };

  /// Chooses the number of words for a strand. `other_words`: how many words the warp has for its
  /// other threads.
  std::uint32_t choose(const code::StrandSavings& strand, std::uint32_t other_words);
  /// The number of words, up to `max_words`, for which the saving of the strand less the price is
  /// largest; if several are equal, the smallest. The first `other_words` words cost nothing.
  std::uint32_t best_number_of_words(std::uint32_t max_words, const code::StrandSavings& strand,
                                     std::uint32_t other_words) const;

  /// The energy that the nth word taken now must save per instruction.
  double price_of(std::uint32_t nth) const;

  std::uint32_t words_;  ///< The size of the pool.
  std::uint32_t free_;   ///< The number of free words.
  std::uint32_t max_words_per_warp_;
  double price_;
  std::array<Warp, kMaxWarps> warps_{};
  // Counters, which declare() describes.
  std::uint64_t strands_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t lacking_ = 0;
};

}  // namespace heddle::sm
