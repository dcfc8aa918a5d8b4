#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sm {

/// The effect of a store on the L1 (parameters l1.global_writes and l1.local_writes). Global and
/// local memory have separate policies: other multiprocessors, which do not see this L1, may read
/// global data, whereas local data belong to one thread.
enum class WritePolicy : std::uint8_t {
  through,           ///< Write-through. If the line is in the L1, it stays valid.
  evict,             ///< Write-through. If the line is in the L1, it is evicted.
  back,              ///< Write-back with write-allocate.
  back_no_allocate,  ///< Write-back if the line is in the L1; otherwise the store goes to memory.
};

constexpr bool writes_back(WritePolicy policy) {
  return policy == WritePolicy::back || policy == WritePolicy::back_no_allocate;
}

/// The names in machine descriptions, in the order of WritePolicy.
std::vector<std::string> write_policy_names();
/// The policy with this name, which must be one of write_policy_names().
WritePolicy write_policy_of(std::string_view name);

}  // namespace heddle::sm
