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
  AddressMapParameters map{};  ///< An address's channel, if there are several, is ignored.
  DramTiming timing{};
  PortParameters bandwidth{16, 1};  ///< The bandwidth of the data bus.
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
/// Class BankedChannelOf adds the scheduling policy, which selects the next request.
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

  /// Adds a request to the queue. Returns the request's bank if the request is now the bank's
  /// oldest or its hit, which may change the bank's next command; otherwise empty.
  std::optional<std::uint32_t> enqueue(const DramRequest& request, Cycle arrival);
  /// Issues a command to a bank in cycle `at`. `request` is the index of the request that needs it:
  /// the bank's hit for a column command, otherwise the bank's oldest request.
  void issue(DramBank::Command command, std::uint32_t bank, std::uint32_t request, Cycle at);
  /// Moves the requests that are complete at the start of `until` to `completions`.
  void report_completions(Cycle until, std::vector<DramCompletion>& completions) {
    completions_.take_done(until, completions);
  }

 private:
  /// Issues the column command of a request.
  void transfer(std::uint32_t bank, const BankQueues::Entry& request, Cycle at);

  BankedChannelParameters parameters_;
  AddressMap map_;
  DataBus bus_;
  std::vector<DramBank> banks_;
  BankQueues queues_;
  std::uint64_t next_order_ = 0;
  CompletionQueue completions_;
  DramCounters counters_;  ///< Without the counters of the data bus.
};

}  // namespace heddle::memory
