// Kernels that read textures, and the program that reads and writes surfaces.

#include <algorithm>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

using exec::AddressMode;
using exec::ArrayResource;
using exec::ArrayShape;
using exec::ArrayStorage;
using exec::ChannelFormat;
using exec::ChannelKind;
using exec::FilterMode;
using exec::SamplerDescription;

/// Writes all texels of an array.
template <class T>
void fill(ArrayStorage& array, const std::vector<T>& texels) {
  const auto bytes = std::as_bytes(std::span<const T>(texels));
  const std::size_t row = array.row_bytes();
  const std::uint32_t height = std::max(array.shape().height, 1u);
  for (std::uint32_t slice = 0; slice < array.slices(); ++slice)
    for (std::uint32_t y = 0; y < height; ++y)
      array.write_row(bytes.subspan((slice * height + y) * row, row), 0, y, slice);
}

TEST(CorpusTextures, RotationFiltersBilinearly) {
  constexpr int kWidth = 24, kHeight = 16;
  Random random(100);
  Program program("kernels/textures");
  ArrayStorage array(program.device().memory(), {.width = kWidth, .height = kHeight},
                     {ChannelKind::floating, 32, 1});
  const auto image = random.singles(kWidth * kHeight, 0, 1);
  fill(array, image);
  SamplerDescription sampler;
  sampler.filter = FilterMode::linear;
  const auto texture = program.device().textures().create_texture(ArrayResource{&array}, sampler);
  const auto output = program.zeros<float>(image.size());
  constexpr float kCosine = 0.8f, kSine = 0.6f;
  program.launch("rotate_image", {{3, 4}, {8, 4}}, texture, output, kWidth, kHeight, kCosine,
                 kSine);
  std::vector<double> expected;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const double u = x - kWidth / 2.0, v = y - kHeight / 2.0;
      const double column = u * 0.8 - v * 0.6 + kWidth / 2.0,
                   row = v * 0.8 + u * 0.6 + kHeight / 2.0;
      const double fx = column - std::floor(column), fy = row - std::floor(row);
      auto at = [&](int dx, int dy) {
        return double(image[std::clamp(int(std::floor(row)) + dy, 0, kHeight - 1) * kWidth +
                            std::clamp(int(std::floor(column)) + dx, 0, kWidth - 1)]);
      };
      expected.push_back((1 - fy) * ((1 - fx) * at(0, 0) + fx * at(1, 0)) +
                         fy * ((1 - fx) * at(0, 1) + fx * at(1, 1)));
    }
  // Filter weights have eight fractional bits.
  expect_close(output.download(), expected, 0, 1.0 / 128);
}

TEST(CorpusTextures, BicubicScalingReadsBytesAsFractions) {
  constexpr int kWidth = 20, kHeight = 14, kOutWidth = 33, kOutHeight = 18;
  constexpr float kScale = 0.625f;
  Random random(101);
  Program program("kernels/textures");
  ArrayStorage array(program.device().memory(), {.width = kWidth, .height = kHeight},
                     {ChannelKind::unsigned_integer, 8, 1});
  std::vector<std::uint8_t> image(kWidth * kHeight);
  for (auto& pixel : image) pixel = static_cast<std::uint8_t>(random.word());
  fill(array, image);
  SamplerDescription sampler;
  sampler.normalized_float = true;
  const auto texture = program.device().textures().create_texture(ArrayResource{&array}, sampler);
  const auto output = program.zeros<std::uint8_t>(4 * kOutWidth * kOutHeight);
  program.launch("bicubic", {{5, 5}, {8, 4}}, texture, output, kOutWidth, kOutHeight, kScale);
  const auto actual = output.download();
  auto spline = [](double t) {  // The cubic B-spline at distance t.
    t = std::fabs(t);
    if (t >= 2) return 0.0;
    return t >= 1 ? std::pow(2 - t, 3) / 6 : 2.0 / 3 - t * t + t * t * t / 2;
  };
  for (int y = 0; y < kOutHeight; ++y)
    for (int x = 0; x < kOutWidth; ++x) {
      const double u = x * double(kScale), v = y * double(kScale);
      double sum = 0;
      for (int row = int(v) - 2; row <= int(v) + 3; ++row)
        for (int column = int(u) - 2; column <= int(u) + 3; ++column)
          sum +=
              spline(u - column) * spline(v - row) *
              image[std::clamp(row, 0, kHeight - 1) * kWidth + std::clamp(column, 0, kWidth - 1)];
      const auto* pixel = &actual[4 * (y * kOutWidth + x)];
      ASSERT_NEAR(pixel[0], sum, 0.51) << x << ' ' << y;
      ASSERT_EQ(pixel[3], 255);
    }
}

TEST(CorpusTextures, VolumesAreMarchedThroughATransferFunction) {
  constexpr int kSide = 8, kColours = 5, kWidth = 12, kHeight = 10, kSteps = 20;
  Random random(102);
  Program program("kernels/textures");
  ArrayStorage volume(program.device().memory(), {.width = kSide, .height = kSide, .depth = kSide},
                      {ChannelKind::floating, 32, 1});
  const auto samples = random.singles(kSide * kSide * kSide, 0, 1);
  fill(volume, samples);
  ArrayStorage table(program.device().memory(), {.width = kColours},
                     {ChannelKind::floating, 32, 4});
  const auto colours = random.singles(4 * kColours, 0, 1);
  fill(table, colours);
  SamplerDescription sampler;
  sampler.filter = FilterMode::linear;
  sampler.normalized_coordinates = true;
  const auto volume_texture =
      program.device().textures().create_texture(ArrayResource{&volume}, sampler);
  const auto colour_texture =
      program.device().textures().create_texture(ArrayResource{&table}, sampler);
  const auto image = program.zeros<float>(4 * kWidth * kHeight);
  program.launch("march_volume", {{2, 3}, {8, 4}}, volume_texture, colour_texture, image, kWidth,
                 kHeight, kSteps, 0.1f);
  auto split = [](double position, int size, int& low, int& high) {
    const double at = position * size - 0.5, below = std::floor(at);
    low = std::clamp(int(below), 0, size - 1);
    high = std::clamp(int(below) + 1, 0, size - 1);
    return at - below;
  };
  std::vector<double> expected;
  for (int pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    double sum[4] = {};
    for (int step = 0; step < kSteps && sum[3] < 0.95; ++step) {
      int x[2], y[2], z[2], c[2];
      const double fx = split((pixel % kWidth + 0.5) / kWidth, kSide, x[0], x[1]);
      const double fy = split((pixel / kWidth + 0.5) / kHeight, kSide, y[0], y[1]);
      const double fz = split((step + 0.5) / kSteps, kSide, z[0], z[1]);
      double sample = 0;
      for (int corner = 0; corner < 8; ++corner) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        sample += (i ? fx : 1 - fx) * (j ? fy : 1 - fy) * (k ? fz : 1 - fz) *
                  double(samples[(z[k] * kSide + y[j]) * kSide + x[i]]);
      }
      const double fc = split(sample, kColours, c[0], c[1]);
      double colour[4];
      for (int channel = 0; channel < 4; ++channel)
        colour[channel] = (1 - fc) * double(colours[4 * c[0] + channel]) +
                          fc * double(colours[4 * c[1] + channel]);
      const double alpha = colour[3] * 0.1 * (1 - sum[3]);
      for (int channel = 0; channel < 3; ++channel) sum[channel] += colour[channel] * alpha;
      sum[3] += alpha;
    }
    expected.insert(expected.end(), sum, sum + 4);
  }
  expect_close(image.download(), expected, 0, 0.02);
}

TEST(CorpusTextures, SurfacesAreReadWithBoundsAndWritten) {
  constexpr int kWidth = 20, kHeight = 9;
  for (const char* path :
       {"language/surfaces", "language/variants/surfaces.O0", "language/variants/surfaces.sm90"}) {
    SCOPED_TRACE(path);
    Random random(103);
    Program program(path);
    const ArrayShape shape = {.width = kWidth, .height = kHeight};
    const ChannelFormat format = {ChannelKind::unsigned_integer, 32, 1};
    ArrayStorage source(program.device().memory(), shape, format);
    ArrayStorage target(program.device().memory(), shape, format);
    const auto texels = random.words(kWidth * kHeight);
    fill(source, texels);
    auto& unit = program.device().textures();
    const auto output = program.zeros<std::uint32_t>(2 * kWidth * kHeight);
    program.launch("program", {{3, 3}, {8, 4}}, unit.create_surface(source),
                   unit.create_surface(target), output, kWidth, kHeight);
    std::vector<std::uint32_t> expected;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        expected.push_back(texels[std::max(y - 1, 0) * kWidth + std::min(x + 3, kWidth - 1)]);
        expected.push_back(x >= 2 && y < kHeight - 1 ? texels[(y + 1) * kWidth + x - 2] : 0);
      }
    expect_equal(output.download(), expected);
    for (int y = 0; y < kHeight; ++y) {
      std::vector<std::uint32_t> row(kWidth), mirrored(kWidth);
      target.read_row(std::as_writable_bytes(std::span(row)), 0, y);
      for (int x = 0; x < kWidth; ++x) mirrored[kWidth - 1 - x] = texels[y * kWidth + x] * 3;
      expect_equal(row, mirrored);
    }
  }
}

}  // namespace
}  // namespace heddle::corpus
