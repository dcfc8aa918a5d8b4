#pragma once

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "memory/request.h"

namespace heddle::memory {

/// The memory side of a partition's crossbar port: an L2 slice (L2Slice), or direct access to DRAM
/// (NoL2). Addresses are local to the partition.
///
/// The times passed to its functions must not decrease.
class MemorySide {
 public:
  enum class Outcome : std::uint8_t {
    served,   ///< The data to be read are available, or the data to be written are accepted.
    waits,    ///< The request waits for memory; on_read_done() will return it.
    refused,  ///< The request stalls. Call again when memory frees space or completes a read.
  };

  MemorySide() = default;
  MemorySide(const MemorySide&) = delete;
  MemorySide& operator=(const MemorySide&) = delete;
  virtual ~MemorySide() = default;

  // Prefetch the simulator's own data for access() and on_read_done() into the host's cache.
  virtual void prefetch_access(const Request&) const {}
  virtual void prefetch_read_done(std::uint32_t /*token*/) const {}
  /// Performs a request, or starts to.
  virtual Outcome access(const Request& request, Cycle now) = 0;
  /// Handles the completion of the memory read with this token. Appends to `served`, in order, the
  /// waiting reads and atomics whose data are now complete.
  virtual void on_read_done(std::uint32_t token, Cycle now, std::vector<Request>& served) = 0;
  /// Whether no request waits for memory.
  virtual bool idle() const = 0;
};

}  // namespace heddle::memory
