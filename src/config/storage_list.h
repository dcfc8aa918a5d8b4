#pragma once

// The arrays of bits (storage structures) that a machine needs. Each component declares its arrays
// beside its parameters, with a formula for the number of bits and the source of that formula:
//
//   struct LargeWarpParameters {
//     static void storage(config::StorageList& list) {
//       list.add({.name = "large_warp_mask",
//                 .bits = "divergence.large_warp",
//                 .meaning = "copy of the active mask from which sub-warps are formed",
//                 .source = "Narasiman et al., section 3.3"});
//     }
//   };

#include <string_view>
#include <vector>

namespace heddle::config {

/// One array of bits.
struct StorageArray {
  std::string_view name;  ///< For example "workload_buffer".
  /// A Formula (base/formula.h) for the number of bits. The number is that of one multiprocessor
  /// or, if a memory partition declares the array, that of one partition. The formula uses
  /// parameters by their full names; a flag counts as 0 or 1. Empty if no source states the number.
  std::string_view bits;
  std::string_view meaning;
  std::string_view source;
};

/// The arrays of a machine, or of all machines that could be described.
class StorageList {
 public:
  /// Whether the list covers only the policies that a description selects, or all policies.
  enum class Scope { chosen, all };

  explicit StorageList(Scope scope = Scope::chosen) : scope_(scope) {}

  Scope scope() const { return scope_; }
  /// Policies of the same seam may have arrays of the same name. A list of all policies keeps only
  /// the first of them.
  void add(const StorageArray& array);
  const std::vector<StorageArray>& arrays() const { return arrays_; }

 private:
  Scope scope_;
  std::vector<StorageArray> arrays_;
};

}  // namespace heddle::config
