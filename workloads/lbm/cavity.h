#pragma once

// A box of gas with obstacles, and a time step in double precision.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workload::lbm {

class Cavity {
 public:
  /// `height` and `depth` are the cells along y and z, walls included. The seed places the
  /// obstacles.
  Cavity(int height, int depth, std::uint64_t seed);

  int height() const { return height_; }
  int depth() const { return depth_; }
  /// The kind of each cell (lbm::Kind), in the order of cell().
  const std::vector<std::uint8_t>& kinds() const { return kinds_; }
  /// The index of a cell: x changes fastest, then y, then z.
  std::size_t cell(int x, int y, int z) const;

  // Gas is an array of all cells' first parts, then all second parts, and so on. There is a margin
  // before the first cell and after the last for parts that leave the box.
  std::size_t margin() const;
  /// From one part of a cell to the next.
  std::size_t stride() const { return kinds_.size() + 2 * margin(); }
  /// Gas at rest, of density 1 everywhere.
  std::vector<float> at_rest() const;

  struct Velocity {
    double x, y, z;
  };
  Velocity velocity(const std::vector<float>& gas, std::size_t cell) const;

  /// The value of one place of the array after a step.
  struct Part {
    double amount;
    double scale;  ///< The part's value at rest, with the density of the cell that it came from.
  };
  std::vector<Part> after_step(const std::vector<float>& gas) const;

 private:
  double density(const std::vector<float>& gas, std::size_t cell) const;

  int height_, depth_;
  std::vector<std::uint8_t> kinds_;
};

}  // namespace heddle::workload::lbm
