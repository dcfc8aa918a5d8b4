#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/cycle.h"
#include "config/policy_registry.h"
#include "memory/dram/dram_description.h"
#include "memory/dram/dram_trace.h"

namespace heddle::memory {

/// A request to a DRAM channel. Its bytes must lie within one row of a bank.
struct DramRequest {
  std::uint64_t address = 0;
  bool is_write = false;
  std::uint32_t bytes = 0;  ///< At least one.
  std::uint32_t token = 0;  ///< The caller's token, returned with the completion.
};

/// The completion of a request: its data have been read or written.
struct DramCompletion {
  std::uint32_t token = 0;  ///< The token of the request.
  Cycle at;                 ///< The first cycle after the completion.
};

class CompletionQueue;

/// The counters of a channel. A request is counted when the transfer of its data is scheduled.
/// Counters of features that a channel does not model stay zero, such as those of rows if the
/// latency is fixed.
struct DramCounters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t row_hits = 0;          ///< Requests that found their row open.
  std::uint64_t row_misses = 0;        ///< Requests that found their bank closed.
  std::uint64_t row_conflicts = 0;     ///< Requests that first had to close another row.
  std::uint64_t activations = 0;       ///< Rows opened.
  std::uint64_t data_bytes = 0;        ///< Bytes on the bus, in whole transactions.
  std::uint64_t busy_data_cycles = 0;  ///< Cycles in which the data bus is busy, rounded up.
};

/// The policy interface of a DRAM channel: it determines when requests complete. All cycles are
/// DRAM cycles.
///
/// The times passed to add() and accepts() must not decrease, and must not be earlier than the last
/// time passed to advance(). add() and accepts() simulate the channel up to the given time. The
/// times at which advance() is called do not affect any completion.
class DramChannel {
 public:
  DramChannel() = default;
  DramChannel(const DramChannel&) = delete;
  DramChannel& operator=(const DramChannel&) = delete;
  virtual ~DramChannel() = default;

  /// Whether the channel's queue has space for a request at the start of `now`.
  virtual bool accepts(Cycle now) = 0;
  /// Adds a request; accepts(arrival) must be true.
  virtual void add(const DramRequest& request, Cycle arrival) = 0;
  /// Simulates the cycles before `until`. Appends to `completions`, in order of time, all requests
  /// that are complete at the start of `until` and have not been reported before.
  virtual void advance(Cycle until, std::vector<DramCompletion>& completions) = 0;
  /// Returns the first cycle for which advance() has something to do or to report if no request
  /// arrives; empty if the channel is idle. Before that cycle, the result of accepts() does not
  /// change either.
  virtual std::optional<Cycle> next_event() const = 0;
  /// Completions that are scheduled and have not been reported.
  virtual const CompletionQueue& completions() const = 0;
  virtual DramCounters counters() const = 0;

  void trace(const DramTrace& trace) { trace_ = trace; }

 protected:
  DramTrace trace_;
};

/// The types that belong to the DRAM policies, for config::PolicyRegistry.
struct DramSeam {
  using Policy = DramChannel;
  using Description = DramDescription;
  using Place = DramDescription;
  using Context = PartitionDescription;
  using Properties = DramProperties;
};
using DramRegistry = config::PolicyRegistry<DramSeam>;

/// Constructs a channel with the policy that the description names. Addresses of requests must be
/// local to the channel's partition, and therefore contiguous. Throws InputError if a parameter is
/// invalid.
std::unique_ptr<DramChannel> make_channel(const DramDescription& description);

}  // namespace heddle::memory
