#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/sm_group.h"
#include "sm/grid.h"
#include "sm/residency/occupancy.h"

namespace heddle::gpu {

/// A launch on a chip. It has one sm::Grid for each kind of multiprocessor (SmKind), because the
/// resources that a block takes depend on the kind.
class ChipGrid {
 public:
  /// `stream` is the number of the launch's stream.
  explicit ChipGrid(std::uint32_t stream = 0) : stream_(stream) {}
  /// Adds the grid for a kind. Must be called once for each kind, in the order of Machine::kinds().
  void add(const SmKind& kind, sm::Grid grid, sm::Occupancy occupancy) {
    kind_by_sm_.resize(kind.first + kind.sms, static_cast<std::uint16_t>(grids_.size()));
    grids_.push_back(std::move(grid));
    occupancies_.push_back(occupancy);
  }
  /// The grid for a multiprocessor. The reference is valid until the next add().
  const sm::Grid& grid_on(std::uint32_t sm) const { return grids_[kind_by_sm_[sm]]; }
  /// The grids by kind.
  const std::vector<sm::Grid>& by_kind() const { return grids_; }
  /// The occupancy of a multiprocessor that runs only this launch, by kind.
  const std::vector<sm::Occupancy>& occupancies() const { return occupancies_; }
  /// Whether a block fits on the multiprocessor if no other block is resident there.
  bool fits_on_empty(std::uint32_t sm) const { return occupancies_[kind_by_sm_[sm]].blocks > 0; }

  // These are the same for all kinds of multiprocessors.
  const exec::Launch& launch() const { return *grids_.front().launch; }
  std::uint32_t number() const { return grids_.front().number; }
  std::uint32_t stream() const { return stream_; }

 private:
  std::uint32_t stream_;
  std::vector<sm::Grid> grids_;             ///< By kind of multiprocessor.
  std::vector<sm::Occupancy> occupancies_;  ///< By kind of multiprocessor.
  std::vector<std::uint16_t> kind_by_sm_;   ///< The kind's index, by multiprocessor.
};

}  // namespace heddle::gpu
