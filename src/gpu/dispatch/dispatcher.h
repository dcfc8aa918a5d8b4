#pragma once

// The interface of dispatch policies, which select the multiprocessor for a launch's next block. If
// several streams of launches run side by side, a policy may keep their blocks on different
// multiprocessors. For that, it is notified which streams have launches in flight.

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

  /// Called when a launch begins, if there are several streams.
  virtual void begin(const ChipGrid& /*grid*/) {}
  /// Called with the numbers of the streams that have launches in flight, in ascending order, when
  /// they may have changed. Need not be called if the chip has only one stream.
  virtual void share_among(const std::vector<std::uint32_t>& /*streams*/) {}
  /// Whether the policy allows blocks of the launch on a multiprocessor.
  virtual bool allows(const ChipGrid& /*grid*/, std::uint32_t /*sm*/) const { return true; }
  /// Returns the number of the multiprocessor that gets the launch's next block. Returns empty if
  /// no multiprocessor that the policy allows has space for the block.
  virtual std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                              const std::vector<std::unique_ptr<sm::Sm>>& sms) = 0;
  /// Resets the policy. Called when all multiprocessors are empty.
  virtual void restart() = 0;
};

/// The chip for which a policy is constructed: the kinds of its multiprocessors (SmKind), in the
/// order of the multiprocessors' numbers. They must outlive the policy.
struct DispatchPlace {
  std::span<const SmKind> kinds;
};

/// The types that belong to the dispatch policies, for config::PolicyRegistry.
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
