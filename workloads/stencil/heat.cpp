#include "heat.h"

namespace heddle::workload::stencil_host {
namespace {

/// One step: the flow between neighbours, in one direction after the other.
std::vector<double> step(const Extent& extent, const std::vector<double>& solid) {
  std::vector<double> result = solid;
  const std::size_t plane = extent.nx * extent.ny;
  for (std::size_t z = 1; z + 1 < extent.nz; ++z) {
    for (std::size_t y = 1; y + 1 < extent.ny; ++y) {
      const std::size_t row = z * plane + y * extent.nx;
      for (const std::size_t stride : {std::size_t{1}, extent.nx, plane}) {
        for (std::size_t cell = row + 1; cell + 1 < row + extent.nx; ++cell) {
          const double bend = solid[cell + stride] - 2 * solid[cell] + solid[cell - stride];
          result[cell] += kNeighbourWeight * bend;
        }
      }
    }
  }
  return result;
}

}  // namespace

CheckResult check_heat(const Extent& extent, const std::vector<float>& start,
                       const std::vector<float>& result) {
  std::vector<double> want(start.begin(), start.end());
  for (int i = 0; i < extent.steps; ++i) want = step(extent, want);
  // All terms are positive, so a sum's relative error is at most that of its terms plus one
  // rounding: five for the neighbours, which have 9/16 of the weight, one for a product, one for
  // the result.
  CheckResult check;
  check.close("temperature", result, want,
              {.relative = extent.steps * 4.5 * 0x1p-24,
               .reason = "every step 4.5 roundings of 2^-24, and all terms are positive"});
  return check;
}

}  // namespace heddle::workload::stencil_host
