#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "base/slot_table.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// Loads and atomics in flight. Each has one part per segment, and completes when the data of its
/// last part are usable.
class LoadsInFlight {
 public:
  /// Adds a load or atomic and returns its number. `token`: identifies its completion.
  std::uint32_t begin(std::uint32_t token, std::uint32_t parts) {
    return loads_.add({.token = token, .parts = parts, .at = Cycle(0)});
  }
  /// Notes that a part's data are usable at `at`. After the last part, the completion is appended
  /// to `done`.
  void complete_part(std::uint32_t load, Cycle at, std::vector<MemoryCompletion>& done) {
    Load& known = loads_[load];
    known.at = std::max(known.at, at);
    if (--known.parts > 0) return;
    done.push_back({.token = known.token, .at = known.at});
    loads_.remove(load);
  }
  std::uint32_t token_of(std::uint32_t load) const { return loads_[load].token; }
  bool empty() const { return loads_.empty(); }

 private:
  struct Load {
    std::uint32_t token = 0;
    std::uint32_t parts = 0;  ///< Parts that are not complete.
    Cycle at;                 ///< When the data of all completed parts are usable.
  };
  SlotTable<Load> loads_;
};

}  // namespace heddle::sm
