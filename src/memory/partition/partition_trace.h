#pragma once

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "memory/cache_tags.h"
#include "memory/partition/local_addresses.h"
#include "memory/request.h"
#include "trace/log.h"

namespace heddle::memory {

/// What a partition notes for a trace. Inside, addresses are the partition's own; a trace has those
/// that everybody knows.
class PartitionTrace {
 public:
  PartitionTrace(LocalAddresses local, std::uint32_t partition)
      : local_(local), partition_(partition) {}

  void to(trace::Log* log) { log_ = log; }
  explicit operator bool() const { return log_ != nullptr; }

  /// Not yet with the partition's own address.
  void arrived(const Request& request) const;
  /// It cannot be let in.
  void blocked(Cycle at, const Request& request, std::string_view cause) const;
  /// It is let in, and the L2 has its sectors, or fetches them, or waits for them.
  void found(Cycle at, const Request& request, CacheTags::Probe found) const;
  /// It is let in where there is no L2.
  void passed_on(Cycle at, const Request& request) const;
  void filled(Cycle at, std::uint64_t address, SectorMask sectors) const;
  void evicted(Cycle at, std::uint64_t address, SectorMask dirty) const;
  void performed(Cycle at, const Request& request) const;
  void answered(Cycle sent, const Response& response, std::uint16_t sm) const;

 private:
  void note(Cycle at, const trace::Kind& kind, const Request& request,
            std::string_view cause) const;

  trace::Log* log_ = nullptr;
  LocalAddresses local_;
  std::uint32_t partition_;
};

}  // namespace heddle::memory
