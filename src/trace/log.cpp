#include "trace/log.h"

namespace heddle::trace {

void Log::note(const Event& event) {
  if (!selection_->has_cycle(event.at)) return;
  if (event.origin.sm != Origin::kNone && !selection_->has_sm(event.origin.sm)) return;
  events_.push_back(event);
}

}  // namespace heddle::trace
