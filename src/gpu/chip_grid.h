#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/sm_group.h"
#include "sm/grid.h"

namespace heddle::gpu {

/// A launch as a chip's multiprocessors see it: what a block takes of one goes by its kind.
class ChipGrid {
 public:
  void add(const SmKind& kind, sm::Grid grid) {
    kind_of_.resize(kind.first + kind.sms, static_cast<std::uint16_t>(by_kind_.size()));
    by_kind_.push_back(std::move(grid));
  }
  /// As a multiprocessor sees it; stays where it is once all kinds have been added.
  const sm::Grid& on(std::uint32_t sm) const { return by_kind_[kind_of_[sm]]; }
  const std::vector<sm::Grid>& by_kind() const { return by_kind_; }

  // The same for all kinds.
  const exec::Launch& launch() const { return *by_kind_.front().launch; }
  std::uint32_t number() const { return by_kind_.front().number; }

 private:
  std::vector<sm::Grid> by_kind_;
  std::vector<std::uint16_t> kind_of_;  ///< By multiprocessor.
};

}  // namespace heddle::gpu
