#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::laplace3d_host {
namespace {

struct Extent {
  std::size_t nx, ny, nz;
  int sweeps;

  std::size_t cells() const { return nx * ny * nz; }
};

/// Sizes that are not multiples of the tile.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {40, 13, 14, 3};
    case Size::small:
      return {100, 58, 40, 2};
    case Size::medium:
      return {100, 100, 100, 3};
    case Size::large:
    case Size::paper:
      break;
  }
  return {210, 150, 120, 6};
}

std::vector<double> sweep(const Extent& extent, const std::vector<double>& before) {
  std::vector<double> after = before;
  const std::size_t plane = extent.nx * extent.ny;
  for (std::size_t z = 1; z + 1 < extent.nz; ++z) {
    for (std::size_t y = 1; y + 1 < extent.ny; ++y) {
      for (std::size_t x = 1; x + 1 < extent.nx; ++x) {
        const std::size_t cell = z * plane + y * extent.nx + x;
        double sum = 0;
        for (const std::size_t stride : {std::size_t{1}, extent.nx, plane}) {
          sum += before[cell - stride] + before[cell + stride];
        }
        after[cell] = sum / 6;
      }
    }
  }
  return after;
}

class Laplace3d final : public HostProgram {
 public:
  /// Two electrodes, below and above, and the initial potential of the cells.
  Laplace3d(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    for (std::size_t z = 0; z < extent_.nz; ++z) {
      const bool is_electrode = z == 0 || z + 1 == extent_.nz;
      const float potential = z == 0 ? 1.0F : 2.0F;
      for (std::size_t i = 0; i < extent_.nx * extent_.ny; ++i) {
        potential_.push_back(is_electrode ? potential : random.uniform_float(1, 2));
      }
    }
  }

  void run(Gpu& device) override {
    Array<float> before = device.upload(potential_, "potential");
    Array<float> after = device.allocate<float>(extent_.cells(), "potential after");
    const auto blocks = [](std::size_t cells, int each) {
      const auto size = static_cast<std::size_t>(each);
      return static_cast<std::uint32_t>((cells + size - 1) / size);
    };
    for (int i = 0; i < extent_.sweeps; ++i) {
      device.launch("laplace_sweep",
                    {.grid = {blocks(extent_.nx, kColumns), blocks(extent_.ny, kRows)},
                     .block = {kColumns, kRows}},
                    before, after, static_cast<int>(extent_.nx), static_cast<int>(extent_.ny),
                    static_cast<int>(extent_.nz));
      std::swap(before, after);
    }
    result_ = device.download(before);
  }

  CheckResult check() const override {
    std::vector<double> want(potential_.begin(), potential_.end());
    for (int i = 0; i < extent_.sweeps; ++i) want = sweep(extent_, want);
    CheckResult check;
    check.close("potential", result_, want,
                {.relative = extent_.sweeps * 7.01 * 0x1p-24,
                 .reason = "a sweep has 7 roundings of 2^-24: five sums of positive terms, a "
                           "sixth and the product with it"});
    return check;
  }

 private:
  Extent extent_;
  std::vector<float> potential_, result_;
};

const Registration kRegistration({
    .name = "laplace3d",
    .summary = "Laplace's equation in a box by sweeps of Jacobi's method",
    .papers = {"preexec Table 2"},
    .kernels = {{"laplace_sweep", {kColumns, kRows}}},
    .make = make_program<Laplace3d>,
});

}  // namespace
}  // namespace heddle::workload::laplace3d_host
