#pragma once

// Which multiprocessor gets a launch's next block.

#include <cstdint>
#include <memory>
#include <optional>
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

  /// The number of one that has room; it gets the block. None where none has.
  virtual std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                              const std::vector<std::unique_ptr<sm::Sm>>& sms) = 0;
  /// All multiprocessors are empty.
  virtual void restart() = 0;
};

struct DispatcherSeam {
  using Answer = Dispatcher;
  using Description = DispatchDescription;
  using Place = DispatchDescription;
  using Context = Machine;
  using Properties = config::NoProperties;
};
using DispatcherRegistry = config::AnswerRegistry<DispatcherSeam>;

/// The answer that the description names.
std::unique_ptr<Dispatcher> make_dispatcher(const DispatchDescription& description);

}  // namespace heddle::gpu
