#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/cycle.h"

namespace heddle::memory {

/// Minimum times between the commands of a bank, in DRAM cycles. cas_latency, precharge and
/// row_to_column are from Xiang, Toward Efficient SIMT Execution, Table 1. The papers do not give
/// the other times; the defaults are typical of GDDR3.
struct DramTiming {
  Cycles cas_latency{10};     ///< tCL: column command to the first byte, of reads and writes.
  Cycles precharge{10};       ///< tRP: precharge to activation.
  Cycles row_to_column{12};   ///< tRCD: activation to column command.
  Cycles row_active{25};      ///< tRAS: activation to precharge.
  Cycles row_cycle{0};        ///< tRC: activation to activation; 0: tRAS + tRP.
  Cycles write_recovery{11};  ///< tWR: last byte of a write to precharge.
};

/// One bank: its open row, and the earliest cycle of each command.
class DramBank {
 public:
  enum class Command : std::uint8_t { column, activate, precharge };
  /// The state in which a request finds the bank.
  enum class Outcome : std::uint8_t {
    hit,       ///< The request's row is open.
    miss,      ///< No row is open.
    conflict,  ///< Another row is open.
  };

  /// Returns the next command that an access to `row` needs.
  Command needed_for(std::uint64_t row) const {
    if (open_row_ == row) return Command::column;
    return open_row_ == kClosed ? Command::activate : Command::precharge;
  }
  bool has_open(std::uint64_t row) const { return open_row_ == row; }
  /// The first cycle in which the bank can take the command.
  Cycle earliest(Command command) const {
    switch (command) {
      case Command::column:
        return earliest_column_;
      case Command::activate:
        return earliest_activate_;
      case Command::precharge:
        return earliest_precharge_;
    }
    return Cycle::never();
  }

  void activate(Cycle at, std::uint64_t row, const DramTiming& timing) {
    open_row_ = row;
    earliest_column_ = at + timing.row_to_column;
    earliest_precharge_ = at + timing.row_active;
    earliest_activate_ = at + timing.row_cycle;
    if (outcome_ == Outcome::hit) outcome_ = Outcome::miss;
  }
  void precharge(Cycle at, const DramTiming& timing) {
    open_row_ = kClosed;
    earliest_activate_ = std::max(earliest_activate_, at + timing.precharge);
    outcome_ = Outcome::conflict;
  }
  /// Records a column command whose transfer ends at `end`. Returns the request's outcome.
  Outcome transfer(Cycle end, bool is_write, const DramTiming& timing) {
    const Cycle recovered = is_write ? end + timing.write_recovery : end;
    earliest_precharge_ = std::max(earliest_precharge_, recovered);
    return std::exchange(outcome_, Outcome::hit);
  }

 private:
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  std::uint64_t open_row_ = kClosed;
  Cycle earliest_column_;
  Cycle earliest_activate_;
  Cycle earliest_precharge_;
  /// The outcome of the request that is served next, according to the commands so far.
  Outcome outcome_ = Outcome::hit;
};

}  // namespace heddle::memory
