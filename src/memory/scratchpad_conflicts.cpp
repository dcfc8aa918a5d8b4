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

/// Lanes that go together. An access wider than a bank is aligned to its width and takes as many
/// neighbouring banks at once, always the same ones together: these are counted as one wider bank,
/// so that every lane touches one word.
struct ScratchpadConflicts::Group {
  const LaneAddresses& addresses;
  LaneMask lanes;
  std::uint32_t bytes_per_lane;
  int word_shift;
  std::uint64_t bank_bits;  ///< Of a word's number.

  std::uint64_t word_of(int lane) const {
    return addresses[static_cast<std::size_t>(lane)] >> word_shift;
  }
  std::size_t bank_of(std::uint64_t word) const {
    return static_cast<std::size_t>(word & bank_bits);
  }

  /// The passes where the lanes' accesses are side by side: what they touch are consecutive words,
  /// of which the banks have their turns.
  std::uint32_t passes_side_by_side(LaneRun run) const {
    const std::uint64_t word_bytes = std::uint64_t{1} << word_shift;
    const std::uint64_t from = addresses[static_cast<std::size_t>(run.first)] & (word_bytes - 1);
    const std::uint64_t to = from + static_cast<std::uint64_t>(run.count) * bytes_per_lane;
    const std::uint64_t words = (to + word_bytes - 1) >> word_shift;
    return static_cast<std::uint32_t>((words + bank_bits) / (bank_bits + 1));
  }

  /// The passes where every lane needs one of its own.
  std::uint32_t accesses_of_busiest_bank() const {
    std::array<std::uint8_t, kMaxBanks> accesses{};
    std::uint8_t most = 0;
    for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
      most = std::max(most, ++accesses[bank_of(word_of(rest.lowest()))]);
    }
    return most;
  }

  /// The passes where one serves all lanes of a word.
  std::uint32_t words_of_busiest_bank() const {
    // The word that comes first in each bank. Most accesses have no others.
    std::array<std::uint64_t, kMaxBanks> first;
    std::uint64_t touched_banks = 0;
    LaneMask others;
    for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
      const std::uint64_t word = word_of(rest.lowest());
      const std::size_t bank = bank_of(word);
      if ((touched_banks >> bank & 1) == 0) {
        touched_banks |= std::uint64_t{1} << bank;
        first[bank] = word;
      } else if (first[bank] != word) {
        others = others | LaneMask::of_lane(rest.lowest());
      }
    }
    if (others.empty()) return 1;

    std::array<std::uint8_t, kMaxBanks> other_words{};
    std::uint8_t most = 0;
    ValueNumbers numbers;
    for (LaneMask rest = others; !rest.empty(); rest = rest.without_lowest()) {
      const std::uint64_t word = word_of(rest.lowest());
      const std::uint32_t next_number = numbers.size();
      if (numbers.number_of(word) != next_number) continue;
      most = std::max(most, ++other_words[bank_of(word)]);
    }
    return 1U + most;
  }
};

ScratchpadConflicts::ScratchpadConflicts(const ScratchpadParameters& parameters)
    : row_bytes_(parameters.banks * parameters.bank_bytes),
      bank_shift_(std::countr_zero(parameters.bank_bytes)),
      pass_bytes_(parameters.pass_bytes) {
  if (!std::has_single_bit(parameters.banks) || parameters.banks > kMaxBanks) {
    throw InputError(fmt::format("a scratchpad's banks must be a power of two up to {}, not {}",
                                 kMaxBanks, parameters.banks));
  }
  if (!std::has_single_bit(parameters.bank_bytes) || parameters.bank_bytes < 4 ||
      parameters.bank_bytes > kMaxLaneBytes) {
    throw InputError(fmt::format("a scratchpad's banks must be 4, 8 or 16 bytes wide, not {}",
                                 parameters.bank_bytes));
  }
  if (row_bytes_ < kMaxLaneBytes) {
    throw InputError(fmt::format("{} banks of {} bytes cannot serve the widest access of a lane",
                                 parameters.banks, parameters.bank_bytes));
  }
  if (!std::has_single_bit(parameters.pass_bytes) || parameters.pass_bytes < kMaxLaneBytes) {
    throw InputError(
        fmt::format("a scratchpad's pass must be a power of two of bytes, 16 at least, not {}",
                    parameters.pass_bytes));
  }
}

std::uint32_t ScratchpadConflicts::passes_of(const Group& group, SameWord same_word) {
  const bool shared = same_word == SameWord::shared;
  if (const std::optional<LaneRun> run = as_run(group.lanes)) {
    // Where several lanes serialise in one word, the two quick answers do not hold.
    const bool one_word_a_lane = 1U << group.word_shift == group.bytes_per_lane;
    if ((shared || one_word_a_lane) && has_step(group.addresses, *run, group.bytes_per_lane)) {
      return group.passes_side_by_side(*run);
    }
    if (has_step(group.addresses, *run, 0)) {
      return shared ? 1 : static_cast<std::uint32_t>(run->count);
    }
  }
  return shared ? group.words_of_busiest_bank() : group.accesses_of_busiest_bank();
}

std::uint32_t ScratchpadConflicts::passes(const LaneAddresses& addresses, LaneMask active,
                                          std::uint32_t bytes_per_lane, SameWord same_word) const {
  assert(std::has_single_bit(bytes_per_lane) && bytes_per_lane <= kMaxLaneBytes);
  const int word_shift = std::max(bank_shift_, std::countr_zero(bytes_per_lane));
  Group group{.addresses = addresses,
              .lanes = {},
              .bytes_per_lane = bytes_per_lane,
              .word_shift = word_shift,
              .bank_bits = (row_bytes_ >> word_shift) - 1};
  const int together = static_cast<int>(
      std::min<std::uint32_t>(kWarpSize, pass_bytes_ / std::max(bytes_per_lane, 4U)));
  std::uint32_t passes = 0;
  for (int first = 0; first < kWarpSize; first += together) {
    group.lanes = active & LaneMask(LaneMask::first(together).bits() << first);
    if (!group.lanes.empty()) passes += passes_of(group, same_word);
  }
  return passes;
}

}  // namespace heddle::memory
