// Runs a ray tracer, compiled to PTX, on the simulated GPU. Compares its picture with one that the
// host computes, and shows the picture on the terminal.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>

#include "base/error.h"
#include "base/output_file.h"
#include "base/picture.h"
#include "device/device.h"
#include "device/loaded_module.h"
#include "scene.h"
#include "tracer.h"

namespace heddle::demo {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 400;
constexpr std::uint32_t kBlock = 16;  ///< Threads of a block in each direction.

/// The kernel's single precision and approximate functions change a channel (0 to 255) by at most
/// this much, except at edges of objects.
constexpr int kTolerance = 3;
/// The largest share of pixels, at edges, that may differ by more.
constexpr double kMaxOutliers = 0.005;

/// The kernel's parameter `world`.
struct World {
  scene::Sphere spheres[scene::kSpheres];
};

/// The share of the pixels in which a channel differs by more than the tolerance.
double share_of_outliers(const Picture& a, const Picture& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    for (int channel = 0; channel < 4; ++channel) {
      const auto value_in = [&](const Picture& p) {
        return static_cast<int>(p.pixels[i] >> (8 * channel) & 0xff);
      };
      if (std::abs(value_in(a) - value_in(b)) > kTolerance) {
        ++different;
        break;
      }
    }
  }
  return static_cast<double>(different) / static_cast<double>(a.pixels.size());
}

int run(const std::string& ptx, const std::string& png) {
  device::Device device;
  const device::LoadedModule& module = device.load_file(ptx);
  const device::Kernel kernel = device.find_kernel(module, "trace");
  World world;
  std::copy(std::begin(scene::kScene), std::end(scene::kScene), world.spheres);
  const device::DevicePointer pixels =
      device.allocate(std::uint64_t{kWidth} * kHeight * sizeof(std::uint32_t), "pixels");
  const device::LaunchConfiguration configuration{
      .grid = {(kWidth + kBlock - 1) / kBlock, (kHeight + kBlock - 1) / kBlock, 1},
      .block = {kBlock, kBlock, 1}};

  const auto start = std::chrono::steady_clock::now();
  const device::LaunchResult result =
      device.launch_with(kernel, configuration, pixels, kWidth, kHeight, world);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Picture picture{.width = kWidth, .height = kHeight, .pixels = {}};
  picture.pixels =
      device.download<std::uint32_t>(pixels, static_cast<std::size_t>(kWidth) * kHeight);
  const double different = share_of_outliers(picture, trace_on_host(kWidth, kHeight));

  if (isatty(STDOUT_FILENO) != 0) fmt::print("\n{}\n", terminal_text(picture, 100));
  OutputFile(png).write(png_of(picture));
  const auto& info = module.program().functions[kernel.function];
  fmt::print("kernel '{}' of {}: {} x {} threads, {} registers per thread\n", info.name, ptx,
             configuration.grid.count(), configuration.block.count(), info.registers_per_thread);
  fmt::print(
      "{} warp instructions with {:.1f} of 32 lanes active, in {:.2f} s: {:.0f} million per "
      "second\n",
      result.warp_instructions,
      static_cast<double>(result.thread_instructions) /
          static_cast<double>(result.warp_instructions),
      seconds, static_cast<double>(result.warp_instructions) / seconds / 1e6);
  fmt::print("picture: {} ({} x {})\n", png, kWidth, kHeight);
  const bool passed = different <= kMaxOutliers;
  fmt::print(
      "check: {:.3f} % of the pixels differ from the host's picture by more than {} of "
      "255; allowed: {:.1f} %: {}\n",
      different * 100, kTolerance, kMaxOutliers * 100, passed ? "passed" : "FAILED");
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace heddle::demo

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: heddle_demo scene.ptx picture.png\n");
    return 2;
  }
  try {
    return heddle::demo::run(argv[1], argv[2]);
  } catch (const heddle::InputError& error) {
    fmt::print(stderr, "heddle_demo: {}\n", error.what());
    return 2;
  } catch (const heddle::exec::SimulatedFault& error) {
    fmt::print(stderr, "heddle_demo: {}\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_demo: {}\n", error.what());
    return 2;
  }
}
