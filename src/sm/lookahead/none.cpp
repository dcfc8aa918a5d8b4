// No warp runs ahead: there is no policy object, and no second context.

#include "sm/lookahead/lookahead.h"

namespace heddle::sm {
namespace {

const LookaheadRegistry::Entry none_entry{
    "none", "a warp that waits for memory issues nothing",
    [](const LookaheadDescription&) { return std::unique_ptr<Lookahead>(); }};

}  // namespace
}  // namespace heddle::sm
