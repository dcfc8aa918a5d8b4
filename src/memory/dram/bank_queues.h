#pragma once

#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::memory {

/// The queue of a channel: the requests of each bank in order of arrival, in entries that all banks
/// share. Of each bank it knows the oldest request for the bank's open row, the hit.
class BankQueues {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Entry {
    std::uint64_t order = 0;  ///< Among all requests of the channel.
    std::uint64_t row = 0;
    Cycle arrival;
    std::uint32_t bytes = 0;
    std::uint32_t token = 0;
    std::uint32_t next = kNone;  ///< The next request of the bank; or the next free entry.
    bool is_write = false;
  };

  BankQueues(std::uint32_t entries, std::uint32_t banks);

  bool empty() const { return queued_ == 0; }
  bool full() const { return queued_ == entries_.size(); }
  const Entry& operator[](std::uint32_t index) const { return entries_[index]; }

  /// Indices of a bank's oldest request and of its hit; kNone where there is none.
  std::uint32_t first(std::uint32_t bank) const { return banks_[bank].first; }
  std::uint32_t hit(std::uint32_t bank) const { return banks_[bank].hit; }

  /// The queue must not be full. `hits`: the request is for the bank's open row. False where it
  /// waits behind another one anyway: it is neither the bank's oldest nor its hit.
  bool add(std::uint32_t bank, const Entry& request, bool hits);
  /// The row that the bank's oldest request needs has been opened.
  void opened_for_first(std::uint32_t bank);
  void closed(std::uint32_t bank) { banks_[bank].hit = kNone; }
  /// Takes the hit out; the next one for the same row, if any, is the hit then.
  void take_hit(std::uint32_t bank);

 private:
  struct Bank {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t hit = kNone;
    std::uint32_t before_hit = kNone;
  };

  std::vector<Bank> banks_;
  std::vector<Entry> entries_;
  std::uint32_t free_ = 0;  ///< The first of the free entries.
  std::uint32_t queued_ = 0;
};

}  // namespace heddle::memory
