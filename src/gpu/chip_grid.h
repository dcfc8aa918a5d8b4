#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/sm_group.h"
#include "sm/grid.h"
#include "sm/residency/occupancy.h"

namespace heddle::gpu {

/// A launch as a chip's multiprocessors see it: what a block takes of one goes by its kind.
class ChipGrid {
 public:
  /// Of a stream of those that are side by side.
  explicit ChipGrid(std::uint32_t stream = 0) : stream_(stream) {}
  void add(const SmKind& kind, sm::Grid grid, sm::Occupancy occupancy) {
    kind_of_.resize(kind.first + kind.sms, static_cast<std::uint16_t>(by_kind_.size()));
    by_kind_.push_back(std::move(grid));
    occupancies_.push_back(occupancy);
  }
  /// As a multiprocessor sees it; stays where it is once all kinds have been added.
  const sm::Grid& on(std::uint32_t sm) const { return by_kind_[kind_of_[sm]]; }
  const std::vector<sm::Grid>& by_kind() const { return by_kind_; }
  /// Of an otherwise empty multiprocessor of each kind.
  const std::vector<sm::Occupancy>& occupancies() const { return occupancies_; }
  bool fits_on_empty(std::uint32_t sm) const { return occupancies_[kind_of_[sm]].blocks > 0; }

  // The same for all kinds.
  const exec::Launch& launch() const { return *by_kind_.front().launch; }
  std::uint32_t number() const { return by_kind_.front().number; }
  std::uint32_t stream() const { return stream_; }

 private:
  std::uint32_t stream_;
  std::vector<sm::Grid> by_kind_;
  std::vector<sm::Occupancy> occupancies_;  ///< By kind.
  std::vector<std::uint16_t> kind_of_;      ///< By multiprocessor.
};

}  // namespace heddle::gpu
