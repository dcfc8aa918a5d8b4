#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "base/slot_table.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// Loads and atomics some of whose parts (a part is a segment's data) are still to come.
class LoadsUnderWay {
 public:
  std::uint32_t begin(std::uint32_t token, std::uint32_t parts) {
    return loads_.add({.token = token, .parts = parts, .at = Cycle(0)});
  }
  /// A part's data are usable at `at`. With the last one, the completion is known.
  void part_known(std::uint32_t load, Cycle at, std::vector<MemoryCompletion>& done) {
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
    std::uint32_t parts = 0;  ///< Still to come.
    Cycle at;                 ///< Of the latest so far.
  };
  SlotTable<Load> loads_;
};

}  // namespace heddle::sm
