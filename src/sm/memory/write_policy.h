#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sm {

/// What a store does to the L1 (l1.global_writes, l1.local_writes). Global data are read by other
/// multiprocessors, which do not see this L1; local data are their thread's alone.
enum class WritePolicy : std::uint8_t {
  through,           ///< It goes to memory; a line that is there stays as present as it was.
  evict,             ///< It goes to memory; a line that is there is forgotten.
  back,              ///< It stays in its line, which is made where there is none.
  back_no_allocate,  ///< It stays in its line where there is one, and goes to memory otherwise.
};

constexpr bool writes_back(WritePolicy policy) {
  return policy == WritePolicy::back || policy == WritePolicy::back_no_allocate;
}

/// As descriptions have them.
std::vector<std::string> write_policy_names();
WritePolicy write_policy_of(std::string_view name);

}  // namespace heddle::sm
