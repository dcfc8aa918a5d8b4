#include "sm/lookahead/lookahead.h"

namespace heddle::sm {

std::unique_ptr<Lookahead> make_lookahead(const LookaheadDescription& description) {
  return LookaheadRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
