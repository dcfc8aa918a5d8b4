#pragma once

// Which values are kept where: the greedy algorithm of Gebhart's dissertation on on-chip storage
// for throughput processors, section 6.4.

#include <cstddef>
#include <vector>

#include "code/placement/placement.h"
#include "code/placement/values.h"

namespace heddle::code {

struct Choice {
  UpperPlace place{};
  std::size_t served = 0;  ///< So many of its reads are from there, the first ones.
};

/// By value.
std::vector<Choice> choose_places(const CodeOrder& code, const std::vector<Value>& values,
                                  const Hierarchy& hierarchy);

}  // namespace heddle::code
