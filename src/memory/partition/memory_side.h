#pragma once

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "memory/request.h"

namespace heddle::memory {

/// What a partition's requests meet behind the crossbar: a slice of the L2, or memory itself. Here
/// addresses are the partition's own.
///
/// The times given do not decrease.
class MemorySide {
 public:
  enum class Outcome : std::uint8_t {
    served,   ///< The data are there, or have been taken.
    waits,    ///< Until fetched() gives it back.
    refused,  ///< Nothing was done: to be tried again after a step of memory.
  };

  MemorySide() = default;
  MemorySide(const MemorySide&) = delete;
  MemorySide& operator=(const MemorySide&) = delete;
  virtual ~MemorySide() = default;

  // Let the host fetch what access() and fetched() will need.
  virtual void prefetch_access(const Request&) const {}
  virtual void prefetch_fetched(std::uint32_t /*token*/) const {}
  virtual Outcome access(const Request& request, Cycle now) = 0;
  /// A read that was asked of memory is done. Appends to `served` the reads and atomics that have
  /// waited for it, in their order.
  virtual void fetched(std::uint32_t token, Cycle now, std::vector<Request>& served) = 0;
  /// Whether no request waits here.
  virtual bool idle() const = 0;
};

}  // namespace heddle::memory
