#pragma once

// A box full of gas with obstacles in it, and what a step does there, in double precision.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workload::lbm {

class Cavity {
 public:
  /// So many cells along y and z, walls among them. The seed says where obstacles are.
  Cavity(int height, int depth, std::uint64_t seed);

  int height() const { return height_; }
  int depth() const { return depth_; }
  /// Of each cell, x first, then y, then z.
  const std::vector<std::uint8_t>& kinds() const { return kinds_; }
  std::size_t cell(int x, int y, int z) const;

  // Gas is an array of all cells' first parts, then all second ones, and so on. Before the first
  // cell and after the last there is room for what leaves the box.
  std::size_t margin() const;
  std::size_t stride() const { return kinds_.size() + 2 * margin(); }
  std::vector<float> at_rest() const;

  struct Velocity {
    double x, y, z;
  };
  Velocity velocity(const std::vector<float>& gas, std::size_t cell) const;

  /// What a place of the array has after a step.
  struct Part {
    double amount;
    double scale;  ///< What would be there at rest, with as much gas as where it came from.
  };
  std::vector<Part> after_step(const std::vector<float>& gas) const;

 private:
  double density(const std::vector<float>& gas, std::size_t cell) const;

  int height_, depth_;
  std::vector<std::uint8_t> kinds_;
};

}  // namespace heddle::workload::lbm
