#pragma once

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "sm/port_calendar.h"

namespace heddle::sm {

/// The ports of the banks of a memory. A bank has a port for reads and one for writes, or one for
/// both.
class BankPorts {
 public:
  enum class Ports : std::uint8_t { read_and_write, shared };

  BankPorts(std::uint32_t banks, Ports ports)
      : reads_(banks), writes_(ports == Ports::read_and_write ? banks : 0) {}

  std::uint32_t banks() const { return static_cast<std::uint32_t>(reads_.size()); }
  /// The ports with which banks are read, and written, by bank. They are the same if a bank has
  /// one port.
  std::vector<PortCalendar>& reads() { return reads_; }
  std::vector<PortCalendar>& writes() { return writes_.empty() ? reads_ : writes_; }

 private:
  std::vector<PortCalendar> reads_;   ///< By bank.
  std::vector<PortCalendar> writes_;  ///< By bank. Empty if a bank has one port.
};

}  // namespace heddle::sm
