#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::memory {

/// Miss status holding registers (MSHRs): the cache lines that are being fetched, each with the
/// requests that wait for it. A request is a 32-bit token of the caller.
///
/// Lines are looked up in an open-addressing hash table that is at most half full. Most look-ups
/// are first misses and find nothing; a linear scan would then read all entries. Most entries have
/// one request, whose token is stored in the entry itself. The tokens of further requests are in a
/// separate table, with one row for each entry.
class MshrTable {
 public:
  struct Parameters {
    std::uint32_t entries = 32;
    std::uint32_t merges = 8;  ///< The maximum number of requests that wait for one line.
  };
  enum class Outcome : std::uint8_t {
    allocated,         ///< The first request for the line: the caller must fetch it.
    merged,            ///< A further request for a line that is being fetched.
    full,              ///< Not added: the line has no entry, and no entry is free.
    merges_exhausted,  ///< Not added: the line's entry has the maximum number of requests.
  };
  struct Entry {
    std::uint64_t line = 0;
    std::uint32_t requests = 0;  ///< The number of requests that wait for the line.
    std::uint32_t first_token = 0;
    std::uint32_t row = kNoRow;  ///< The row of the other tokens; kNoRow in an empty slot.
  };

  /// Throws InputError if a parameter is 0.
  explicit MshrTable(const Parameters& parameters);

  /// Adds a request for a line.
  Outcome add(std::uint64_t line, std::uint32_t token) {
    Entry& entry = slots_[slot_of(line)];
    if (entry.row != kNoRow) {
      if (entry.requests == merges_) return Outcome::merges_exhausted;
      tokens_[second_token(entry.row) + entry.requests++ - 1] = token;
      return Outcome::merged;
    }
    if (free_rows_.empty()) return Outcome::full;
    entry = {.line = line, .requests = 1, .first_token = token, .row = free_rows_.back()};
    free_rows_.pop_back();
    return Outcome::allocated;
  }
  /// Prefetches the line's slot into the host's cache.
  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    __builtin_prefetch(&slots_[preferred_slot(line)]);
  }
  /// Returns the entry of a line; null if the line is not being fetched. The pointer is valid until
  /// the next add() or release().
  const Entry* find(std::uint64_t line) const {
    const Entry& entry = slots_[slot_of(line)];
    return entry.row == kNoRow ? nullptr : &entry;
  }
  /// Removes a line that has arrived, and calls `each_token(token)` for its requests in the order
  /// in which they were added. `each_token` may add() requests. A request for the same line then
  /// allocates a new entry; the released entry itself becomes free after the last token.
  template <class EachToken>
  void release(std::uint64_t line, EachToken&& each_token) {
    const std::size_t slot = slot_of(line);
    const Entry entry = slots_[slot];
    assert(entry.row != kNoRow);
    empty_slot(slot);
    each_token(entry.first_token);
    for (const std::uint32_t token : others_of(entry)) each_token(token);
    free_rows_.push_back(entry.row);
  }

  /// The numbers of entries with a line, and without one.
  std::uint32_t used_entries() const { return entries_ - free_entries(); }
  std::uint32_t free_entries() const { return static_cast<std::uint32_t>(free_rows_.size()); }

 private:
  static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

  /// The slot at which the search for a line begins. The multiplier is 2^64 divided by the golden
  /// ratio, which spreads strided lines well; the high bits of the product are the best hash.
  std::size_t preferred_slot(std::uint64_t line) const {
    return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15u >> hash_shift_);
  }
  /// The slot of a line, or the empty slot that it would take.
  std::size_t slot_of(std::uint64_t line) const {
    std::size_t slot = preferred_slot(line);
    while (slots_[slot].row != kNoRow && slots_[slot].line != line) slot = after(slot);
    return slot;
  }
  std::size_t after(std::size_t slot) const { return (slot + 1) & slot_mask_; }
  std::size_t second_token(std::uint32_t row) const { return std::size_t{row} * (merges_ - 1); }
  std::span<const std::uint32_t> others_of(const Entry& entry) const {
    return {tokens_.data() + second_token(entry.row), entry.requests - 1};
  }
  void empty_slot(std::size_t slot);

  std::uint32_t entries_ = 0;
  std::uint32_t merges_ = 0;
  int hash_shift_ = 0;
  std::size_t slot_mask_ = 0;
  std::vector<Entry> slots_;
  std::vector<std::uint32_t> tokens_;  ///< A row for each entry: all tokens except the first.
  /// A stack, because the row that was freed last is still in the host's cache.
  std::vector<std::uint32_t> free_rows_;
};

}  // namespace heddle::memory
