#include "sm/memory/write_policy.h"

#include <algorithm>
#include <cassert>

#include "base/enum_array.h"

namespace heddle::sm {
namespace {

constexpr EnumArray<WritePolicy, std::string_view, values_up_to(WritePolicy::back_no_allocate)>
    kNames{{"through", "evict", "back", "back-no-allocate"}};

}  // namespace

std::vector<std::string> write_policy_names() { return {kNames.begin(), kNames.end()}; }

WritePolicy write_policy_of(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  assert(found != kNames.end());
  return kNames.index_at(static_cast<std::size_t>(found - kNames.begin()));
}

}  // namespace heddle::sm
