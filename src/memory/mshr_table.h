#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::memory {

/// Miss status holding registers: the lines that are being fetched, each with the requests that
/// wait for it, which are the caller's 32-bit tokens.
///
/// Lines are looked up in an open-addressing hash table that is at most half full. Most look-ups
/// find nothing (first misses), which is where a scan of up to 256 entries would read them all.
/// Most entries have one request: it is kept in the entry, and only others in a row of their own.
class MshrTable {
 public:
  struct Parameters {
    std::uint32_t entries = 32;
    std::uint32_t merges = 8;  ///< Requests that may wait for one line, the first included.
  };
  enum class Outcome : std::uint8_t {
    allocated,  ///< The first request for the line: the caller must fetch it.
    merged,
    full,              ///< Nothing was added: the line has no entry, and none is free.
    merges_exhausted,  ///< Nothing was added: the line has an entry with no room.
  };
  struct Entry {
    std::uint64_t line = 0;
    std::uint32_t waiting = 0;
    std::uint32_t first = 0;     ///< Token.
    std::uint32_t row = kNoRow;  ///< Where the table keeps the others.
  };

  explicit MshrTable(const Parameters& parameters);

  Outcome add(std::uint64_t line, std::uint32_t token) {
    Entry& entry = slots_[slot_of(line)];
    if (entry.row != kNoRow) {
      if (entry.waiting == merges_) return Outcome::merges_exhausted;
      tokens_[second_token(entry.row) + entry.waiting++ - 1] = token;
      return Outcome::merged;
    }
    if (free_rows_.empty()) return Outcome::full;
    entry = {.line = line, .waiting = 1, .first = token, .row = free_rows_.back()};
    free_rows_.pop_back();
    return Outcome::allocated;
  }
  /// Lets the host fetch what a look for the line takes.
  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    __builtin_prefetch(&slots_[home_of(line)]);
  }
  /// The entry of a line that is being fetched, until the next add() or release(); else null.
  const Entry* find(std::uint64_t line) const {
    const Entry& entry = slots_[slot_of(line)];
    return entry.row == kNoRow ? nullptr : &entry;
  }
  /// The line, which is being fetched, has come: calls `each_token(token)` in order of arrival and
  /// frees the entry. The callee may add() requests, for the same line too, which is no longer
  /// being fetched then; the entry itself is free when the last token has been served.
  template <class EachToken>
  void release(std::uint64_t line, EachToken&& each_token) {
    const std::size_t slot = slot_of(line);
    const Entry entry = slots_[slot];
    assert(entry.row != kNoRow);
    empty_slot(slot);
    each_token(entry.first);
    for (const std::uint32_t token : others_of(entry)) each_token(token);
    free_rows_.push_back(entry.row);
  }

  std::uint32_t in_use() const { return entries_ - free(); }
  std::uint32_t free() const { return static_cast<std::uint32_t>(free_rows_.size()); }

 private:
  static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

  /// Where the search for a line begins. The multiplier is 2^64 divided by the golden ratio, which
  /// spreads the strides that lines come in; its product is best in the high bits.
  std::size_t home_of(std::uint64_t line) const {
    return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15u >> hash_shift_);
  }
  /// The slot of a line, or the empty one where it would go.
  std::size_t slot_of(std::uint64_t line) const {
    std::size_t slot = home_of(line);
    while (slots_[slot].row != kNoRow && slots_[slot].line != line) slot = after(slot);
    return slot;
  }
  std::size_t after(std::size_t slot) const { return (slot + 1) & slot_mask_; }
  std::size_t second_token(std::uint32_t row) const { return std::size_t{row} * (merges_ - 1); }
  std::span<const std::uint32_t> others_of(const Entry& entry) const {
    return {tokens_.data() + second_token(entry.row), entry.waiting - 1};
  }
  void empty_slot(std::size_t slot);

  std::uint32_t entries_ = 0;
  std::uint32_t merges_ = 0;
  int hash_shift_ = 0;
  std::size_t slot_mask_ = 0;
  std::vector<Entry> slots_;
  std::vector<std::uint32_t> tokens_;     ///< A row for each entry, of all but its first.
  std::vector<std::uint32_t> free_rows_;  ///< A stack: the row used last is still in the cache.
};

}  // namespace heddle::memory
