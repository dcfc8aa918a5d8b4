#pragma once

// The rules of channels with banks and of their policies, written down as they are said: every
// cycle looks at every request and asks of the whole history whether its next command may go out.

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

  explicit BankedChannelModel(const BankedMachine& machine) : is_(machine) {}

  bool accepts() const { return queue_.size() < is_.queue_entries; }

  void add(const DramRequest& request, std::uint64_t cycle) {
    const std::uint64_t rows = request.address / is_.map.row_bytes;
    const std::uint64_t row = rows / is_.map.banks;
    std::uint64_t bank = rows % is_.map.banks;
    for (std::uint64_t rest = row; is_.map.hash_banks && rest != 0 && is_.map.banks > 1;
         rest /= is_.map.banks) {
      bank ^= rest % is_.map.banks;
    }
    queue_.push_back({.request = request, .bank = bank, .row = row, .arrival = cycle});
  }

  /// One cycle: at most one command.
  void walk(std::uint64_t cycle) {
    std::optional<std::size_t> chosen;
    for (int urgency = 0; urgency < 3 && !chosen; ++urgency) {
      for (std::size_t i = 0; i < queue_.size() && !chosen; ++i) {
        if (urgency_of(queue_[i], cycle) == urgency && may_go(i, cycle)) chosen = i;
      }
    }
    if (chosen) go(*chosen, cycle);
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

  bool prefers_hits() const { return is_.policy == "fr-fcfs"; }
  bool hits(const Waiting& waiting) { return banks_[waiting.bank].row == waiting.row; }
  bool overdue(const Waiting& waiting, std::uint64_t cycle) const {
    return prefers_hits() && is_.age_limit.count != 0 &&
           cycle - waiting.arrival >= is_.age_limit.count;
  }
  int urgency_of(const Waiting& waiting, std::uint64_t cycle) {
    if (!prefers_hits() || overdue(waiting, cycle)) return 0;
    return hits(waiting) ? 1 : 2;
  }

  bool may_go(std::size_t index, std::uint64_t cycle) {
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
      if (is_.policy == "fcfs" && index != 0) return false;
      if (is_.policy == "fcfs-per-bank" && !oldest_of_bank) return false;
      if (overdue_before) return false;
      if (cycle < *bank.activated + is_.timing.row_to_column.count) return false;
      // Some of the cycle in which the data would begin must be free.
      return pins_free_ < (cycle + is_.timing.cas_latency.count + 1) * is_.bandwidth.bytes;
    }
    if (!oldest_of_bank) return false;
    if (bank.row) {  // the precharge
      if (prefers_hits() && hit_in_bank && !overdue(waiting, cycle)) return false;
      if (cycle < *bank.activated + is_.timing.row_active.count) return false;
      if (cycle < bank.last_byte_read) return false;
      return !bank.written || cycle >= bank.last_byte_written + is_.timing.write_recovery.count;
    }
    if (bank.precharged && cycle < *bank.precharged + is_.timing.precharge.count) return false;
    const std::uint64_t row_cycle = is_.timing.row_cycle.count;
    return !bank.activated || cycle >= *bank.activated + row_cycle;
  }

  void go(std::size_t index, std::uint64_t cycle) {
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
    while (bytes < waiting.request.bytes) bytes += is_.transaction_bytes;
    const std::uint64_t begin = (cycle + is_.timing.cas_latency.count) * is_.bandwidth.bytes;
    pins_free_ = std::max(pins_free_, begin) + bytes * is_.bandwidth.cycles;
    std::uint64_t end = pins_free_ / is_.bandwidth.bytes;
    if (end * is_.bandwidth.bytes < pins_free_) ++end;
    if (waiting.request.is_write) {
      bank.last_byte_written = end;
      bank.written = true;
    } else {
      bank.last_byte_read = end;
    }
    done.push_back({.token = waiting.request.token, .at = end + is_.overhead.count});
    ++(waiting.request.is_write ? counters.writes : counters.reads);
    ++(waiting.row_closed_for_it   ? counters.row_conflicts
       : waiting.row_opened_for_it ? counters.row_misses
                                   : counters.row_hits);
    counters.data_bytes += bytes;
  }

  BankedMachine is_;
  std::vector<Waiting> queue_;  ///< In order of arrival.
  std::map<std::uint64_t, Bank> banks_;
  std::uint64_t pins_free_ = 0;  ///< In parts of a cycle, `bandwidth.bytes` of them.
};

}  // namespace heddle::memory
