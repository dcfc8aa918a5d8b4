// No redundancy is exploited: there is no policy object.

#include "sm/redundancy/redundancy.h"

namespace heddle::sm {
namespace {

const RedundancyRegistry::Entry none_entry{
    "none", "every instruction is computed in all its lanes",
    [](const RedundancyDescription&) { return std::unique_ptr<Redundancy>(); }};

}  // namespace
}  // namespace heddle::sm
