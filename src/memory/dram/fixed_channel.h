#pragma once

#include <cstdint>

#include "memory/dram/completion_queue.h"
#include "memory/dram/data_bus.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// The defaults follow Gebhart's dissertation on on-chip storage for throughput processors, Table
/// 4.4 and section 4.3.
struct FixedChannelParameters {
  Cycles latency{400};              ///< From a request's arrival to its first byte.
  PortParameters bandwidth{16, 1};  ///< The bandwidth of the data bus.
  std::uint32_t transaction_bytes = 16;
  /// The limit of requests in flight. The paper has no such limit. The default covers the
  /// transactions of one latency, and exceeds the number of threads of an SM.
  std::uint32_t queue_entries = 2048;
};

/// The parameters of the policy `fixed`, in addition to those of all channels.
struct FixedDramParameters {
  std::uint32_t latency = 400;

  void declare(config::Declarations& parameters);
  DramProperties properties(const DramDescription& dram) const;
};

/// Memory with a fixed latency and a bandwidth. Data are transferred in the order of the requests:
/// `latency` after the arrival, or later when the data bus is free. Reads and writes are treated
/// alike.
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
  /// The number of the oldest completion that is in the future.
  std::uint64_t first_in_queue_ = 0;
  DramCounters counters_;  ///< All but those that the data bus counts itself.
};

}  // namespace heddle::memory
