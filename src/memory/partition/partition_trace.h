#pragma once

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "memory/cache_tags.h"
#include "memory/partition/local_addresses.h"
#include "memory/request.h"
#include "trace/log.h"

namespace heddle::memory {

/// Notes the trace events of a partition. Each function is named after its event. Functions take
/// local addresses of the partition; the trace shows global addresses.
class PartitionTrace {
 public:
  PartitionTrace(LocalAddresses local, std::uint32_t partition)
      : local_(local), partition_(partition) {}

  void set_log(trace::Log* log) { log_ = log; }
  explicit operator bool() const { return log_ != nullptr; }

  /// Unlike the other functions, this one takes a request with its global address.
  void arrived(const Request& request) const;
  /// The request stalls, for the given cause.
  void blocked(Cycle at, const Request& request, std::string_view cause) const;
  /// The request has accessed the L2; `found` is the result of the look-up.
  void found(Cycle at, const Request& request, CacheTags::Probe found) const;
  /// The request goes to DRAM because there is no L2.
  void sent_to_dram(Cycle at, const Request& request) const;
  /// Sectors of the line at `address` have arrived from memory.
  void filled(Cycle at, std::uint64_t address, SectorMask sectors) const;
  /// The line at `address` is evicted; its dirty sectors are written to memory.
  void evicted(Cycle at, std::uint64_t address, SectorMask dirty) const;
  /// The atomic unit starts the request, which is an atomic.
  void performed(Cycle at, const Request& request) const;
  /// A response has left the port in cycle `sent`.
  void responded(Cycle sent, const Response& response, std::uint16_t sm) const;

 private:
  void note(Cycle at, const trace::Kind& kind, const Request& request,
            std::string_view cause) const;

  trace::Log* log_ = nullptr;
  LocalAddresses local_;
  std::uint32_t partition_;
};

}  // namespace heddle::memory
