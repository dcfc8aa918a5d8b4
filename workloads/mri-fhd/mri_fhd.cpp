#include <algorithm>
#include <cmath>
#include <vector>

#include "base/colour.h"
#include "head_scan.h"
#include "kernel.h"
#include "workload/workload.h"

namespace heddle::workload::mri_fhd_host {
namespace {

using namespace mri_fhd;

/// The height of the slice.
constexpr float kHeight = 0.25F;

/// `side` is the number of voxels along x and y. It is a power of two, so places along x are
/// exactly equidistant; the check depends on that. `across` is the number of samples along a side
/// of the grid of frequencies.
struct Extent {
  std::size_t side, across;
};

/// All sizes have more samples than one launch takes.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {16, 23};
    case Size::small:
      return {32, 47};
    case Size::medium:
      return {64, 63};
    case Size::large:
    case Size::paper:
      break;
  }
  return {128, 85};
}

struct Complex {
  std::vector<float> real, imaginary;
};

class MriFhd final : public HostProgram {
 public:
  MriFhd(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    const auto [side, across] = extent_;
    const auto range = static_cast<double>(std::min(side, across));
    scan_ = scan_head(across, range, static_cast<double>(kHeight), seed);
    for (std::size_t row = 0; row < side; ++row) {
      for (std::size_t column = 0; column < side; ++column) {
        x_.push_back(static_cast<float>(column) / static_cast<float>(side) - 0.5F);
        y_.push_back(static_cast<float>(row) / static_cast<float>(side) - 0.5F);
        z_.push_back(kHeight);
      }
    }
  }

  void run(Gpu& device) override {
    rho_ = rho_phi(device);
    const std::size_t voxels = x_.size(), samples = scan_.x.size();
    const Array<float> x = device.upload(x_, "x");
    const Array<float> y = device.upload(y_, "y");
    const Array<float> z = device.upload(z_, "z");
    const Array<float> real = device.allocate<float>(voxels, "real part of the image");
    const Array<float> imaginary = device.allocate<float>(voxels, "imaginary part of the image");
    device.fill(real, 0);
    device.fill(imaginary, 0);
    for (std::size_t begin = 0; begin < samples; begin += kMostSamples) {
      std::vector<Sample> launch_samples;
      for (std::size_t i = begin; i < std::min(begin + kMostSamples, samples); ++i) {
        launch_samples.push_back(
            {scan_.x[i], scan_.y[i], scan_.z[i], rho_.real[i], rho_.imaginary[i]});
      }
      device.write_symbol("samples", launch_samples);
      device.launch("fh_d", shape_for(voxels, kVoxelBlock), x, y, z, real, imaginary,
                    static_cast<int>(voxels), static_cast<int>(launch_samples.size()));
    }
    image_ = {device.download(real), device.download(imaginary)};
  }

  CheckResult check() const override {
    CheckResult check;
    check_rho(check);
    std::vector<double> got, want;
    for (std::size_t begin = 0; begin < x_.size(); begin += extent_.side) {
      const ImageRow row = image_row(begin);
      for (std::size_t i = 0; i < extent_.side; ++i) {
        got.push_back(static_cast<double>(image_.real[begin + i]) / row.error[i]);
        want.push_back(row.real[i] / row.error[i]);
        got.push_back(static_cast<double>(image_.imaginary[begin + i]) / row.error[i]);
        want.push_back(row.imaginary[i] / row.error[i]);
      }
    }
    check.close("image / its roundings", got, want,
                {.absolute = 1.001 * 0x1p-24,
                 .reason = "roundings of 2^-24 in angles and sums, and 2^-20.5 of the fast sine"});
    return check;
  }

  /// The reconstructed slice.
  std::optional<Picture> picture() const override {
    const int side = static_cast<int>(extent_.side);
    Picture picture{side, side, {}};
    const float brightest = *std::max_element(image_.real.begin(), image_.real.end());
    for (const float value : image_.real) {
      picture.pixels.push_back(grey(static_cast<double>(value / brightest)));
    }
    return picture;
  }

 private:
  static LaunchShape shape_for(std::size_t threads, std::uint32_t block) {
    return {.grid = {blocks_for(threads, block)}, .block = {block}};
  }

  Complex rho_phi(Gpu& device) const {
    const std::size_t count = scan_.x.size();
    const Array<float> phi_real = device.upload(scan_.phi_real, "real part of phi");
    const Array<float> phi_imaginary = device.upload(scan_.phi_imaginary, "imaginary part of phi");
    const Array<float> data_real = device.upload(scan_.real, "real part of the data");
    const Array<float> data_imaginary =
        device.upload(scan_.imaginary, "imaginary part of the data");
    const Array<float> real = device.allocate<float>(count, "real part of rho");
    const Array<float> imaginary = device.allocate<float>(count, "imaginary part of rho");
    device.launch("rho_phi", shape_for(count, kSampleBlock), phi_real, phi_imaginary, data_real,
                  data_imaginary, real, imaginary, static_cast<int>(count));
    return {device.download(real), device.download(imaginary)};
  }

  /// Checks the inverse: rho times phi must be the data times the squared magnitude of phi. Rho is
  /// off by two roundings of its terms, whose magnitude follows from phi and the data.
  void check_rho(CheckResult& check) const {
    std::vector<double> got, want;
    for (std::size_t i = 0; i < rho_.real.size(); ++i) {
      const double phi_real = scan_.phi_real[i], phi_imaginary = scan_.phi_imaginary[i];
      const double data_real = scan_.real[i], data_imaginary = scan_.imaginary[i];
      const double real = rho_.real[i], imaginary = rho_.imaginary[i];
      const double strength = phi_real * phi_real + phi_imaginary * phi_imaginary;
      const double scale = strength * std::hypot(data_real, data_imaginary);
      got.push_back((real * phi_real - imaginary * phi_imaginary) / scale);
      want.push_back(strength * data_real / scale);
      got.push_back((real * phi_imaginary + imaginary * phi_real) / scale);
      want.push_back(strength * data_imaginary / scale);
    }
    check.close("rho phi / the data's size", got, want,
                {.absolute = 3 * 0x1p-24,
                 .reason = "two roundings of 2^-24 in either part of rho, at right angles"});
  }

  /// The errors are the kernel's largest possible ones, in units of 2^-24.
  struct ImageRow {
    std::vector<double> real, imaginary, error;
  };

  /// The image along x from voxel `begin`, in double precision. From voxel to voxel a wave is
  /// rotated by the same angle, so only the first needs sines. The kernel's angle has six roundings
  /// of its terms, and one where the special function unit converts it to turns. A sine has an
  /// error of 2^-20.5. The two products of sine and cosine are at right angles. Then both additions
  /// round the partial sum.
  ImageRow image_row(std::size_t begin) const {
    constexpr double kTurn = 6.283185307179586;
    const std::size_t side = extent_.side;
    const std::vector<double> zeros(side);
    ImageRow row{zeros, zeros, zeros};
    for (std::size_t i = 0; i < scan_.x.size(); ++i) {
      const double along_x = kTurn * static_cast<double>(scan_.x[i]);
      const double first = along_x * static_cast<double>(x_[begin]);
      const double along_y =
          kTurn * static_cast<double>(scan_.y[i]) * static_cast<double>(y_[begin]);
      const double along_z =
          kTurn * static_cast<double>(scan_.z[i]) * static_cast<double>(z_[begin]);
      const double rho_real = rho_.real[i], rho_imaginary = rho_.imaginary[i];
      const double size = std::hypot(rho_real, rho_imaginary);
      const double phase = std::atan2(rho_imaginary, rho_real) + first + along_y + along_z;
      const double step = along_x / static_cast<double>(side);
      const double turn_real = std::cos(step), turn_imaginary = std::sin(step);
      double real = size * std::cos(phase), imaginary = size * std::sin(phase);
      for (std::size_t voxel = 0; voxel < side; ++voxel) {
        row.real[voxel] += real;
        row.imaginary[voxel] += imaginary;
        const double largest = std::abs(along_x * static_cast<double>(x_[begin + voxel])) +
                               std::abs(along_y) + std::abs(along_z);
        row.error[voxel] += std::sqrt(2.0) * size * (7 * largest + 0x1p3 * std::sqrt(2.0) + 2) +
                            2 * (std::abs(row.real[voxel]) + std::abs(row.imaginary[voxel]) + size);
        const double turned = real * turn_real - imaginary * turn_imaginary;
        imaginary = real * turn_imaginary + imaginary * turn_real;
        real = turned;
      }
    }
    return row;
  }

  Extent extent_;
  Scan scan_;
  std::vector<float> x_, y_, z_;
  Complex rho_, image_;
};

const Registration kRegistration({
    .name = "mri-fhd",
    .summary = "A magnetic resonance scanner's samples become an image, wave by wave",
    .papers = {"storage Table 4.2"},
    .kernels = {{"rho_phi", {kSampleBlock}}, {"fh_d", {kVoxelBlock}}},
    .has_picture = true,
    .make = make_program<MriFhd>,
});

}  // namespace
}  // namespace heddle::workload::mri_fhd_host
