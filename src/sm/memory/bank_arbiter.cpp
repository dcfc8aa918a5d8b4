#include "sm/memory/bank_arbiter.h"

#include <bit>

namespace heddle::sm {
namespace {

template <class Visit>
void for_each_bank(memory::BankSet banks, Visit&& visit) {
  for (; banks != 0; banks &= banks - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(banks)));
  }
}

}  // namespace

BankArbiter::BankArbiter(const SharedBanks& banks, std::uint32_t pass_bytes, BankPorts& ports)
    : ports_(ports),
      passes_({.row_bytes = SharedBanks::kRowBytes,
               .clusters = banks.clusters,
               .banks = ports.banks(),
               .pass_bytes = pass_bytes,
               .gathers = banks.gathers}),
      buffered_(ports.banks()) {}

bool BankArbiter::take(std::vector<PortCalendar>& ports, memory::BankSet banks, Cycle at) {
  bool are_free = true;
  for_each_bank(banks, [&](std::uint32_t bank) {
    book_buffered(bank, at);
    are_free = are_free && ports[bank].is_free(at);
  });
  if (!are_free) {
    ++counters_.conflict_cycles;
    return false;
  }
  ++counters_.accesses;
  for_each_bank(banks, [&](std::uint32_t bank) { ports[bank].mark(at); });
  return true;
}

bool BankArbiter::read(memory::BankSet banks, Cycle at) { return take(ports_.reads(), banks, at); }

bool BankArbiter::write(memory::BankSet banks, Cycle at) {
  return take(ports_.writes(), banks, at);
}

bool BankArbiter::read_and_write_later(memory::BankSet banks, Cycle at) {
  if (!read(banks, at)) return false;
  buffer_write(banks, at);
  return true;
}

void BankArbiter::buffer_write(memory::BankSet banks, Cycle at) {
  for_each_bank(banks, [&](std::uint32_t bank) {
    // Registers may still be written in cycle `at`.
    book_buffered(bank, Cycle(at.number - 1));
    buffered_[bank].push(at + Cycles(1));
    ++counters_.buffered_writes;
  });
}

/// Writes buffered data in the cycles up to `until` in which the bank's port is free.
void BankArbiter::book_buffered(std::uint32_t bank, Cycle until) {
  RingQueue<Cycle>& waiting = buffered_[bank];
  PortCalendar& port = ports_.writes()[bank];
  while (!waiting.empty()) {
    const Cycle first = waiting.front();
    const Cycle written = port.first_free(first);
    if (written > until) return;
    port.mark(written);
    counters_.buffer_conflict_cycles += (written - first).count;
    waiting.pop();
  }
}

void SharedBankCounters::declare(CounterList& counters) {
  counters.add("accesses", accesses, "accesses",
               "of scratchpad and L1 to the banks that they share with registers");
  counters.add("delayed", delayed, "instructions",
               "with such an access that waited for a port of its bank");
  counters.add("conflict_cycles", conflict_cycles, "core cycles",
               "in which such an access waited for a port of its bank");
  counters.add("buffered_writes", buffered_writes, "accesses",
               "that wrote data from memory, or results of atomics, to these banks");
  counters.add("buffer_conflict_cycles", buffer_conflict_cycles, "core cycles",
               "in which such data waited for a port of their bank");
}

}  // namespace heddle::sm
