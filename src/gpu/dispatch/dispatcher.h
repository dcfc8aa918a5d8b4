#pragma once

// Which multiprocessor gets a launch's next block.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/registry.h"
#include "gpu/chip_grid.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Dispatcher {
 public:
  Dispatcher() = default;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  virtual ~Dispatcher() = default;

  /// The number of one that has room; it gets the block. None where nobody has.
  virtual std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                              const std::vector<std::unique_ptr<sm::Sm>>& sms) = 0;
  /// All multiprocessors are empty.
  virtual void restart() = 0;
};

using MakeDispatcher = std::unique_ptr<Dispatcher> (*)();
using DispatcherRegistry = Registry<MakeDispatcher>;

}  // namespace heddle::gpu
