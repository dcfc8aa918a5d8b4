#pragma once

// A direct model of channels with banks and of their scheduling policies. In every cycle, it
// examines every request, and checks against the whole history whether its next command can issue.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "memory/banked_channel_setup.h"

namespace heddle::memory {

class BankedChannelModel {
 public:
  struct Done {
    std::uint32_t token = 0;
    std::uint64_t at = 0;
    friend bool operator==(const Done&, const Done&) = default;
  };

  explicit BankedChannelModel(const BankedChannelSetup& setup) : setup_(setup) {}

  bool accepts() const { return queue_.size() < setup_.queue_entries; }

  void add(const DramRequest& request, std::uint64_t cycle) {
    const std::uint64_t rows = request.address / setup_.map.row_bytes;
    const std::uint64_t row = rows / setup_.map.banks;
    std::uint64_t bank = rows % setup_.map.banks;
    for (std::uint64_t rest = row; setup_.map.hash_banks && rest != 0 && setup_.map.banks > 1;
         rest /= setup_.map.banks) {
      bank ^= rest % setup_.map.banks;
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
  struct QueuedRequest {
    DramRequest request;
    std::uint64_t bank = 0;
    std::uint64_t row = 0;
    std::uint64_t arrival = 0;
    bool has_closed_row = false;  ///< A precharge was issued for this request.
    bool has_opened_row = false;  ///< An activation was issued for this request.
  };
  struct Bank {
    std::optional<std::uint64_t> row;
    std::optional<std::uint64_t> activated;
    std::optional<std::uint64_t> precharged;
    std::uint64_t last_byte_read = 0;
    std::uint64_t last_byte_written = 0;
    bool has_written = false;
  };

  bool prefers_hits() const { return setup_.policy == "fr-fcfs"; }
  bool hits(const QueuedRequest& queued) { return banks_[queued.bank].row == queued.row; }
  bool is_overdue(const QueuedRequest& queued, std::uint64_t cycle) const {
    return prefers_hits() && setup_.age_limit.count != 0 &&
           cycle - queued.arrival >= setup_.age_limit.count;
  }
  int priority_of(const QueuedRequest& queued, std::uint64_t cycle) {
    if (!prefers_hits() || is_overdue(queued, cycle)) return 0;
    return hits(queued) ? 1 : 2;
  }

  bool can_issue(std::size_t index, std::uint64_t cycle) {
    const QueuedRequest& queued = queue_[index];
    const Bank& bank = banks_[queued.bank];
    bool is_oldest_of_bank = true;
    bool has_overdue_before = false;
    for (std::size_t i = 0; i < index; ++i) {
      if (queue_[i].bank != queued.bank) continue;
      is_oldest_of_bank = false;
      has_overdue_before |= is_overdue(queue_[i], cycle);
    }
    bool bank_has_hit = false;
    for (const QueuedRequest& other : queue_) {
      bank_has_hit |= other.bank == queued.bank && hits(other);
    }

    if (hits(queued)) {  // The next command is the column command.
      if (setup_.policy == "fcfs" && index != 0) return false;
      if (setup_.policy == "fcfs-per-bank" && !is_oldest_of_bank) return false;
      if (has_overdue_before) return false;
      if (cycle < *bank.activated + setup_.timing.row_to_column.count) return false;
      // The data bus must become free before the end of the first data cycle.
      return bus_free_ < (cycle + setup_.timing.cas_latency.count + 1) * setup_.bandwidth.bytes;
    }
    if (!is_oldest_of_bank) return false;
    if (bank.row) {  // The next command is the precharge.
      if (prefers_hits() && bank_has_hit && !is_overdue(queued, cycle)) return false;
      if (cycle < *bank.activated + setup_.timing.row_active.count) return false;
      if (cycle < bank.last_byte_read) return false;
      return !bank.has_written ||
             cycle >= bank.last_byte_written + setup_.timing.write_recovery.count;
    }
    // The next command is the activation.
    if (bank.precharged && cycle < *bank.precharged + setup_.timing.precharge.count) return false;
    const std::uint64_t row_cycle = setup_.timing.row_cycle.count;
    return !bank.activated || cycle >= *bank.activated + row_cycle;
  }

  void issue(std::size_t index, std::uint64_t cycle) {
    QueuedRequest& queued = queue_[index];
    Bank& bank = banks_[queued.bank];
    if (bank.row && bank.row != queued.row) {
      bank.row.reset();
      bank.precharged = cycle;
      queued.has_closed_row = true;
    } else if (!bank.row) {
      bank.row = queued.row;
      bank.activated = cycle;
      queued.has_opened_row = true;
      ++counters.activations;
    } else {
      transfer(queued, bank, cycle);
      queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  void transfer(const QueuedRequest& queued, Bank& bank, std::uint64_t cycle) {
    std::uint64_t bytes = 0;
    while (bytes < queued.request.bytes) bytes += setup_.transaction_bytes;
    const std::uint64_t begin = (cycle + setup_.timing.cas_latency.count) * setup_.bandwidth.bytes;
    bus_free_ = std::max(bus_free_, begin) + bytes * setup_.bandwidth.cycles;
    std::uint64_t end = bus_free_ / setup_.bandwidth.bytes;
    if (end * setup_.bandwidth.bytes < bus_free_) ++end;
    if (queued.request.is_write) {
      bank.last_byte_written = end;
      bank.has_written = true;
    } else {
      bank.last_byte_read = end;
    }
    done.push_back({.token = queued.request.token, .at = end + setup_.overhead.count});
    ++(queued.request.is_write ? counters.writes : counters.reads);
    ++(queued.has_closed_row   ? counters.row_conflicts
       : queued.has_opened_row ? counters.row_misses
                               : counters.row_hits);
    counters.data_bytes += bytes;
  }

  BankedChannelSetup setup_;
  std::vector<QueuedRequest> queue_;  ///< In order of arrival.
  std::map<std::uint64_t, Bank> banks_;
  std::uint64_t bus_free_ = 0;  ///< In ticks: `bandwidth.bytes` ticks per cycle.
};

}  // namespace heddle::memory
