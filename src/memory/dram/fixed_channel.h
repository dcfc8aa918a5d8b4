#pragma once

#include <cstdint>

#include "memory/dram/completion_queue.h"
#include "memory/dram/data_bus.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// As Gebhart, storage Table 4.4 and section 4.3 have it.
struct FixedChannelParameters {
  Cycles latency{400};              ///< From a request's arrival to its first byte.
  PortParameters bandwidth{16, 1};  ///< Of the data bus.
  std::uint32_t transaction_bytes = 16;
  /// Requests that have arrived and are not done. The paper has no such limit: enough for the
  /// latency's worth of transactions, and more than an SM has threads.
  std::uint32_t queue_entries = 2048;
};

/// As a machine describes it, beside what all channels have.
struct FixedDramParameters {
  std::uint32_t latency = 400;

  void declare(config::Declarations& parameters);
  DramProperties properties(const DramDescription& dram) const;
};

/// Memory with a fixed latency and a bandwidth: data pass in the order of the requests, each
/// request's `latency` after its arrival or when the pins are free. Reads and writes are alike.
class FixedChannel final : public DramChannel {
 public:
  explicit FixedChannel(const FixedChannelParameters& parameters);

  bool accepts(Cycle now) override;
  void add(const DramRequest& request, Cycle arrival) override;
  void advance(Cycle until, std::vector<DramCompletion>& completions) override;
  std::optional<Cycle> next_event() const override;
  const CompletionQueue& completions() const override { return completions_; }
  DramCounters counters() const override;

 private:
  Cycles latency_;
  std::uint32_t queue_entries_;
  DataBus bus_;
  CompletionQueue completions_;
  std::uint64_t first_in_queue_ = 0;  ///< The number of the oldest completion yet to come.
  DramCounters counters_;             ///< Without those of the pins.
};

}  // namespace heddle::memory
