#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/picture.h"
#include "kernel.h"
#include "ray_tracing_reference.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::ray_tracing_host {
namespace {

using ray_tracing::Point;

constexpr Dim3 kBlock{16, 12};

struct Extent {
  int width, height;
  int layers;  ///< Layers of the pile, which is a pyramid.
  int pearls;  ///< Pearls in the spiral.
};

/// Not multiples of the block's sides, except the papers' sizes. The papers' scene has few objects:
/// each pixel takes 469 of 123 million instructions (simt Table 3), and half of the warps execute
/// fewer than 500 (warpman, Figure 6).
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {25, 18, 2, 8};
    case Size::small:
      return {90, 62, 3, 26};
    case Size::medium:
      return {250, 380, 1, 2};  // 16 x 32 blocks: as many as in warpman, section 3.2
    case Size::large:
      return {800, 600, 3, 26};
    case Size::paper:
      return {512, 512, 1, 2};  // simt Table 3: (512, 512)
  }
  return {};
}

/// A rotation about the upright axis. Sine and cosine are computed from the tangent of half the
/// angle, so that the scene does not depend on a library function.
struct Turn {
  double cosine, sine;
  static Turn by_half_tangent(double t) { return {(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)}; }
  void apply(double& x, double& z) const {
    const double before = x;
    x = cosine * before - sine * z;
    z = sine * before + cosine * z;
  }
};

/// The colours of the rainbow and back to the first, as `hue` goes from 0 to 1.
Point rainbow(double hue) {
  const auto part = [&](double middle) {
    double away = std::abs(hue - std::floor(hue) - middle);
    away = std::min(away, 1 - away);
    return static_cast<float>(0.08 + 0.87 * std::clamp(2 - 6 * away, 0.0, 1.0));
  };
  return {part(0), part(1.0 / 3), part(2.0 / 3)};
}

Point point(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

void add(ray_tracing::Scene& scene, const Point& centre, double radius,
         const ray_tracing::Paint& paint) {
  scene.balls[scene.count] = {centre, static_cast<float>(radius)};
  scene.paints[scene.count] = paint;
  ++scene.count;
}

/// Piles up polished metal balls, with small gaps between them.
void pile_up(ray_tracing::Scene& scene, int layers, Random& random) {
  constexpr Point kMetals[] = {{1.00f, 0.66f, 0.12f}, {0.86f, 0.88f, 0.92f}, {0.90f, 0.36f, 0.20f}};
  constexpr double kApart = 2.03;
  const Turn turn = Turn::by_half_tangent(random.uniform(0.05, 0.35));
  for (int layer = 0; layer < layers; ++layer) {
    const int side = layers - layer;
    for (int i = 0; i < side * side; ++i) {
      double x = (i % side - 0.5 * (side - 1)) * kApart;
      double z = (i / side - 0.5 * (side - 1)) * kApart;
      turn.apply(x, z);
      add(scene, point(x, 1 + layer * kApart / std::sqrt(2.0), z), 1,
          {kMetals[random.below(3)], random.uniform_float(0.35f, 0.70f), 0.8f});
    }
  }
}

/// Winds a spiral of small glossy balls around the pile.
void wind_up(ray_tracing::Scene& scene, int layers, int pearls, Random& random) {
  const Turn step = Turn::by_half_tangent(5.4 / pearls);
  double x = layers + 1.35;
  double z = 0;
  Turn::by_half_tangent(random.uniform(-1, 1)).apply(x, z);
  const double first_hue = random.uniform();
  for (int i = 0; i < pearls; ++i) {
    const double way = static_cast<double>(i) / pearls;
    const double radius = random.uniform(0.28, 0.42);
    const double narrow = 1 - 0.55 * way;
    add(scene, point(x * narrow, radius + way * 1.75 * layers, z * narrow), radius,
        {rainbow(first_hue + way), random.uniform_float(0.08f, 0.30f), 0.9f});
    step.apply(x, z);
  }
}

void look_at(ray_tracing::Scene& scene, const Extent& extent) {
  // The narrower side of the picture covers a square that is as high as the pile and its
  // surroundings.
  const double scale = extent.layers / 3.0;
  const Point eye = point(0.8 * scale, 5.6 * scale, -13.5 * scale);
  const double forward[] = {-eye.x, 1.7 * scale - eye.y, -eye.z};
  const double length =
      std::sqrt(forward[0] * forward[0] + forward[1] * forward[1] + forward[2] * forward[2]);
  const double level = std::sqrt(forward[0] * forward[0] + forward[2] * forward[2]);
  const double right[] = {forward[2] / level, 0, -forward[0] / level};
  const double down[] = {forward[0] * forward[1] / (level * length), -level / length,
                         forward[2] * forward[1] / (level * length)};
  const double pixel = 0.70 / std::min(extent.width, extent.height);
  const double left_of = 0.5 * (extent.width - 1) * pixel;
  const double above = 0.5 * (extent.height - 1) * pixel;
  const auto corner = [&](int axis) {
    return forward[axis] / length - left_of * right[axis] - above * down[axis];
  };
  scene.camera = {.eye = eye,
                  .corner = point(corner(0), corner(1), corner(2)),
                  .right = point(pixel * right[0], 0, pixel * right[2]),
                  .down = point(pixel * down[0], pixel * down[1], pixel * down[2])};
}

ray_tracing::Scene make_scene(const Extent& extent, std::uint64_t seed) {
  Random random(seed);
  ray_tracing::Scene scene{};
  pile_up(scene, extent.layers, random);
  wind_up(scene, extent.layers, extent.pearls, random);
  look_at(scene, extent);
  // Separate statements, because the evaluation order of a call's arguments is unspecified.
  const double z = random.uniform(-12, -9);
  const double y = random.uniform(13, 16);
  scene.light = point(random.uniform(-9, -6), y, z);
  return scene;
}

int channel(std::uint32_t pixel, int shift) { return static_cast<int>(pixel >> shift & 0xff); }

/// The difference in the channel that differs most.
int levels_apart(std::uint32_t a, std::uint32_t b) {
  int most = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    most = std::max(most, std::abs(channel(a, shift) - channel(b, shift)));
  }
  return most;
}

class RayTracing final : public HostProgram {
 public:
  RayTracing(Size size, std::uint64_t seed)
      : extent_(extent_of(size)), scene_(make_scene(extent_, seed)) {}

  void run(Gpu& device) override {
    device.write_symbol("scene", scene_);
    const auto width = static_cast<std::uint32_t>(extent_.width);
    const auto height = static_cast<std::uint32_t>(extent_.height);
    const Array<std::uint32_t> pixels =
        device.allocate<std::uint32_t>(std::size_t{width} * height, "pixels");
    const Dim3 grid{(width + kBlock.x - 1) / kBlock.x, (height + kBlock.y - 1) / kBlock.y};
    device.launch("trace_rays", {.grid = grid, .block = kBlock}, pixels, extent_.width,
                  extent_.height);
    pixels_ = device.download(pixels);
  }

  CheckResult check() const override {
    const Picture want = trace_on_host(scene_, extent_.width, extent_.height);
    const auto all = static_cast<double>(pixels_.size());
    std::vector<double> rounded{0}, strays{0};
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const int apart = levels_apart(pixels_[i], want.pixels[i]);
      if (apart == 1) ++rounded[0];
      if (apart > 1) ++strays[0];
    }

    CheckResult check;
    const std::vector<double> none{0};
    check.close("pixels that differ by one level", rounded, none,
                {.absolute = 2 + std::floor(all / 500),
                 .reason = "an error of about 2^-21 in floats changes the rounded level of one "
                           "pixel in 3000"});
    const Bound edges{.absolute = 1 + std::floor(all / 5000),
                      .reason =
                          "rays that graze a ball or a shadow may miss it instead: one pixel "
                          "in 15000"};
    check.close("pixels that differ by more", strays, none, edges);
    // Pixels that differ by more are counted above; all others are compared with the host's.
    const bool strays_allowed = strays[0] <= edges.absolute;
    std::vector<double> got, expected;
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      if (strays_allowed && levels_apart(pixels_[i], want.pixels[i]) > 1) continue;
      for (int shift = 0; shift < 32; shift += 8) {
        got.push_back(channel(pixels_[i], shift));
        expected.push_back(channel(want.pixels[i], shift));
      }
    }
    check.close("levels", got, expected, {.absolute = 1, .reason = "rounding to whole levels"});
    return check;
  }

  std::optional<Picture> picture() const override {
    return Picture{.width = extent_.width, .height = extent_.height, .pixels = pixels_};
  }

 private:
  Extent extent_;
  ray_tracing::Scene scene_;
  std::vector<std::uint32_t> pixels_;
};

const Registration kRegistration({
    .name = "ray-tracing",
    .summary = "A pile of mirrors with a spiral of pearls, one thread a pixel",
    .papers = {"warpman Table 2", "simt Table 3", "simt Table 7"},
    .kernels = {{"trace_rays", kBlock,
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 64,
                                .shared_bytes_per_block = 0,
                                .blocks_per_sm = 2}}},
    .has_paper_size = true,
    .has_picture = true,
    .make = make_program<RayTracing>,
});

}  // namespace
}  // namespace heddle::workload::ray_tracing_host
