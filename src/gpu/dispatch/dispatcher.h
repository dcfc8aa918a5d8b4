#pragma once

// Which multiprocessor gets a launch's next block. A policy may keep launches that are side by side
// apart: it is told whenever streams of them come and go.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/answer_registry.h"
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

  /// A launch begins, beside others.
  virtual void begin(const ChipGrid& /*grid*/) {}
  /// These streams have launches under way, by number, ascending. Of one alone it need not be told.
  virtual void share_among(const std::vector<std::uint32_t>& /*streams*/) {}
  /// Whether blocks of the launch may go to a multiprocessor, if there is room.
  virtual bool lets(const ChipGrid& /*grid*/, std::uint32_t /*sm*/) const { return true; }
  /// The number of one that has room; it gets the block. None where none has.
  virtual std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                              const std::vector<std::unique_ptr<sm::Sm>>& sms) = 0;
  /// All multiprocessors are empty.
  virtual void restart() = 0;
};

/// What a policy is made for: a chip's multiprocessors. They outlive it.
struct DispatchPlace {
  std::span<const SmKind> kinds;
};

struct DispatcherSeam {
  using Answer = Dispatcher;
  using Description = DispatchDescription;
  using Place = DispatchPlace;
  using Context = Machine;
  using Properties = config::NoProperties;
};
using DispatcherRegistry = config::AnswerRegistry<DispatcherSeam>;

/// The answer that the description names. The kinds must outlive it.
std::unique_ptr<Dispatcher> make_dispatcher(const DispatchDescription& description,
                                            std::span<const SmKind> kinds);

}  // namespace heddle::gpu
