#include "sm/memory/write_policy.h"

#include "base/enum_array.h"
#include "base/enum_names.h"

namespace heddle::sm {
namespace {

constexpr EnumArray<WritePolicy, std::string_view, values_up_to(WritePolicy::back_no_allocate)>
    kNames{{"through", "evict", "back", "back-no-allocate"}};

}  // namespace

std::vector<std::string> write_policy_names() { return {kNames.begin(), kNames.end()}; }

WritePolicy write_policy_of(std::string_view name) { return value_named(name, kNames); }

}  // namespace heddle::sm
