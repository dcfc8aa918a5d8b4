#pragma once

// The policy interface that selects the multiprocessor for a launch's next block. A policy may keep
// launches of different streams apart; it is notified when streams begin and end.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/policy_registry.h"
#include "gpu/chip_grid.h"
#include "gpu/dispatch/dispatch_description.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Dispatcher {
 public:
  Dispatcher() = default;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  virtual ~Dispatcher() = default;

  /// A launch begins while several streams run. Not called for a single stream.
  virtual void begin(const ChipGrid& /*grid*/) {}
  /// These streams, in ascending order, have launches in flight from now on. The chip need not call
  /// it if there is only one stream.
  virtual void share_among(const std::vector<std::uint32_t>& /*streams*/) {}
  /// Whether the policy allows blocks of the launch on a multiprocessor.
  virtual bool allows(const ChipGrid& /*grid*/, std::uint32_t /*sm*/) const { return true; }
  /// Returns the number of a multiprocessor that has space; it gets the block. Returns nothing if
  /// no multiprocessor has space.
  virtual std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                              const std::vector<std::unique_ptr<sm::Sm>>& sms) = 0;
  /// Resets the policy; all multiprocessors are empty.
  virtual void restart() = 0;
};

/// The multiprocessors for which a policy is constructed. They must outlive the policy.
struct DispatchPlace {
  std::span<const SmKind> kinds;
};

struct DispatcherSeam {
  using Policy = Dispatcher;
  using Description = DispatchDescription;
  using Place = DispatchPlace;
  using Context = Machine;
  using Properties = config::NoProperties;
};
using DispatcherRegistry = config::PolicyRegistry<DispatcherSeam>;

/// Constructs the policy that the description names. The kinds must outlive it.
std::unique_ptr<Dispatcher> make_dispatcher(const DispatchDescription& description,
                                            std::span<const SmKind> kinds);

}  // namespace heddle::gpu
