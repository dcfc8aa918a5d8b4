#pragma once

#include <cstdint>

#include "exec/launch.h"
#include "sm/block_needs.h"
#include "sm/instructions/issue_table.h"
#include "sm/storage_sizes.h"

namespace heddle::sm {

/// Addresses under which caches hold code and kernel parameters, which are not in device memory.
/// Launches that share a multiprocessor have different ones, so none hits in another's data.
struct AddressBases {
  std::uint32_t code = 0;        ///< Address of the first instruction, in instructions.
  std::uint64_t parameters = 0;  ///< Added to the offset of a parameter that is loaded.
};

/// A launch, with the data that the multiprocessors need to execute it.
struct Grid {
  const exec::Launch* launch = nullptr;
  IssueTable table;          ///< The issue table of the launch's program.
  BlockNeeds needs;          ///< The resources that a block needs.
  StorageSizes storage{};    ///< The sizes of a multiprocessor's memories during the launch.
  std::uint32_t number = 0;  ///< Number of the launch in a run.
  AddressBases bases{};
};

}  // namespace heddle::sm
