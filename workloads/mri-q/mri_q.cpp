#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::mri_q_host {
namespace {

using namespace mri_q;

/// `side` is the number of voxels along x and y, in each of `layers` layers. It is a power of two,
/// so places along x are exactly equidistant; the check depends on that.
struct Extent {
  int side, layers;
  std::size_t samples;
};

/// All sizes have more samples than one launch takes; the last launch takes fewer.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {8, 3, 1100};
    case Size::small:
      return {16, 5, 2500};
    case Size::medium:
      return {32, 6, 2900};
    case Size::large:
    case Size::paper:
      break;
  }
  return {64, 12, 3000};
}

struct Complex {
  std::vector<float> real, imaginary;
};

class MriQ final : public HostProgram {
 public:
  /// The trajectory is anywhere below the highest frequency that neighbouring voxels can represent.
  MriQ(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    const auto [side, layers, samples] = extent_;
    for (std::size_t i = 0; i < samples; ++i) {
      samples_.push_back({random.uniform_float(-0.5F, 0.5F) * static_cast<float>(side),
                          random.uniform_float(-0.5F, 0.5F) * static_cast<float>(side),
                          random.uniform_float(-0.5F, 0.5F) * static_cast<float>(layers), 0});
      phi_.real.push_back(random.uniform_float(-1, 1));
      phi_.imaginary.push_back(random.uniform_float(-1, 1));
    }
    const auto place = [](int index, int count) {
      return static_cast<float>(index) / static_cast<float>(count) - 0.5F;
    };
    for (int layer = 0; layer < layers; ++layer) {
      for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
          x_.push_back(place(column, side));
          y_.push_back(place(row, side));
          z_.push_back(place(layer, layers));
        }
      }
    }
  }

  void run(Gpu& device) override {
    magnitudes_ = phi_magnitudes(device);
    std::vector<Sample> samples = samples_;
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].magnitude = magnitudes_[i];

    const std::size_t voxels = x_.size();
    const Array<float> x = device.upload(x_, "x");
    const Array<float> y = device.upload(y_, "y");
    const Array<float> z = device.upload(z_, "z");
    const Array<float> real = device.allocate<float>(voxels, "real part of Q");
    const Array<float> imaginary = device.allocate<float>(voxels, "imaginary part of Q");
    device.fill(real, 0);
    device.fill(imaginary, 0);
    for (std::size_t begin = 0; begin < samples.size(); begin += kMostSamples) {
      const std::size_t end = std::min(begin + kMostSamples, samples.size());
      const std::vector<Sample> launch_samples(samples.data() + begin, samples.data() + end);
      device.write_symbol("samples", launch_samples);
      device.launch("q_matrix", shape_for(voxels, kVoxelBlock), x, y, z, real, imaginary,
                    static_cast<int>(voxels), static_cast<int>(end - begin));
    }
    q_ = {device.download(real), device.download(imaginary)};
  }

  CheckResult check() const override {
    std::vector<double> magnitudes, got, want;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const double real = phi_.real[i], imaginary = phi_.imaginary[i];
      magnitudes.push_back(std::pow(std::hypot(real, imaginary), 2));
    }
    const auto side = static_cast<std::size_t>(extent_.side);
    for (std::size_t begin = 0; begin < x_.size(); begin += side) {
      const RowOfQ row = row_of_q(begin, magnitudes);
      for (std::size_t i = 0; i < side; ++i) {
        got.push_back(static_cast<double>(q_.real[begin + i]) / row.real_error[i]);
        want.push_back(row.real[i] / row.real_error[i]);
        got.push_back(static_cast<double>(q_.imaginary[begin + i]) / row.imaginary_error[i]);
        want.push_back(row.imaginary[i] / row.imaginary_error[i]);
      }
    }
    CheckResult check;
    check.close("magnitudes of phi", magnitudes_, magnitudes,
                {.relative = 2 * 0x1p-24, .reason = "a product and a sum, of 2^-24 each"});
    check.close("Q / its roundings", got, want,
                {.absolute = 1.001 * 0x1p-24,
                 .reason = "roundings of 2^-24 in angles and sums, and 2^-20.5 of the fast sine"});
    return check;
  }

 private:
  static LaunchShape shape_for(std::size_t threads, std::uint32_t block) {
    return {.grid = {blocks_for(threads, block)}, .block = {block}};
  }

  std::vector<float> phi_magnitudes(Gpu& device) const {
    const std::size_t count = samples_.size();
    const Array<float> real = device.upload(phi_.real, "real part of phi");
    const Array<float> imaginary = device.upload(phi_.imaginary, "imaginary part of phi");
    const Array<float> magnitudes = device.allocate<float>(count, "magnitudes of phi");
    device.launch("phi_magnitude", shape_for(count, kMagnitudeBlock), real, imaginary, magnitudes,
                  static_cast<int>(count));
    return device.download(magnitudes);
  }

  /// The errors are the kernel's largest possible ones, in units of 2^-24.
  struct RowOfQ {
    std::vector<double> real, imaginary, real_error, imaginary_error;
  };

  /// Q of the voxels along x from voxel `begin`, in double precision. From voxel to voxel a wave is
  /// rotated by the same angle, so only the first needs sines. The kernel's angle has six roundings
  /// of its terms, and one where the special function unit converts it to turns. A sine has an
  /// error of 2^-20.5, and the magnitude was rounded twice. Then every addition rounds the partial
  /// sum.
  RowOfQ row_of_q(std::size_t begin, const std::vector<double>& magnitudes) const {
    constexpr double kTurn = 6.283185307179586;
    const auto side = static_cast<std::size_t>(extent_.side);
    const std::vector<double> zeros(side);
    RowOfQ row{zeros, zeros, zeros, zeros};
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const double along_x = kTurn * static_cast<double>(samples_[i].x);
      const double first = along_x * static_cast<double>(x_[begin]);
      const double along_y =
          kTurn * static_cast<double>(samples_[i].y) * static_cast<double>(y_[begin]);
      const double along_z =
          kTurn * static_cast<double>(samples_[i].z) * static_cast<double>(z_[begin]);
      const double size_yz = std::abs(along_y) + std::abs(along_z);
      const double step = along_x / static_cast<double>(side);
      const double turn_real = std::cos(step), turn_imaginary = std::sin(step);
      double real = magnitudes[i] * std::cos(first + along_y + along_z);
      double imaginary = magnitudes[i] * std::sin(first + along_y + along_z);
      for (std::size_t voxel = 0; voxel < side; ++voxel) {
        row.real[voxel] += real;
        row.imaginary[voxel] += imaginary;
        const double largest = std::abs(along_x * static_cast<double>(x_[begin + voxel])) + size_yz;
        const double wave_error = magnitudes[i] * (7 * largest + 0x1p3 * std::sqrt(2.0) + 2);
        row.real_error[voxel] += wave_error + std::abs(row.real[voxel]);
        row.imaginary_error[voxel] += wave_error + std::abs(row.imaginary[voxel]);
        const double turned = real * turn_real - imaginary * turn_imaginary;
        imaginary = real * turn_imaginary + imaginary * turn_real;
        real = turned;
      }
    }
    return row;
  }

  Extent extent_;
  std::vector<Sample> samples_;
  Complex phi_, q_;
  std::vector<float> x_, y_, z_, magnitudes_;
};

const Registration kRegistration({
    .name = "mri-q",
    .summary = "How a magnetic resonance scanner's samples blur a point",
    .papers = {"storage Table 4.2", "preexec Table 2"},
    .kernels = {{"phi_magnitude", {kMagnitudeBlock}}, {"q_matrix", {kVoxelBlock}}},
    .make = make_program<MriQ>,
});

}  // namespace
}  // namespace heddle::workload::mri_q_host
