#include "sm/memory/prefetch/prefetcher.h"

namespace heddle::sm {

void PrefetchDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, PrefetchRegistry::names(),
                    "which lines are fetched before a load accesses them");
  parameters.number("degree", degree, {.unit = "lines", .least = 1, .most = kMaxDegree},
                    "lines that the policy proposes at a time");
  parameters.number("queue", queue, {.unit = "lines", .least = 1, .most = 1024},
                    "proposed lines that can wait for a cycle without an access to the L1; "
                    "further ones are dropped");
  PrefetchRegistry::declare(*this, parameters);
}

void PrefetchDescription::storage(config::StorageList& list) const {
  PrefetchRegistry::storage(policy, list);
}

bool PrefetchDescription::is_present() const { return make_prefetcher(*this) != nullptr; }

void PrefetchDescription::check() const { PrefetchRegistry::check(policy, *this, *this); }

void list_prefetch_queue(config::StorageList& list) {
  list.add({.name = "prefetch_queue",
            .bits = "l1.prefetch.queue * (49 - bits(l1.line_bytes))",
            .meaning = "proposed lines: numbers of lines in addresses of 49 bits",
            .source = "Heddle"});
}

std::unique_ptr<Prefetcher> make_prefetcher(const PrefetchDescription& description) {
  return PrefetchRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
