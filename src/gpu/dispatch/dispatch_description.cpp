#include "gpu/dispatch/dispatch_description.h"

#include "gpu/dispatch/dispatcher.h"

namespace heddle::gpu {

void DispatchDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, DispatcherRegistry::names(),
                    "which multiprocessor gets the next block");
  parameters.number("latency", latency, {.unit = "cycles", .least = 1, .most = 1000000},
                    "from a launch, or from the end of a block, to the start of the next block");
  parameters.flag("small_blocks", small_blocks,
                  "whether each warp becomes a block of its own in launches without barriers and "
                  "shared memory");
  DispatcherRegistry::declare(*this, parameters);
}

void DispatchDescription::check(const Machine& machine) const {
  DispatcherRegistry::check(policy, *this, machine);
}

std::unique_ptr<Dispatcher> make_dispatcher(const DispatchDescription& description,
                                            std::span<const SmKind> kinds) {
  return DispatcherRegistry::make(description.policy, description, {.kinds = kinds});
}

}  // namespace heddle::gpu
