#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "base/slot_table.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// The loads and atomics in flight. Each has as many parts as accesses. It completes when the data
/// of all parts can be used.
class LoadsInFlight {
 public:
  /// Adds a load or atomic and returns its number. `token`: names it in its MemoryCompletion.
  std::uint32_t begin(std::uint32_t token, std::uint32_t parts) {
    return loads_.add({.token = token, .parts = parts, .at = Cycle(0)});
  }
  /// Notes that the data of one part can be used from `at` on. If it was the last part, removes the
  /// load and appends its completion to `done`.
  void complete_part(std::uint32_t load, Cycle at, std::vector<MemoryCompletion>& done) {
    Load& in_flight = loads_[load];
    in_flight.at = std::max(in_flight.at, at);
    if (--in_flight.parts > 0) return;
    done.push_back({.token = in_flight.token, .at = in_flight.at});
    loads_.remove(load);
  }
  std::uint32_t token_of(std::uint32_t load) const { return loads_[load].token; }
  bool empty() const { return loads_.empty(); }

 private:
  struct Load {
    std::uint32_t token = 0;
    std::uint32_t parts = 0;  ///< The number of parts that have not completed.
    Cycle at;                 ///< When the data of all completed parts can be used.
  };
  SlotTable<Load> loads_;
};

}  // namespace heddle::sm
