#pragma once

#include <cstdint>

#include "exec/launch.h"
#include "sm/pipeline/issue_table.h"
#include "sm/residency/residency.h"

namespace heddle::sm {

/// Addresses that caches use for data which are not in device memory. They differ between launches
/// that share a multiprocessor, so that no launch hits in the data of another.
struct AddressBases {
  std::uint32_t code = 0;        ///< Address of the first instruction, in instructions.
  std::uint64_t parameters = 0;  ///< Added to the offset of a parameter that is loaded.
};

/// A launch, with what the multiprocessors need to execute it.
struct Grid {
  const exec::Launch* launch = nullptr;
  IssueTable table;  ///< Of the program.
  BlockNeeds needs;
  std::uint32_t number = 0;  ///< Number of the launch in a run.
  AddressBases bases{};
};

}  // namespace heddle::sm
