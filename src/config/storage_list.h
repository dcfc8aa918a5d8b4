#pragma once

// Arrays of bits that a machine has. Who uses one declares it beside its parameters, with a formula
// of how many bits they make it, and who says so:
//
//   struct LargeWarpParameters {
//     static void storage(config::StorageList& list) {
//       list.add({.name = "large_warp_mask",
//                 .bits = "divergence.large_warp",
//                 .meaning = "a copy of the active mask, of which sub-warps are taken",
//                 .source = "Narasiman et al., section 3.3"});
//     }
//   };

#include <string_view>
#include <vector>

namespace heddle::config {

struct StorageArray {
  std::string_view name;  ///< "workload_buffer"
  /// Of a multiprocessor or, where a partition of memory declares it, of that; a Formula
  /// (base/formula.h) of parameters by their whole names, flags being 0 or 1. Empty where nobody
  /// says how many there are.
  std::string_view bits;
  std::string_view meaning;
  std::string_view source;
};

class StorageList {
 public:
  /// Of the answers that a description chose, or of all that it might choose.
  enum class Of { chosen, all };

  explicit StorageList(Of of = Of::chosen) : of_(of) {}

  Of of() const { return of_; }
  /// Answers to the same question may have arrays of the same name.
  void add(const StorageArray& array);
  const std::vector<StorageArray>& arrays() const { return arrays_; }

 private:
  Of of_;
  std::vector<StorageArray> arrays_;
};

}  // namespace heddle::config
