#pragma once

// A direct model of channels with banks and of their scheduling policies. In every cycle, it
// examines every request, and checks against the whole history whether its next command can issue.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "memory/banked_machine.h"

namespace heddle::memory {

class BankedChannelModel {
 public:
  struct Done {
    std::uint32_t token = 0;
    std::uint64_t at = 0;
    friend bool operator==(const Done&, const Done&) = default;
  };

  explicit BankedChannelModel(const BankedMachine& machine) : machine_(machine) {}

  bool accepts() const { return queue_.size() < machine_.queue_entries; }

  void add(const DramRequest& request, std::uint64_t cycle) {
    const std::uint64_t rows = request.address / machine_.map.row_bytes;
    const std::uint64_t row = rows / machine_.map.banks;
    std::uint64_t bank = rows % machine_.map.banks;
    for (std::uint64_t rest = row; machine_.map.hash_banks && rest != 0 && machine_.map.banks > 1;
         rest /= machine_.map.banks) {
      bank ^= rest % machine_.map.banks;
    }
    queue_.push_back({.request = request, .bank = bank, .row = row, .arrival = cycle});
  }

  /// Simulates one cycle: issues at most one command.
  void step(std::uint64_t cycle) {
    std::optional<std::size_t> chosen;
    for (int priority = 0; priority < 3 && !chosen; ++priority) {
      for (std::size_t i = 0; i < queue_.size() && !chosen; ++i) {
        if (priority_of(queue_[i], cycle) == priority && can_issue(i, cycle)) chosen = i;
      }
    }
    if (chosen) issue(*chosen, cycle);
  }

  std::vector<Done> done;
  DramCounters counters;

 private:
  struct Waiting {
    DramRequest request;
    std::uint64_t bank = 0;
    std::uint64_t row = 0;
    std::uint64_t arrival = 0;
    bool row_closed_for_it = false;
    bool row_opened_for_it = false;
  };
  struct Bank {
    std::optional<std::uint64_t> row;
    std::optional<std::uint64_t> activated;
    std::optional<std::uint64_t> precharged;
    std::uint64_t last_byte_read = 0;
    std::uint64_t last_byte_written = 0;
    bool written = false;
  };

  bool prefers_hits() const { return machine_.policy == "fr-fcfs"; }
  bool hits(const Waiting& waiting) { return banks_[waiting.bank].row == waiting.row; }
  bool overdue(const Waiting& waiting, std::uint64_t cycle) const {
    return prefers_hits() && machine_.age_limit.count != 0 &&
           cycle - waiting.arrival >= machine_.age_limit.count;
  }
  int priority_of(const Waiting& waiting, std::uint64_t cycle) {
    if (!prefers_hits() || overdue(waiting, cycle)) return 0;
    return hits(waiting) ? 1 : 2;
  }

  bool can_issue(std::size_t index, std::uint64_t cycle) {
    const Waiting& waiting = queue_[index];
    const Bank& bank = banks_[waiting.bank];
    bool oldest_of_bank = true;
    bool overdue_before = false;
    for (std::size_t i = 0; i < index; ++i) {
      if (queue_[i].bank != waiting.bank) continue;
      oldest_of_bank = false;
      overdue_before |= overdue(queue_[i], cycle);
    }
    bool hit_in_bank = false;
    for (const Waiting& other : queue_) hit_in_bank |= other.bank == waiting.bank && hits(other);

    if (hits(waiting)) {  // the column command
      if (machine_.policy == "fcfs" && index != 0) return false;
      if (machine_.policy == "fcfs-per-bank" && !oldest_of_bank) return false;
      if (overdue_before) return false;
      if (cycle < *bank.activated + machine_.timing.row_to_column.count) return false;
      // The data bus must become free before the end of the first data cycle.
      return bus_free_ < (cycle + machine_.timing.cas_latency.count + 1) * machine_.bandwidth.bytes;
    }
    if (!oldest_of_bank) return false;
    if (bank.row) {  // the precharge
      if (prefers_hits() && hit_in_bank && !overdue(waiting, cycle)) return false;
      if (cycle < *bank.activated + machine_.timing.row_active.count) return false;
      if (cycle < bank.last_byte_read) return false;
      return !bank.written ||
             cycle >= bank.last_byte_written + machine_.timing.write_recovery.count;
    }
    if (bank.precharged && cycle < *bank.precharged + machine_.timing.precharge.count) return false;
    const std::uint64_t row_cycle = machine_.timing.row_cycle.count;
    return !bank.activated || cycle >= *bank.activated + row_cycle;
  }

  void issue(std::size_t index, std::uint64_t cycle) {
    Waiting& waiting = queue_[index];
    Bank& bank = banks_[waiting.bank];
    if (bank.row && bank.row != waiting.row) {
      bank.row.reset();
      bank.precharged = cycle;
      waiting.row_closed_for_it = true;
    } else if (!bank.row) {
      bank.row = waiting.row;
      bank.activated = cycle;
      waiting.row_opened_for_it = true;
      ++counters.activations;
    } else {
      transfer(waiting, bank, cycle);
      queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  void transfer(const Waiting& waiting, Bank& bank, std::uint64_t cycle) {
    std::uint64_t bytes = 0;
    while (bytes < waiting.request.bytes) bytes += machine_.transaction_bytes;
    const std::uint64_t begin =
        (cycle + machine_.timing.cas_latency.count) * machine_.bandwidth.bytes;
    bus_free_ = std::max(bus_free_, begin) + bytes * machine_.bandwidth.cycles;
    std::uint64_t end = bus_free_ / machine_.bandwidth.bytes;
    if (end * machine_.bandwidth.bytes < bus_free_) ++end;
    if (waiting.request.is_write) {
      bank.last_byte_written = end;
      bank.written = true;
    } else {
      bank.last_byte_read = end;
    }
    done.push_back({.token = waiting.request.token, .at = end + machine_.overhead.count});
    ++(waiting.request.is_write ? counters.writes : counters.reads);
    ++(waiting.row_closed_for_it   ? counters.row_conflicts
       : waiting.row_opened_for_it ? counters.row_misses
                                   : counters.row_hits);
    counters.data_bytes += bytes;
  }

  BankedMachine machine_;
  std::vector<Waiting> queue_;  ///< In order of arrival.
  std::map<std::uint64_t, Bank> banks_;
  std::uint64_t bus_free_ = 0;  ///< In ticks: `bandwidth.bytes` ticks per cycle.
};

}  // namespace heddle::memory
