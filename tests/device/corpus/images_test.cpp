// Kernels on images: filters, transforms, compression, motion, fractals and rays.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numbers>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

template <class T>
std::vector<T> noise(Random& random, int count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = static_cast<T>(random.word());
  return values;
}

TEST(CorpusImages, SobelFindsEdges) {
  constexpr int kWidth = 50, kHeight = 20;
  Random random(30);
  Program program("kernels/image_filters");
  const auto source = noise<std::uint8_t>(random, kWidth * kHeight);
  const auto output = program.zeros<std::uint8_t>(source.size());
  program.launch("sobel", {{4, 3}, {16, 8}}, program.upload(source), output, kWidth, kHeight, 0.5f);
  constexpr int kSmooth[] = {1, 2, 1}, kSlope[] = {-1, 0, 1};
  std::vector<std::uint8_t> expected(source.size());
  for (int y = 1; y < kHeight - 1; ++y)
    for (int x = 1; x < kWidth - 1; ++x) {
      int horizontal = 0, vertical = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int pixel = source[(y + dy) * kWidth + x + dx];
          horizontal += kSlope[dx + 1] * kSmooth[dy + 1] * pixel;
          vertical += kSlope[dy + 1] * kSmooth[dx + 1] * pixel;
        }
      expected[y * kWidth + x] =
          static_cast<std::uint8_t>(std::min((std::abs(horizontal) + std::abs(vertical)) / 2, 255));
    }
  expect_equal(output.download(), expected);
}

TEST(CorpusImages, BoxFilterKeepsARunningMean) {
  constexpr int kWidth = 60, kHeight = 10, kRadius = 7;
  Random random(31);
  Program program("kernels/image_filters");
  const auto source = random.singles(kWidth * kHeight, 0, 1);
  const auto output = program.zeros<float>(source.size());
  program.launch("box_filter_rows", {{1}, {32}}, program.upload(source), output, kWidth, kHeight,
                 kRadius);
  std::vector<double> expected;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      double sum = 0;
      for (int d = -kRadius; d <= kRadius; ++d)
        sum += source[y * kWidth + std::clamp(x + d, 0, kWidth - 1)];
      expected.push_back(sum / (2 * kRadius + 1));
    }
  expect_close(output.download(), expected, 1e-5, 1e-5);
}

TEST(CorpusImages, BilateralFilterWeighsByDistanceAndColour) {
  constexpr int kWidth = 30, kHeight = 18, kRadius = 2;
  constexpr double kSpace = 0.08, kColour = 0.0002;
  Random random(32);
  Program program("kernels/image_filters");
  const auto source = noise<std::uint8_t>(random, kWidth * kHeight * 4);
  const auto output = program.zeros<std::uint8_t>(source.size());
  program.launch("bilateral", {{2, 3}, {16, 8}}, program.upload(source), output, kWidth, kHeight,
                 kRadius, float(kSpace), float(kColour));
  const auto actual = output.download();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto* centre = &source[(y * kWidth + x) * 4];
      double sum[3] = {}, total = 0;
      for (int dy = -kRadius; dy <= kRadius; ++dy)
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
          const auto* pixel = &source[(std::clamp(y + dy, 0, kHeight - 1) * kWidth +
                                       std::clamp(x + dx, 0, kWidth - 1)) *
                                      4];
          double difference = 0;
          for (int c = 0; c < 3; ++c) difference += std::pow(pixel[c] - centre[c], 2);
          const double weight = std::exp(-(dx * dx + dy * dy) * kSpace - difference * kColour);
          for (int c = 0; c < 3; ++c) sum[c] += weight * pixel[c];
          total += weight;
        }
      const auto* got = &actual[(y * kWidth + x) * 4];
      for (int c = 0; c < 3; ++c) ASSERT_NEAR(got[c], sum[c] / total, 0.501) << x << ' ' << y;
      ASSERT_EQ(got[3], centre[3]);
    }
}

TEST(CorpusImages, MedianIsTheFifthOfNine) {
  constexpr int kWidth = 33, kHeight = 19;
  Random random(33);
  Program program("kernels/image_filters");
  const auto source = noise<std::uint16_t>(random, kWidth * kHeight);
  const auto output = program.zeros<std::uint16_t>(source.size());
  program.launch("median3x3", {{2, 3}, {16, 8}}, program.upload(source), output, kWidth, kHeight);
  std::vector<std::uint16_t> expected(source.size());
  for (int y = 1; y < kHeight - 1; ++y)
    for (int x = 1; x < kWidth - 1; ++x) {
      std::vector<std::uint16_t> window;
      for (int i = 0; i < 9; ++i)
        window.push_back(source[(y + i / 3 - 1) * kWidth + x + i % 3 - 1]);
      std::nth_element(window.begin(), window.begin() + 4, window.end());
      expected[y * kWidth + x] = window[4];
    }
  expect_equal(output.download(), expected);
}

TEST(CorpusImages, CosineTransformAgreesWithItsDefinition) {
  constexpr int kSize = 64;
  Random random(34);
  Program program("kernels/dct8x8");
  const auto source = random.singles(kSize * kSize, -1, 1);
  const auto output = program.zeros<float>(source.size());
  program.launch("dct8x8", {{2, 2}, {8, 4, 4}}, program.upload(source), output, kSize);
  std::vector<double> basis(64);
  for (int k = 0; k < 8; ++k)
    for (int n = 0; n < 8; ++n)
      basis[k * 8 + n] =
          std::sqrt(k == 0 ? 0.125 : 0.25) * std::cos(std::numbers::pi * (2 * n + 1) * k / 16);
  std::vector<double> expected(source.size());
  for (int at = 0; at < kSize * kSize; ++at) {
    const int row = at / kSize, column = at % kSize;
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        expected[at] += basis[row % 8 * 8 + y] * basis[column % 8 * 8 + x] *
                        source[(row / 8 * 8 + y) * kSize + column / 8 * 8 + x];
  }
  expect_close(output.download(), expected, 1e-5, 1e-5);
}

TEST(CorpusImages, Dxt1EndPointsBoundTheColoursAndIndicesAreTheNearest) {
  constexpr int kBlocks = 13;
  Random random(35);
  Program program("kernels/dxt_compress");
  auto pixels = noise<std::uint8_t>(random, kBlocks * 64);
  for (int i = 0; i < 64; ++i)
    pixels[64 * 5 + i] = pixels[64 * 5 + i % 4];  // Block 5 has one colour.
  const auto output = program.zeros<std::uint32_t>(2 * kBlocks);
  program.launch("dxt1_compress", {{4}, {64}}, program.upload(pixels), output, kBlocks);
  const auto actual = output.download();
  using Colour = std::array<int, 3>;
  auto expand = [](std::uint32_t c) {
    const int r = c >> 11, g = c >> 5 & 63, b = c & 31;
    return Colour{r * 8 + r / 4, g * 4 + g / 16, b * 8 + b / 4};
  };
  for (int block = 0; block < kBlocks; ++block) {
    int low[3], high[3];
    for (int c = 0; c < 3; ++c) {
      low[c] = 255, high[c] = 0;
      for (int i = 0; i < 16; ++i) {
        low[c] = std::min<int>(low[c], pixels[block * 64 + i * 4 + c]);
        high[c] = std::max<int>(high[c], pixels[block * 64 + i * 4 + c]);
      }
    }
    auto pack = [](const int* c) {
      auto scaled = [](int value, int top) {
        return static_cast<std::uint32_t>(std::lround(value * top / 255.0));
      };
      return scaled(c[0], 31) << 11 | scaled(c[1], 63) << 5 | scaled(c[2], 31);
    };
    const std::uint32_t c0 = std::max(pack(high), pack(low)), c1 = std::min(pack(high), pack(low));
    ASSERT_EQ(actual[2 * block], c1 << 16 | c0) << "block " << block;
    std::array<Colour, 4> palette = {expand(c0), expand(c1)};
    for (int c = 0; c < 3; ++c) {
      palette[2][c] = (2 * palette[0][c] + palette[1][c]) / 3;
      palette[3][c] = (palette[0][c] + 2 * palette[1][c]) / 3;
    }
    for (int i = 0; i < 16; ++i) {
      auto error = [&](int entry) {
        int sum = 0;
        for (int c = 0; c < 3; ++c) {
          const int d = pixels[block * 64 + i * 4 + c] - palette[entry][c];
          sum += d * d;
        }
        return sum;
      };
      int best = 0;
      for (int entry = 1; entry < 4; ++entry)
        if (error(entry) < error(best)) best = entry;
      if (c0 == c1) best = 0;
      ASSERT_EQ(actual[2 * block + 1] >> (2 * i) & 3, best) << "block " << block << " pixel " << i;
    }
  }
}

TEST(CorpusImages, MotionSearchFindsTheShiftOfAFrame) {
  constexpr int kWidth = 64, kHeight = 48, kRange = 4;
  Random random(36);
  Program program("kernels/motion");
  const auto reference = noise<std::uint8_t>(random, kWidth * kHeight);
  std::vector<std::uint8_t> current(reference.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      current[y * kWidth + x] =
          reference[std::min(y + 2, kHeight - 1) * kWidth + std::max(x - 3, 0)] ^ (x % 16 == 1);
  const auto vectors = program.zeros<int>(2 * 12), costs = program.zeros<int>(12);
  program.launch("motion_search", {{4, 3}, {64}}, program.upload(current),
                 program.upload(reference), kWidth, kHeight, kRange, vectors, costs);
  std::vector<int> expected_vectors, expected_costs;
  for (int by = 0; by < kHeight; by += 16)
    for (int bx = 0; bx < kWidth; bx += 16) {
      int best = 1 << 30, best_x = 0, best_y = 0;
      for (int dy = -kRange; dy <= kRange; ++dy)
        for (int dx = -kRange; dx <= kRange; ++dx) {
          if (bx + dx < 0 || by + dy < 0 || bx + dx + 16 > kWidth || by + dy + 16 > kHeight)
            continue;
          int cost = 0;
          for (int i = 0; i < 256; ++i)
            cost += std::abs(current[(by + i / 16) * kWidth + bx + i % 16] -
                             reference[(by + dy + i / 16) * kWidth + bx + dx + i % 16]);
          if (cost < best) best = cost, best_x = dx, best_y = dy;
        }
      expected_vectors.insert(expected_vectors.end(), {best_x, best_y});
      expected_costs.push_back(best);
    }
  EXPECT_EQ(expected_vectors[2 * 5], -3);
  EXPECT_EQ(expected_vectors[2 * 5 + 1], 2);
  expect_equal(vectors.download(), expected_vectors);
  expect_equal(costs.download(), expected_costs);
}

TEST(CorpusImages, PackedDifferencesSumBytes) {
  constexpr int kCount = 50, kWords = 6;
  Random random(37);
  Program program("kernels/motion");
  const auto a = random.words(kCount * kWords), b = random.words(kCount * kWords);
  const auto sums = program.zeros<std::uint32_t>(kCount);
  program.launch("packed_differences", {{1}, {64}}, program.upload(a), program.upload(b), sums,
                 kWords, kCount);
  std::vector<std::uint32_t> expected(kCount);
  for (int i = 0; i < kCount * kWords * 4; ++i) {
    const int word = i / 4, shift = i % 4 * 8;
    expected[word % kCount] += static_cast<std::uint32_t>(
        std::abs(int(a[word] >> shift & 0xff) - int(b[word] >> shift & 0xff)));
  }
  expect_equal(sums.download(), expected);
}

/// The number of iterations until the point leaves the circle of radius 2, at most `limit`.
template <class T>
int escape_time(T cx, T cy, int limit) {
  T x = 0, y = 0;
  int iteration = 0;
  for (; iteration < limit && x * x + y * y < T(4); ++iteration) {
    const T next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  return iteration;
}

TEST(CorpusImages, MandelbrotIsRightAlmostEverywhere) {
  constexpr int kWidth = 40, kHeight = 24, kLimit = 100;
  Program program("kernels/mandelbrot");
  const auto image = program.zeros<int>(kWidth * kHeight);
  for (const bool wide : {false, true}) {
    if (wide)
      program.launch("mandelbrot_double", {{5, 3}, {8, 8}}, image, kWidth, kHeight, -2.0, -1.2,
                     0.0777, kLimit);
    else
      program.launch("mandelbrot_float", {{5, 3}, {8, 8}}, image, kWidth, kHeight, -2.0f, -1.2f,
                     0.0777f, kLimit);
    const auto actual = image.download();
    // The kernel fuses multiplications and additions, which changes some points at the border of
    // the set. All other points are exact.
    int different = 0, inside = 0;
    for (int i = 0; i < kWidth * kHeight; ++i) {
      const int expected =
          escape_time(-2.0 + i % kWidth * 0.0777, -1.2 + i / kWidth * 0.0777, kLimit);
      different += actual[i] != expected;
      inside += expected == kLimit;
      if (expected < 12) {
        ASSERT_NEAR(actual[i], expected, 1) << i;
      }
    }
    EXPECT_LE(different, wide ? 4 : 12);
    EXPECT_GT(inside, 100);
  }
}

struct Vector {
  double x, y, z;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator*(Vector a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector unit(Vector a) { return a * (1 / std::sqrt(dot(a, a))); }

TEST(CorpusImages, RaysBounceBetweenSpheres) {
  constexpr int kWidth = 32, kHeight = 20, kSpheres = 6, kBounces = 3;
  Random random(38);
  Program program("kernels/ray_tracing");
  struct Sphere {
    float centre[3], radius, colour[3], mirror;
  };
  std::vector<Sphere> spheres;
  for (int i = 0; i < kSpheres; ++i)
    spheres.push_back({{random.single(-1.5, 1.5), random.single(-1, 1), random.single(0, 2)},
                       random.single(0.3, 0.7),
                       {random.single(0, 1), random.single(0, 1), random.single(0, 1)},
                       i % 2 ? 0.8f : 0.0f});
  const std::array<float, 3> light = {3, 5, -5};
  const auto image = program.zeros<float>(3 * kWidth * kHeight);
  program.launch("ray_trace", {{4, 5}, {8, 4}}, program.upload(spheres), kSpheres, image, kWidth,
                 kHeight, light, kBounces);
  const auto actual = image.download();
  int different = 0;
  for (int pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    Vector origin = {0, 0, -4}, colour = {0, 0, 0};
    Vector direction = unit(
        {(pixel % kWidth + 0.5) / kWidth * 2 - 1, (pixel / kWidth + 0.5) / kHeight * 2 - 1, 1.5});
    double weight = 1;
    for (int bounce = 0; bounce <= kBounces; ++bounce) {
      double nearest = 1e30;
      const Sphere* hit = nullptr;
      for (const Sphere& sphere : spheres) {
        const Vector centre = {sphere.centre[0], sphere.centre[1], sphere.centre[2]};
        const Vector away = origin + centre * -1;
        const double b = dot(away, direction);
        const double under =
            b * b - dot(away, away) + double(sphere.radius) * double(sphere.radius);
        if (under < 0) continue;
        for (const double distance : {-b - std::sqrt(under), -b + std::sqrt(under)})
          if (distance >= 1e-3) {
            if (distance < nearest) nearest = distance, hit = &sphere;
            break;
          }
      }
      if (hit == nullptr) {
        colour = colour + Vector{0.5, 0.7, 1.0} * (0.5 * (direction.y + 1) * weight);
        break;
      }
      const Vector point = origin + direction * nearest;
      const Vector normal = unit(point + Vector{-hit->centre[0], -hit->centre[1], -hit->centre[2]});
      const double diffuse = std::max(dot(normal, unit(Vector{3, 5, -5} + point * -1)), 0.1);
      const double share = diffuse * weight * (1 - double(hit->mirror));
      colour = colour + Vector{hit->colour[0], hit->colour[1], hit->colour[2]} * share;
      weight *= hit->mirror;
      if (weight < 0.01) break;
      direction = direction + normal * (-2 * dot(direction, normal));
      origin = point;
    }
    const double error = std::max({std::fabs(actual[3 * pixel] - colour.x),
                                   std::fabs(actual[3 * pixel + 1] - colour.y),
                                   std::fabs(actual[3 * pixel + 2] - colour.z)});
    different += !(error < 2e-3);
  }
  // Rays that graze an edge may miss or hit it in single precision.
  EXPECT_LE(different, 6);
}

}  // namespace
}  // namespace heddle::corpus
