#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/clustered_passes.h"
#include "sm/bank_ports.h"
#include "sm/shared_banks.h"

namespace heddle::sm {

/// The counters of a BankArbiter. All are 0 if different kinds of storage do not conflict.
struct SharedBankCounters {
  std::uint64_t accesses = 0;
  std::uint64_t delayed = 0;
  std::uint64_t conflict_cycles = 0;
  std::uint64_t buffered_writes = 0;
  std::uint64_t buffer_conflict_cycles = 0;

  void declare(CounterList& counters);
};

/// The banks that registers, scratchpad and L1 share, as the load-store unit uses them. Accesses to
/// registers come first (Gebhart's dissertation, section 7.3.3): an access to the scratchpad or the
/// L1 is made in a cycle only if its banks have a free port in it. All accesses to registers in a
/// cycle must have been booked before.
class BankArbiter {
 public:
  /// `ports`: of the banks of one cluster, which stand for those of all clusters, because a
  /// register has bytes in all.
  BankArbiter(const SharedBanks& banks, std::uint32_t pass_bytes, BankPorts& ports);

  /// The passes of an access to the scratchpad.
  const memory::ClusteredPasses& passes() const { return passes_; }
  /// The bank of a line of the L1.
  memory::BankSet bank_of_line(std::uint64_t line) const {
    return memory::BankSet{1} << (line % ports_.banks());
  }

  // Whether an access to these banks can be made at `at`. If it can, it is booked. Calls must be in
  // the order of `at`.
  bool read(memory::BankSet banks, Cycle at);
  bool write(memory::BankSet banks, Cycle at);
  /// An atomic reads its banks. What it writes waits in a buffer for the banks' ports, and delays
  /// other accesses only in this way.
  bool read_and_write_later(memory::BankSet banks, Cycle at);
  /// Data from memory have arrived for a line, and are written to its bank from the next cycle on.
  /// Loads that wait for them get them at once.
  void fill(std::uint64_t line, Cycle arrived) { buffer_write(bank_of_line(line), arrived); }

  /// Counts an instruction of the load-store unit that has waited for banks.
  void count_delayed() { ++counters_.delayed; }
  void declare(CounterList& counters) { counters_.declare(counters); }

 private:
  bool take(std::vector<PortCalendar>& ports, memory::BankSet banks, Cycle at);
  void buffer_write(memory::BankSet banks, Cycle at);
  void book_buffered(std::uint32_t bank, Cycle until);

  BankPorts& ports_;
  memory::ClusteredPasses passes_;
  /// By bank: the first cycles in which buffered data may be written.
  std::vector<RingQueue<Cycle>> buffered_;
  SharedBankCounters counters_;
};

}  // namespace heddle::sm
