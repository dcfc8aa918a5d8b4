#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "base/cycle.h"
#include "base/error.h"
#include "memory/port.h"

namespace heddle::memory {

/// The data bus of a channel: transfers pass one after another, in whole transactions.
class DataBus {
 public:
  /// `transaction_bytes` must be a power of two; InputError otherwise.
  DataBus(const PortParameters& bandwidth, std::uint32_t transaction_bytes)
      : port_(bandwidth), transaction_bytes_(transaction_bytes) {
    if (!std::has_single_bit(transaction_bytes)) {
      throw InputError(
          fmt::format("the bytes of a transaction of memory must be a power of two, not {}",
                      transaction_bytes));
    }
  }

  /// The cycle in which, or in the middle of which, the bus becomes free.
  Cycle free_from() const { return port_.free_from(); }
  /// Books the next transfer, which does not start before `earliest`; returns the cycle before
  /// which all of it has passed.
  Cycle transfer(Cycle earliest, std::uint32_t bytes) {
    const std::uint32_t mask = transaction_bytes_ - 1;
    const std::uint32_t whole = (bytes + mask) & ~mask;
    data_bytes_ += whole;
    return port_.book(earliest, whole);
  }

  /// Of all transfers booked so far.
  std::uint64_t data_bytes() const { return data_bytes_; }
  std::uint64_t busy_cycles() const { return port_.busy_cycles().count; }

 private:
  Port port_;
  std::uint32_t transaction_bytes_;
  std::uint64_t data_bytes_ = 0;
};

}  // namespace heddle::memory
