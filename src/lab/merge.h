#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/store.h"

namespace heddle::lab {

/// What became of the runs of a store that was merged into another. Lists are of keys.
struct MergedRuns {
  std::uint64_t added = 0;
  std::uint64_t known = 0;             ///< with the same result; in both stores before
  std::vector<std::string> damaged{};  ///< changed since they were stored, or no results; not added
  std::vector<std::string> differing{};  ///< with another result than here; not added
};

/// Adds the sound runs of `other` to `store`. Nothing in `other` is trusted: a run is added only if
/// its key has the form of a key and its result can be read.
MergedRuns merge(Store& store, const Store& other);

}  // namespace heddle::lab
