#include "gpu/observed_accesses.h"

#include <algorithm>

#include "sm/sm.h"

namespace heddle::gpu {

void ObservedAccesses::forward_logs(const Components& components, Cycle last) {
  entries_.clear();
  for (const auto& sm : components.sms()) {
    for (const sm::AccessLog::Entry& entry : sm->accesses().entries()) {
      if (entry.at <= last) entries_.push_back(&entry);
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const auto* a, const auto* b) { return a->at < b->at; });
  for (const sm::AccessLog::Entry* entry : entries_) entry->forward();
  for (const auto& sm : components.sms()) sm->accesses().clear();
}

}  // namespace heddle::gpu
