#include <algorithm>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "floorplan.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::hotspot_host {
namespace {

/// Time steps per launch of the tiled form.
constexpr int kPyramidHeight = 2;
constexpr std::uint32_t kResidentBlock = 1024;

struct Extent {
  int columns, rows, steps;
};

/// Except for the paper's size, neither multiples of the tile nor an even number of steps, so the
/// last launch does one step only.
Extent extent_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return {500, 410, 17};
  switch (size) {
    case Size::tiny:
      return {67, 50, 3};
    case Size::small:
      return {200, 170, 7};
    case Size::medium:
      return {500, 410, 11};
    case Size::large:
      return {1010, 900, 19};
    case Size::paper:
      return {512, 512, 2};  // simt Table 3: (512, 2, 2)
  }
  return {};
}

/// The share of a cell's heat capacity that its conductances exchange in a time step. An explicit
/// scheme is stable below 1.
constexpr double kShare = 0.4;

Chip make_chip_model(const Extent& extent) {
  const double width = hotspot::kChipSide / extent.columns;
  const double height = hotspot::kChipSide / extent.rows;
  const double capacity = hotspot::kHeatCapacity * hotspot::kThickness * width * height;
  const double x = hotspot::kConductivity * hotspot::kThickness * height / width;
  const double y = hotspot::kConductivity * hotspot::kThickness * width / height;
  const double z = hotspot::kConductivity * width * height / hotspot::kThickness;
  const double seconds = kShare * capacity / (2 * x + 2 * y + z);
  return {.columns = extent.columns,
          .rows = extent.rows,
          .seconds_per_capacity = static_cast<float>(seconds / capacity),
          .conductance_x = static_cast<float>(x),
          .conductance_y = static_cast<float>(y),
          .conductance_z = static_cast<float>(z),
          .ambient = static_cast<float>(hotspot::kAmbient)};
}

/// One step over the whole chip: every cell receives the flow through each of its sides.
std::vector<double> step(const Chip& chip, const std::vector<float>& power,
                         const std::vector<double>& temperature) {
  const auto width = static_cast<std::size_t>(chip.columns);
  std::vector<double> flow(temperature.size());
  for (std::size_t i = 0; i < flow.size(); ++i) {
    flow[i] = static_cast<double>(power[i]) + (static_cast<double>(chip.ambient) - temperature[i]) *
                                                  static_cast<double>(chip.conductance_z);
  }
  const auto exchange = [&](std::size_t a, std::size_t b, float conductance) {
    const double watts = (temperature[b] - temperature[a]) * static_cast<double>(conductance);
    flow[a] += watts;
    flow[b] -= watts;
  };
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if ((i + 1) % width != 0) exchange(i, i + 1, chip.conductance_x);
    if (i + width < flow.size()) exchange(i, i + width, chip.conductance_y);
  }
  for (std::size_t i = 0; i < flow.size(); ++i) {
    flow[i] = temperature[i] + flow[i] * static_cast<double>(chip.seconds_per_capacity);
  }
  return flow;
}

class Hotspot final : public HostProgram {
 public:
  Hotspot(GridChoice grid, Size size, std::uint64_t seed)
      : grid_(grid), extent_(extent_of(grid, size)), chip_(make_chip_model(extent_)) {
    Random random(seed);
    state_ = hotspot::make_chip(extent_.columns, extent_.rows, random);
  }

  void run(Gpu& device) override {
    const Array<float> power = device.upload(state_.power, "power");
    Array<float> before = device.upload(state_.temperature, "temperature");
    Array<float> after = device.allocate<float>(before.count, "temperature after");
    if (grid_ == GridChoice::resident) {
      advance_cell_by_cell(device, power, before, after);
    } else {
      advance_by_tiles(device, power, before, after);
    }
    result_ = device.download(before);
  }

  CheckResult check() const override {
    std::vector<double> want(state_.temperature.begin(), state_.temperature.end());
    for (int i = 0; i < extent_.steps; ++i) want = step(chip_, state_.power, want);
    // A step rounds the new temperature once and, with weights of at most kShare together, sums of
    // two neighbours. The rest is of the order of a step's change, a hundredth of a temperature.
    // The next step averages these errors, so they do not grow.
    const double hottest = *std::max_element(want.begin(), want.end());
    CheckResult check;
    check.close("temperature", result_, want,
                {.absolute = extent_.steps * (1.1 + kShare) * 0x1p-24 * hottest,
                 .reason = "every step 1.5 roundings of 2^-24 of the hottest temperature"});
    return check;
  }

  std::optional<Picture> picture() const override {
    const auto [low, high] = std::minmax_element(result_.begin(), result_.end());
    const double range = std::max(1e-6, static_cast<double>(*high - *low));
    Picture picture{.width = extent_.columns, .height = extent_.rows, .pixels = {}};
    picture.pixels.reserve(result_.size());
    for (const float value : result_) {
      picture.pixels.push_back(heat(0.1 + 0.85 * static_cast<double>(value - *low) / range));
    }
    return picture;
  }

 private:
  // Both functions leave the last temperatures in `before`. The arrays are exchanged after every
  // launch, which writes the other one.
  void advance_by_tiles(Gpu& device, const Array<float>& power, Array<float>& before,
                        Array<float>& after) const {
    for (int done = 0; done < extent_.steps; done += kPyramidHeight) {
      const int steps = std::min(kPyramidHeight, extent_.steps - done);
      const int inner = kTile - 2 * steps;
      const auto tiles = [&](int cells) {
        return static_cast<std::uint32_t>((cells + inner - 1) / inner);
      };
      device.launch(
          "hotspot",
          {.grid = {tiles(extent_.columns), tiles(extent_.rows)}, .block = {kTile, kTile}}, power,
          before, after, chip_, steps);
      std::swap(before, after);
    }
  }

  void advance_cell_by_cell(Gpu& device, const Array<float>& power, Array<float>& before,
                            Array<float>& after) const {
    const LaunchShape shape =
        device.resident_shape("hotspot_resident", kResidentBlock, before.count);
    // A barrier synchronises the threads of one block only; several blocks need another launch.
    const int steps = shape.grid.x == 1 ? extent_.steps : 1;
    for (int done = 0; done < extent_.steps; done += steps) {
      device.launch("hotspot_resident", shape, power, before, after, chip_, steps);
      if (steps % 2 != 0) std::swap(before, after);
    }
  }

  GridChoice grid_;
  Extent extent_;
  Chip chip_;
  hotspot::ChipState state_;
  std::vector<float> result_;
};

const Registration kRegistration({
    .name = "hotspot",
    .summary = "How a processor chip warms and cools: heat flow between cells, in time steps",
    .papers = {"large-warps Table 2", "warpman Table 2", "simt Table 3"},
    .kernels = {{"hotspot",
                 {kTile, kTile},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 35,
                                .shared_bytes_per_block = 3 * 1024,
                                .blocks_per_sm = 3}}},
    .has_paper_size = true,
    .has_picture = true,
    .make = make_form<Hotspot, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"hotspot_resident", {kResidentBlock}}},
                             .make = make_form<Hotspot, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::hotspot_host
