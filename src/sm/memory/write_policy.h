#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sm {

/// The effect of a store on the L1 (l1.global_writes, l1.local_writes). Global and local memory
/// have separate policies: other multiprocessors read global data and do not see this L1, whereas
/// local data belong to one thread.
enum class WritePolicy : std::uint8_t {
  through,           ///< Write-through; a present line stays valid.
  evict,             ///< Write-through; a present line is evicted.
  back,              ///< Write-back with write-allocate.
  back_no_allocate,  ///< Write-back if the line is present; otherwise the store goes to memory.
};

constexpr bool writes_back(WritePolicy policy) {
  return policy == WritePolicy::back || policy == WritePolicy::back_no_allocate;
}

/// The names in machine descriptions, in the order of WritePolicy.
std::vector<std::string> write_policy_names();
WritePolicy write_policy_of(std::string_view name);

}  // namespace heddle::sm
