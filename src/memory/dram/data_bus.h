#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "base/cycle.h"
#include "base/error.h"
#include "memory/port.h"

namespace heddle::memory {

/// The data bus of a DRAM channel. Transfers are serialised. The size of each transfer is rounded
/// up to whole transactions.
class DataBus {
 public:
  /// Throws InputError unless `transaction_bytes` is a power of two.
  DataBus(const PortParameters& bandwidth, std::uint32_t transaction_bytes)
      : port_(bandwidth), transaction_bytes_(transaction_bytes) {
    if (!std::has_single_bit(transaction_bytes)) {
      throw InputError(fmt::format("the bytes of a DRAM transaction must be a power of two, not {}",
                                   transaction_bytes));
    }
  }

  /// The cycle at whose start, or during which, the bus becomes free.
  Cycle free_from() const { return port_.free_from(); }
  /// Books the next transfer, which starts no earlier than `earliest`. Returns the first cycle
  /// after the transfer.
  Cycle transfer(Cycle earliest, std::uint32_t bytes) {
    const std::uint32_t mask = transaction_bytes_ - 1;
    const std::uint32_t whole = (bytes + mask) & ~mask;
    data_bytes_ += whole;
    return port_.book(earliest, whole);
  }

  // Totals of all transfers booked so far.
  std::uint64_t data_bytes() const { return data_bytes_; }
  std::uint64_t busy_cycles() const { return port_.busy_cycles().count; }

 private:
  Port port_;
  std::uint32_t transaction_bytes_;
  std::uint64_t data_bytes_ = 0;
};

}  // namespace heddle::memory
