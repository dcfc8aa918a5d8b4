#include "sm/operands/entry_replacement.h"

#include "base/enum_array.h"
#include "base/enum_names.h"

namespace heddle::sm {
namespace {

constexpr EnumArray<EntryReplacement, std::string_view, values_up_to(EntryReplacement::lru)>
    kReplacementNames{{"fifo", "lru"}};

}  // namespace

std::vector<std::string> entry_replacement_names() {
  return {kReplacementNames.begin(), kReplacementNames.end()};
}

EntryReplacement entry_replacement_of(std::string_view name) {
  return value_named(name, kReplacementNames);
}

}  // namespace heddle::sm
