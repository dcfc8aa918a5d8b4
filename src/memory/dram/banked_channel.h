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
  AddressMapParameters map{};  ///< Of the whole memory; the channel takes what it is given.
  DramTiming timing{};
  PortParameters bandwidth{16, 1};
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;  ///< preexec Table 1.
  Cycles overhead{0};                ///< Added to each answer; keeps nothing busy.
};

/// A channel of banks with open rows. In a cycle one command goes to one bank: the activation of a
/// row, the precharge that closes it, or a request's column command, whose data pass the shared
/// data bus `cas_latency` later, one request's after another's. A row stays open until a request
/// needs another one of its bank. A request leaves the queue with its column command.
///
/// Which request goes next is the policy's to say: banked_channel_of.h asks it.
///
/// Not modelled: refresh, turning the bus between reads and writes, limits between activations of
/// different banks.
class BankedChannel : public DramChannel {
 public:
  const CompletionQueue& completions() const final { return completions_; }
  DramCounters counters() const final;

 protected:
  explicit BankedChannel(const BankedChannelParameters& parameters);

  const BankQueues& queues() const { return queues_; }
  const std::vector<DramBank>& banks() const { return banks_; }
  /// When data of a column command would find the data bus free, at the earliest.
  Cycle pins_take_from() const {
    const std::uint64_t free_from = bus_.free_from().number;
    const std::uint64_t latency = parameters_.timing.cas_latency.count;
    return Cycle(free_from > latency ? free_from - latency : 0);
  }

  /// Returns the request's bank where it is that bank's oldest or its hit: what the bank does next
  /// may be another thing then.
  std::optional<std::uint32_t> enqueue(const DramRequest& request, Cycle arrival);
  /// `request` is the bank's hit, or, for a row that is not open, its oldest.
  void issue(DramBank::Command command, std::uint32_t bank, std::uint32_t request, Cycle at);
  void hand_over(Cycle until, std::vector<DramCompletion>& completions) {
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
  DramCounters counters_;  ///< Without those of the data bus.
};

}  // namespace heddle::memory
