#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/sm_group.h"
#include "sm/grid.h"
#include "sm/residency/occupancy.h"

namespace heddle::gpu {

/// A launch on a chip. The resources that a block takes depend on the kind of multiprocessor.
class ChipGrid {
 public:
  /// `stream` is the number of the launch's stream. Call add() once for each kind afterwards.
  explicit ChipGrid(std::uint32_t stream = 0) : stream_(stream) {}
  void add(const SmKind& kind, sm::Grid grid, sm::Occupancy occupancy) {
    kind_of_.resize(kind.first + kind.sms, static_cast<std::uint16_t>(by_kind_.size()));
    by_kind_.push_back(std::move(grid));
    occupancies_.push_back(occupancy);
  }
  /// The grid for a multiprocessor. The reference stays valid once all kinds have been added.
  const sm::Grid& grid_on(std::uint32_t sm) const { return by_kind_[kind_of_[sm]]; }
  const std::vector<sm::Grid>& by_kind() const { return by_kind_; }
  /// The occupancy on an otherwise empty multiprocessor, by kind.
  const std::vector<sm::Occupancy>& occupancies() const { return occupancies_; }
  /// Whether a block fits on the multiprocessor when no block is resident on it.
  bool fits_on_empty(std::uint32_t sm) const { return occupancies_[kind_of_[sm]].blocks > 0; }

  // These are the same for all kinds of multiprocessors.
  const exec::Launch& launch() const { return *by_kind_.front().launch; }
  std::uint32_t number() const { return by_kind_.front().number; }
  std::uint32_t stream() const { return stream_; }

 private:
  std::uint32_t stream_;
  std::vector<sm::Grid> by_kind_;
  std::vector<sm::Occupancy> occupancies_;  ///< By kind of multiprocessor.
  std::vector<std::uint16_t> kind_of_;      ///< By multiprocessor.
};

}  // namespace heddle::gpu
