#include "memory/scratchpad_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <optional>

#include "base/error.h"

namespace heddle::memory {
namespace {

constexpr std::uint32_t kMaxBanks = 64;
constexpr std::uint32_t kMaxLaneBytes = 16;

}  // namespace

/// A group of lanes that are served together. An access wider than a bank is aligned to its width
/// and takes several neighbouring banks at once, always in the same combination. These banks count
/// as one wider bank, so that every lane touches exactly one word.
struct ScratchpadConflicts::Group {
  const LaneAddresses& addresses;
  LaneMask lanes;
  std::uint32_t bytes_per_lane;
  int word_shift;
  std::uint64_t bank_mask;  ///< The bits of a word's number that select the bank.

  std::uint64_t word_of(int lane) const {
    return addresses[static_cast<std::size_t>(lane)] >> word_shift;
  }
  std::size_t bank_of(std::uint64_t word) const {
    return static_cast<std::size_t>(word & bank_mask);
  }

  /// Whether all words are in one row: one word of each bank. Then no two words share a bank.
  bool is_in_one_row() const {
    const std::uint64_t row_mask = ((bank_mask + 1) << word_shift) - 1;
    return (differing_bits(addresses, lanes) & ~row_mask) == 0;
  }

  /// The number of passes if the lanes' accesses are contiguous. They then touch consecutive words,
  /// which are spread evenly over the banks.
  std::uint32_t passes_if_contiguous(LaneRun run) const {
    const std::uint64_t word_bytes = std::uint64_t{1} << word_shift;
    const std::uint64_t begin = addresses[static_cast<std::size_t>(run.first)] & (word_bytes - 1);
    const std::uint64_t end = begin + static_cast<std::uint64_t>(run.count) * bytes_per_lane;
    const std::uint64_t words = (end + word_bytes - 1) >> word_shift;
    return static_cast<std::uint32_t>((words + bank_mask) / (bank_mask + 1));
  }

  /// The number of passes if every lane needs a pass of its own.
  std::uint32_t accesses_of_busiest_bank() const {
    std::array<std::uint8_t, kMaxBanks> accesses{};
    std::uint8_t max = 0;
    for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
      max = std::max(max, ++accesses[bank_of(word_of(rest.lowest()))]);
    }
    return max;
  }

  /// The number of passes if one pass serves all lanes that access the same word.
  std::uint32_t words_of_busiest_bank() const {
    // The first word that is found in each bank. Most accesses touch no other words.
    std::array<std::uint64_t, kMaxBanks> first_word;
    std::uint64_t touched_banks = 0;
    LaneMask lanes_of_other_words;
    for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
      const std::uint64_t word = word_of(rest.lowest());
      const std::size_t bank = bank_of(word);
      if ((touched_banks >> bank & 1) == 0) {
        touched_banks |= std::uint64_t{1} << bank;
        first_word[bank] = word;
      } else if (first_word[bank] != word) {
        lanes_of_other_words = lanes_of_other_words | LaneMask::of_lane(rest.lowest());
      }
    }
    if (lanes_of_other_words.empty()) return 1;

    std::array<std::uint8_t, kMaxBanks> other_words{};
    std::uint8_t max_other_words = 0;
    ValueNumbers numbers;
    for (LaneMask rest = lanes_of_other_words; !rest.empty(); rest = rest.without_lowest()) {
      const std::uint64_t word = word_of(rest.lowest());
      const std::uint32_t next_number = numbers.size();
      if (numbers.number_of(word) != next_number) continue;
      max_other_words = std::max(max_other_words, ++other_words[bank_of(word)]);
    }
    return 1U + max_other_words;
  }
};

ScratchpadConflicts::ScratchpadConflicts(const ScratchpadParameters& parameters)
    : row_bytes_(parameters.banks * parameters.bank_bytes),
      bank_shift_(std::countr_zero(parameters.bank_bytes)),
      pass_bytes_(parameters.pass_bytes) {
  if (!std::has_single_bit(parameters.banks) || parameters.banks > kMaxBanks) {
    throw InputError(
        fmt::format("the number of scratchpad banks must be a power of two up to {}, not {}",
                    kMaxBanks, parameters.banks));
  }
  if (!std::has_single_bit(parameters.bank_bytes) || parameters.bank_bytes < 4 ||
      parameters.bank_bytes > kMaxLaneBytes) {
    throw InputError(fmt::format("scratchpad banks must be 4, 8 or 16 bytes wide, not {}",
                                 parameters.bank_bytes));
  }
  if (row_bytes_ < kMaxLaneBytes) {
    throw InputError(fmt::format("{} banks of {} bytes cannot serve the widest access of a lane",
                                 parameters.banks, parameters.bank_bytes));
  }
  if (!std::has_single_bit(parameters.pass_bytes) || parameters.pass_bytes < kMaxLaneBytes) {
    throw InputError(
        fmt::format("the bytes of a scratchpad pass must be a power of two, at least 16, not {}",
                    parameters.pass_bytes));
  }
}

std::uint32_t ScratchpadConflicts::passes_of(const Group& group, SameWord same_word) {
  const bool shares_words = same_word == SameWord::shared;
  if (shares_words && group.is_in_one_row()) return 1;
  if (const std::optional<LaneRun> run = as_run(group.lanes)) {
    // If several lanes can access the same word, this shortcut applies only if one pass serves them
    // all.
    const bool has_word_per_lane = 1U << group.word_shift == group.bytes_per_lane;
    if ((shares_words || has_word_per_lane) &&
        has_step(group.addresses, *run, group.bytes_per_lane)) {
      return group.passes_if_contiguous(*run);
    }
    // Equal addresses are in one row. If lanes share passes, that case has been handled above.
    if (!shares_words && has_step(group.addresses, *run, 0)) {
      return static_cast<std::uint32_t>(run->count);
    }
  }
  return shares_words ? group.words_of_busiest_bank() : group.accesses_of_busiest_bank();
}

std::uint32_t ScratchpadConflicts::passes(const LaneAddresses& addresses, LaneMask active,
                                          std::uint32_t bytes_per_lane, SameWord same_word) const {
  assert(std::has_single_bit(bytes_per_lane) && bytes_per_lane <= kMaxLaneBytes);
  const int word_shift = std::max(bank_shift_, std::countr_zero(bytes_per_lane));
  Group group{.addresses = addresses,
              .lanes = {},
              .bytes_per_lane = bytes_per_lane,
              .word_shift = word_shift,
              .bank_mask = (row_bytes_ >> word_shift) - 1};
  const int group_lanes = static_cast<int>(
      std::min<std::uint32_t>(kWarpSize, pass_bytes_ / std::max(bytes_per_lane, 4U)));
  std::uint32_t passes = 0;
  for (int first = 0; first < kWarpSize; first += group_lanes) {
    group.lanes = active & LaneMask(LaneMask::first_lanes(group_lanes).bits() << first);
    if (!group.lanes.empty()) passes += passes_of(group, same_word);
  }
  return passes;
}

}  // namespace heddle::memory
