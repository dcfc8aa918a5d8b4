#pragma once

#include <cstdint>
#include <vector>

#include "memory/dram/address_map.h"
#include "memory/dram/bank_queues.h"
#include "memory/dram/completion_queue.h"
#include "memory/dram/data_pins.h"
#include "memory/dram/dram_bank.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

enum class DramScheduler : std::uint8_t {
  fcfs,     ///< Data in the order of the requests; the rows of later ones are opened meanwhile.
  fr_fcfs,  ///< First ready: hits of open rows first, the oldest first; then the oldest request.
};

struct BankedChannelParameters {
  AddressMapParameters map{};  ///< Of the whole memory; the channel takes what it is given.
  DramTiming timing{};
  PortParameters bandwidth{16, 1};
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;  ///< preexec Table 1.
  DramScheduler scheduler = DramScheduler::fr_fcfs;
  /// fr_fcfs: who has waited so long comes before all hits. 0: hits may go first for ever.
  Cycles age_limit{0};
  Cycles overhead{0};  ///< Added to each answer; keeps nothing busy.
};

/// A channel of banks with open rows. In a cycle one command goes to one bank: the activation of a
/// row, the precharge that closes it, or a request's column command, whose data pass the shared
/// pins `cas_latency` later, one request's after another's. A row stays open until a request needs
/// another one of its bank; under fr_fcfs, not while queued requests hit it, unless one that
/// conflicts is over the age limit. A request leaves the queue with its column command.
///
/// Not modelled: refresh, turning the pins between reads and writes, limits between activations of
/// different banks.
class BankedChannel final : public DramChannel {
 public:
  explicit BankedChannel(const BankedChannelParameters& parameters);

  bool accepts(Cycle now) override;
  void add(const DramRequest& request, Cycle arrival) override;
  void advance(Cycle until, std::vector<DramCompletion>& completions) override;
  std::optional<Cycle> next_event() const override;
  const CompletionQueue& completions() const override { return completions_; }
  DramCounters counters() const override;

 private:
  static constexpr std::uint32_t kNoBank = ~std::uint32_t{0};
  static constexpr std::uint64_t kLast = ~std::uint64_t{0};

  /// The one request of a bank that can have the bank's next command: the oldest one, or under
  /// fr_fcfs the hit as long as the oldest one is not overdue.
  struct Candidate {
    Cycle from = Cycle::never();     ///< When the bank can take the command; never: no request.
    std::uint64_t rank = kLast;      ///< The lowest comes first: by urgency, then by age.
    Cycle overdue = Cycle::never();  ///< When the bank's oldest request will be overdue.
    std::uint32_t entry = BankQueues::kNone;
    DramBank::Command command{};
  };
  /// A command for a bank's candidate, or (kNoBank) requests that become overdue.
  struct Decision {
    Cycle at = Cycle::never();
    std::uint32_t bank = kNoBank;
  };

  void run_to(Cycle until);
  void choose_candidate(std::uint32_t bank);
  Decision decide() const;
  void issue(const Decision& decision);
  void transfer(std::uint32_t bank, Cycle at);

  BankedChannelParameters parameters_;
  AddressMap map_;
  DataPins pins_;
  std::vector<DramBank> banks_;
  BankQueues queues_;
  std::vector<Candidate> candidates_;  ///< Of each bank.
  std::uint64_t next_order_ = 0;
  Cycle now_;          ///< All before this cycle is done.
  Decision decision_;  ///< What comes next, if no request comes before it.
  CompletionQueue completions_;
  DramCounters counters_;  ///< Without those of the pins.
};

}  // namespace heddle::memory
