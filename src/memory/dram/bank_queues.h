#pragma once

#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::memory {

/// The request queue of a channel. All banks share its entries; the requests of each bank form a
/// list in order of arrival. For each bank, the queue tracks the bank's *hit*: the oldest request
/// for the row that is open in the bank.
class BankQueues {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Entry {
    std::uint64_t order = 0;  ///< The number of the request, in order of arrival at the channel.
    std::uint64_t row = 0;
    Cycle arrival;
    std::uint32_t bytes = 0;
    std::uint32_t token = 0;
    std::uint32_t next = kNone;  ///< The next request of the bank or, if free, the next free entry.
    bool is_write = false;
  };

  BankQueues(std::uint32_t entries, std::uint32_t banks);

  bool empty() const { return queued_ == 0; }
  bool full() const { return queued_ == entries_.size(); }
  const Entry& operator[](std::uint32_t index) const { return entries_[index]; }

  // The indices of a bank's oldest request and of its hit; kNone if there is none.
  std::uint32_t oldest(std::uint32_t bank) const { return banks_[bank].first; }
  std::uint32_t hit(std::uint32_t bank) const { return banks_[bank].hit; }

  /// Adds a request; the queue must not be full. `is_for_open_row`: the request is for the row that
  /// is open in the bank. Returns whether the request is now the bank's oldest or its hit.
  bool add(std::uint32_t bank, const Entry& request, bool is_for_open_row);
  /// Updates the hit after the row of the bank's oldest request has been opened.
  void on_row_opened_for_oldest(std::uint32_t bank);
  /// Updates the hit after the bank's row has been closed.
  void on_row_closed(std::uint32_t bank) { banks_[bank].hit = kNone; }
  /// Removes the bank's hit. The next request for the same row, if any, becomes the hit.
  void remove_hit(std::uint32_t bank);

 private:
  /// The list of a bank's requests: indices of its ends, of the hit, and of the request before it.
  struct Bank {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t hit = kNone;
    std::uint32_t before_hit = kNone;
  };

  std::vector<Bank> banks_;
  std::vector<Entry> entries_;
  std::uint32_t free_ = 0;    ///< The index of the first free entry.
  std::uint32_t queued_ = 0;  ///< The number of requests.
};

}  // namespace heddle::memory
