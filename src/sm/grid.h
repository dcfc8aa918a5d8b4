#pragma once

#include <cstdint>

#include "exec/launch.h"
#include "sm/issue_table.h"
#include "sm/residency/residency.h"

namespace heddle::sm {

/// A launch as the multiprocessors that execute it see it.
struct Grid {
  const exec::Launch* launch = nullptr;
  IssueTable table;
  BlockNeeds needs;
  std::uint32_t number = 0;  ///< Among those of a run.
};

}  // namespace heddle::sm
