#pragma once

#include <cstdint>

#include "exec/launch.h"
#include "sm/issue_table.h"
#include "sm/residency/residency.h"

namespace heddle::sm {

/// Where what has no place in the program's own device memory lies for caches. Of launches that
/// share a multiprocessor none may find what is another's.
struct AddressBases {
  std::uint32_t code = 0;        ///< The first instruction, counted in instructions.
  std::uint64_t parameters = 0;  ///< Added to the offset of a parameter that is loaded.
};

/// A launch as the multiprocessors that execute it see it.
struct Grid {
  const exec::Launch* launch = nullptr;
  IssueTable table;
  BlockNeeds needs;
  std::uint32_t number = 0;  ///< Among those of a run.
  AddressBases bases{};
};

}  // namespace heddle::sm
