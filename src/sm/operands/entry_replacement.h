#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sm {

/// Which entry of a register cache is evicted (parameter operands.replacement).
enum class EntryReplacement : std::uint8_t {
  fifo,  ///< The entry that was allocated first.
  lru,   ///< The entry whose last read or write is the longest ago.
};

/// The names in machine descriptions, in the order of EntryReplacement.
std::vector<std::string> entry_replacement_names();
/// The policy with this name, which must be one of entry_replacement_names().
EntryReplacement entry_replacement_of(std::string_view name);

}  // namespace heddle::sm
