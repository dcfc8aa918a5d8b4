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
  /// The maximum number of requests in flight. The dissertation has no such limit. The default is
  /// more than the data bus can transfer in one latency, and more than the threads of a
  /// multiprocessor.
  std::uint32_t queue_entries = 2048;
};

/// The parameters of the policy `fixed`, in addition to those of all channels.
struct FixedDramParameters {
  std::uint32_t latency = 400;  ///< In DRAM cycles.

  void declare(config::Declarations& parameters);
  DramProperties properties(const DramDescription& dram) const;
};

/// Memory with a fixed latency and a bandwidth. Data are transferred in the order of the requests.
/// The transfer of a request starts `latency` after the request's arrival, or later if the data bus
/// is then occupied. Reads and writes are treated alike.
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
  /// The number of the oldest request in flight, as in CompletionQueue.
  std::uint64_t oldest_in_flight_ = 0;
  DramCounters counters_;  ///< Without the counters of the data bus.
};

}  // namespace heddle::memory
