#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::dct8x8_host {
namespace {

constexpr std::size_t kPixels = std::size_t{kSide} * kSide;

/// The table for brightness in ITU-T T.81, Annex K.
constexpr std::array<int, kPixels> kSteps{16, 11, 10, 16, 24,  40,  51,  61,   //
                                          12, 12, 14, 19, 26,  58,  60,  55,   //
                                          14, 13, 16, 24, 40,  57,  69,  56,   //
                                          14, 17, 22, 29, 51,  87,  80,  62,   //
                                          18, 22, 37, 56, 68,  109, 103, 77,   //
                                          24, 35, 55, 64, 81,  104, 113, 92,   //
                                          49, 64, 78, 87, 103, 121, 120, 101,  //
                                          72, 92, 95, 98, 112, 100, 103, 99};

struct Extent {
  std::uint32_t width, height;
};

/// Sizes that are multiples of the square, but not of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {88, 56};
    case Size::small:
      return {440, 328};
    case Size::medium:
      return {1080, 808};
    case Size::large:
    case Size::paper:
      return {2808, 2104};
  }
  return {};
}

using Matrix = std::array<double, kPixels>;

/// Row k is the cosine of frequency k, with norm 1.
Matrix cosine_matrix() {
  Matrix matrix{};
  for (std::size_t k = 0; k < kSide; ++k) {
    for (std::size_t i = 0; i < kSide; ++i) {
      const double phase = std::numbers::pi * static_cast<double>((2 * i + 1) * k) / (2 * kSide);
      matrix[k * kSide + i] = std::sqrt((k == 0 ? 1.0 : 2.0) / kSide) * std::cos(phase);
    }
  }
  return matrix;
}

/// The results of one method of transforming.
struct MethodResult {
  std::vector<float> coefficients, quantized, picture;
};

class Dct8x8 final : public HostProgram {
 public:
  Dct8x8(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    const auto [width, height] = extent_;
    for (const float value :
         luminance(landscape(static_cast<int>(width), static_cast<int>(height), seed))) {
      // The levels are integers around 0.
      picture_.push_back(static_cast<float>(static_cast<int>(value * 255 + 0.5F) - 128));
    }
  }

  void run(Gpu& device) override {
    const auto [width, height] = extent_;
    const Matrix matrix = cosine_matrix();
    device.write_symbol("cosines", std::vector<float>(matrix.begin(), matrix.end()));
    device.write_symbol("steps", std::vector<float>(kSteps.begin(), kSteps.end()));
    const TextureHandle texture = device.create_texture({.width = width, .height = height},
                                                        std::as_bytes(std::span(picture_)));
    const auto picture = device.upload(picture_, "picture");
    const auto coefficients = device.allocate<float>(picture_.size(), "coefficients");
    const auto decoded = device.allocate<float>(picture_.size(), "decoded picture");
    const LaunchShape by_pixel{.grid = {width / kSide, height / kSide}, .block = {kSide, kSide}};
    const LaunchShape by_line{
        .grid = {(width + kTileX - 1) / kTileX, (height + kTileY - 1) / kTileY},
        .block = {kSide, kSquaresX, kSquaresY}};
    const int columns = static_cast<int>(width), rows = static_cast<int>(height);

    device.launch("dct_by_matrix", by_pixel, texture, coefficients, columns);
    quantize(device, by_pixel, coefficients, by_matrix_);
    device.launch("inverse_dct_by_matrix", by_pixel, coefficients, decoded, columns);
    by_matrix_.picture = device.download(decoded);

    device.launch("fast_dct", by_line, picture, coefficients, columns, rows);
    quantize(device, by_pixel, coefficients, fast_);
    device.launch("fast_inverse_dct", by_line, coefficients, decoded, columns, rows);
    fast_.picture = device.download(decoded);
  }

  CheckResult check() const override {
    CheckResult check;
    check_coded(check, "by matrix", by_matrix_);
    check_coded(check, "fast", fast_);
    return check;
  }

  /// The picture after quantisation.
  std::optional<Picture> picture() const override {
    Picture picture{static_cast<int>(extent_.width), static_cast<int>(extent_.height), {}};
    for (const double value : fast_.picture) picture.pixels.push_back(grey((value + 128) / 255));
    return picture;
  }

 private:
  void quantize(Gpu& device, const LaunchShape& shape, const Array<float>& coefficients,
                MethodResult& coded) const {
    coded.coefficients = device.download(coefficients);
    device.launch("quantize", shape, coefficients, static_cast<int>(extent_.width));
    coded.quantized = device.download(coefficients);
  }

  /// Checks each step on its own, from its input on the device. Transforms are sums of products
  /// with cosines, in double precision.
  void check_coded(CheckResult& check, const std::string& way, const MethodResult& coded) const {
    check_transform(check, way + ": coefficient", picture_, coded.coefficients, true);
    check_quantization(check, way + ": quantized", coded);
    check_transform(check, way + ": pixel", coded.quantized, coded.picture, false);
  }

  void check_transform(CheckResult& check, const std::string& what, const std::vector<float>& from,
                       const std::vector<float>& to, bool forward) const {
    const Matrix cosines = cosine_matrix();
    Matrix matrix = cosines;
    if (!forward) {
      for (std::size_t i = 0; i < kPixels; ++i) {
        matrix[i] = cosines[i % kSide * kSide + i / kSide];
      }
    }
    std::vector<double> got, want;
    for (std::size_t top = 0; top < extent_.height; top += kSide) {
      for (std::size_t left = 0; left < extent_.width; left += kSide) {
        Matrix half_done{};
        double squares = 0;
        for (std::size_t i = 0; i < kPixels; ++i) {
          const double value = from[place(top, left, i)];
          squares += value * value;
          // Multiplies a row of the square by all columns of the transposed matrix.
          for (std::size_t k = 0; k < kSide; ++k) {
            half_done[i / kSide * kSide + k] += value * matrix[k * kSide + i % kSide];
          }
        }
        // Results are compared as shares of the square's norm, which no coefficient exceeds.
        const double scale = squares > 0 ? 1 / std::sqrt(squares) : 1;
        for (std::size_t i = 0; i < kPixels; ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < kSide; ++k) {
            sum += matrix[i / kSide * kSide + k] * half_done[k * kSide + i % kSide];
          }
          want.push_back(scale * sum);
          got.push_back(scale * static_cast<double>(to[place(top, left, i)]));
        }
      }
    }
    check.close(what + " / its square's norm", got, want,
                {.absolute = 2 * (kSide + 1) * 0x1p-24,
                 .reason = "two sums of eight products with rows of norm 1: each product has the "
                           "cosine's rounding and up to eight more, of 2^-24"});
  }

  /// Quantised coefficients must be the nearest multiple of the step. Either of two is allowed if a
  /// coefficient is within the division's rounding of their middle.
  void check_quantization(CheckResult& check, const std::string& what,
                          const MethodResult& coded) const {
    std::vector<double> want;
    for (std::size_t i = 0; i < coded.coefficients.size(); ++i) {
      const std::size_t row = i / extent_.width % kSide, column = i % extent_.width % kSide;
      const double step = kSteps[row * kSide + column];
      const double steps = static_cast<double>(coded.coefficients[i]) / step;
      const double chosen = static_cast<double>(coded.quantized[i]) / step;
      const bool is_near = std::abs(chosen - steps) <= 0.5 + 0x1p-24 * std::abs(steps);
      want.push_back(step * std::round(is_near ? chosen : steps));
    }
    check.close(what, coded.quantized, want, {.reason = "whole multiples of the steps"});
  }

  /// The index of the i-th pixel of the square.
  std::size_t place(std::size_t top, std::size_t left, std::size_t i) const {
    return (top + i / kSide) * extent_.width + left + i % kSide;
  }

  Extent extent_;
  std::vector<float> picture_;
  MethodResult by_matrix_, fast_;
};

const Registration kRegistration({
    .name = "dct8x8",
    .summary = "JPEG's cosine transform, quantization and inverse, by matrices and by a fast way",
    .papers = {"storage Table 4.2", "preexec Table 2"},
    .kernels = {{"dct_by_matrix", {kSide, kSide}},
                {"quantize", {kSide, kSide}},
                {"inverse_dct_by_matrix", {kSide, kSide}},
                {"fast_dct", {kSide, kSquaresX, kSquaresY}},
                {"fast_inverse_dct", {kSide, kSquaresX, kSquaresY}}},
    .has_picture = true,
    .make = make_program<Dct8x8>,
});

}  // namespace
}  // namespace heddle::workload::dct8x8_host
