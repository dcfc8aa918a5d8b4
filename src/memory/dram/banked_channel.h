#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/dram/address_map.h"
#include "memory/dram/bank_queues.h"
#include "memory/dram/completion_queue.h"
#include "memory/dram/data_bus.h"
#include "memory/dram/dram_bank.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

struct BankedChannelParameters {
  AddressMapParameters map{};  ///< If it has several channels, an address's channel is ignored.
  DramTiming timing{};
  PortParameters bandwidth{16, 1};
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;  ///< Kim et al., Warped-Preexecution, Table 1.
  Cycles overhead{0};                ///< Added to each response's latency; occupies no resource.
};

/// A DRAM channel with banks and an open-row policy. In each cycle, one command goes to one bank:
/// the activation of a row, a precharge, or the column command of a request. The data of a column
/// command pass the shared data bus `cas_latency` later; transfers are serialised. A row stays open
/// until a request needs another row of its bank. A request leaves the queue with its column
/// command.
///
/// The scheduling policy selects the next request; see banked_channel_of.h.
///
/// Not modelled: refresh, bus turnaround between reads and writes, and limits between activations
/// of different banks (tRRD, tFAW).
class BankedChannel : public DramChannel {
 public:
  const CompletionQueue& completions() const final { return completions_; }
  DramCounters counters() const final;

 protected:
  explicit BankedChannel(const BankedChannelParameters& parameters);

  const BankQueues& queues() const { return queues_; }
  const std::vector<DramBank>& banks() const { return banks_; }
  /// The earliest cycle for a column command such that its data find the data bus free.
  Cycle earliest_column_for_bus() const {
    const std::uint64_t free_from = bus_.free_from().number;
    const std::uint64_t latency = parameters_.timing.cas_latency.count;
    return Cycle(free_from > latency ? free_from - latency : 0);
  }

  /// Returns the request's bank if the request is now the bank's oldest or its hit. The bank's next
  /// command may then change.
  std::optional<std::uint32_t> enqueue(const DramRequest& request, Cycle arrival);
  /// `request` is the bank's hit or, if its row is not open, the bank's oldest request.
  void issue(DramBank::Command command, std::uint32_t bank, std::uint32_t request, Cycle at);
  void report_completions(Cycle until, std::vector<DramCompletion>& completions) {
    completions_.take_done(until, completions);
  }

 private:
  void transfer(std::uint32_t bank, const BankQueues::Entry& request, Cycle at);

  BankedChannelParameters parameters_;
  AddressMap map_;
  DataBus bus_;
  std::vector<DramBank> banks_;
  BankQueues queues_;
  std::uint64_t next_order_ = 0;
  CompletionQueue completions_;
  DramCounters counters_;  ///< All but those that the data bus counts itself.
};

}  // namespace heddle::memory
