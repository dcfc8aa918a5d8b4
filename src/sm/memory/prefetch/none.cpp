// Nothing is prefetched: there is no policy object.

#include "sm/memory/prefetch/prefetcher.h"

namespace heddle::sm {
namespace {

const PrefetchRegistry::Entry no_prefetch_entry{
    "none", "lines are fetched on misses only",
    [](const PrefetchDescription&) { return std::unique_ptr<Prefetcher>(); }};

}  // namespace
}  // namespace heddle::sm
