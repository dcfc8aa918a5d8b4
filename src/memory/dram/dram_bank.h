#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/cycle.h"

namespace heddle::memory {

/// Times between the commands of a bank, in cycles. Latency, precharge and row-to-column are of
/// simt Table 1; the papers give no others: those are usual ones of GDDR3.
struct DramTiming {
  Cycles cas_latency{10};     ///< tCL: column command to the first byte, of writes too.
  Cycles precharge{10};       ///< tRP: precharge to activation.
  Cycles row_to_column{12};   ///< tRCD: activation to column command.
  Cycles row_active{25};      ///< tRAS: activation to precharge.
  Cycles row_cycle{0};        ///< tRC: activation to activation; 0: tRAS + tRP.
  Cycles write_recovery{11};  ///< tWR: last byte of a write to precharge.
};

/// One bank: which row is open, and from when on its next command may come.
class DramBank {
 public:
  enum class Command : std::uint8_t { column, activate, precharge };
  /// What a request finds when its turn comes.
  enum class Outcome : std::uint8_t { hit, miss, conflict };

  /// The next command on the way to the data of `row`.
  Command needed_for(std::uint64_t row) const {
    if (open_row_ == row) return Command::column;
    return open_row_ == kClosed ? Command::activate : Command::precharge;
  }
  bool has_open(std::uint64_t row) const { return open_row_ == row; }
  Cycle earliest(Command command) const {
    switch (command) {
      case Command::column:
        return column_from_;
      case Command::activate:
        return activate_from_;
      case Command::precharge:
        return precharge_from_;
    }
    return Cycle::never();
  }

  void activate(Cycle at, std::uint64_t row, const DramTiming& timing) {
    open_row_ = row;
    column_from_ = at + timing.row_to_column;
    precharge_from_ = at + timing.row_active;
    activate_from_ = at + timing.row_cycle;
    if (outcome_ == Outcome::hit) outcome_ = Outcome::miss;
  }
  void precharge(Cycle at, const DramTiming& timing) {
    open_row_ = kClosed;
    activate_from_ = std::max(activate_from_, at + timing.precharge);
    outcome_ = Outcome::conflict;
  }
  /// The column command of a transfer that ends at `end` was given. Tells what was done for it.
  Outcome transfer(Cycle end, bool is_write, const DramTiming& timing) {
    const Cycle recovered = is_write ? end + timing.write_recovery : end;
    precharge_from_ = std::max(precharge_from_, recovered);
    return std::exchange(outcome_, Outcome::hit);
  }

 private:
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  std::uint64_t open_row_ = kClosed;
  Cycle column_from_;
  Cycle activate_from_;
  Cycle precharge_from_;
  Outcome outcome_ = Outcome::hit;  ///< Of the request that is served next.
};

}  // namespace heddle::memory
