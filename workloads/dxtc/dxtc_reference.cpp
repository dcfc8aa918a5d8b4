#include "dxtc_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heddle::workload::dxtc {
namespace {

constexpr double kRounding = 0x1p-24;

using Vector = std::array<std::int64_t, 3>;

constexpr int kCodeBits[3] = {5, 6, 5};

int decode_channel(int code, int bits) { return (code << (8 - bits)) | (code >> (2 * bits - 8)); }

Levels decode_colour(std::uint32_t code) {
  return {decode_channel(static_cast<int>(code >> 11 & 31), 5),
          decode_channel(static_cast<int>(code >> 5 & 63), 6),
          decode_channel(static_cast<int>(code & 31), 5)};
}

/// Halves all values, rounding down, until the largest has at most kAxisBits bits.
template <class Values>
void limit(Values& values, std::int64_t largest) {
  for (; largest >= std::int64_t{1} << kAxisBits; largest /= 2) {
    for (std::int64_t& value : values) {
      value = (value - (value % 2 != 0 && value < 0 ? 1 : 0)) / 2;
    }
  }
}

/// The principal axis by the kernel's algorithm: integers, kPowerSteps steps, starting from the row
/// of the channel with the greatest variance.
Vector principal_axis(const Tile& tile) {
  std::array<std::int64_t, 9> covariance{};
  Vector sum{};
  for (const Levels& levels : tile) {
    for (std::size_t i = 0; i < 3; ++i) sum[i] += levels[i];
  }
  // From 16 times the deviations, divided by 16: the same number as 16 sum(xy) - sum(x) sum(y).
  for (const Levels& levels : tile) {
    for (std::size_t i = 0; i < 9; ++i) {
      const std::size_t row = i / 3, column = i % 3;
      covariance[i] +=
          (kPixels * levels[row] - sum[row]) * (kPixels * levels[column] - sum[column]);
    }
  }
  for (std::int64_t& value : covariance) value /= kPixels;

  const std::array diagonal{covariance[0], covariance[4], covariance[8]};
  const auto largest = std::max_element(diagonal.begin(), diagonal.end());
  const auto row = static_cast<std::size_t>(largest - diagonal.begin());
  limit(covariance, *largest);
  Vector axis{covariance[3 * row], covariance[3 * row + 1], covariance[3 * row + 2]};
  for (int step = 0; step < kPowerSteps; ++step) {
    Vector next{};
    std::int64_t most = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) next[i] += covariance[3 * i + j] * axis[j];
      most = std::max(most, std::abs(next[i]));
    }
    limit(next, most);
    axis = next;
  }
  return axis;
}

/// The pixels' indices in the order of their colours along the axis.
std::array<std::size_t, kPixels> order_along_axis(const Tile& tile) {
  const Vector axis = principal_axis(tile);
  const auto along = [&](std::size_t pixel) {
    const Levels& levels = tile[pixel];
    return axis[0] * levels[0] + axis[1] * levels[1] + axis[2] * levels[2];
  };
  std::array<std::size_t, kPixels> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return along(one) < along(other); });
  return order;
}

/// The possible codes of a level: one, or two if floats cannot decide.
struct Codes {
  int count = 0;
  std::array<int, 2> decoded{};
};

Codes codes_of(double level, double uncertainty, int bits) {
  const double scale = ((1 << bits) - 1) / 255.0;
  const auto code_at = [&](double value) {
    return decode_channel(static_cast<int>(std::floor(std::clamp(value, 0.0, 255.0) * scale + 0.5)),
                          bits);
  };
  const int low = code_at(level - uncertainty), high = code_at(level + uncertainty);
  return {low == high ? 1 : 2, {low, high}};
}

/// Prefix sums of one channel of the sorted colours.
struct Prefix {
  std::array<double, kPixels + 1> sum{}, squares{};
};

/// Cluster k consists of the colours from cuts[k] up to, but not including, cuts[k + 1].
using Cuts = std::array<std::size_t, 5>;

/// The squared error of one channel for the given end colours, cluster by cluster.
double channel_error(const Prefix& prefix, const Cuts& cuts, double a, double b) {
  double error = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double count = static_cast<double>(cuts[k + 1] - cuts[k]);
    const double value = (static_cast<double>(3 - k) * a + static_cast<double>(k) * b) / 3;
    error += prefix.squares[cuts[k + 1]] - prefix.squares[cuts[k]] -
             2 * value * (prefix.sum[cuts[k + 1]] - prefix.sum[cuts[k]]) + count * value * value;
  }
  return error;
}

/// The least and the greatest squared error of one channel over the codes that floats may choose,
/// and the end colours that have the least.
struct ChannelFit {
  double low = 0, high = 0;
  int a = 0, b = 0;
};

/// Fits one channel by least squares and rounds to the nearest codes.
ChannelFit fit_channel(const Prefix& prefix, const Cuts& cuts, int bits) {
  double aa = 0, bb = 0, ab = 0, ax = 0, bx = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double count = static_cast<double>(cuts[k + 1] - cuts[k]);
    const double sum = prefix.sum[cuts[k + 1]] - prefix.sum[cuts[k]];
    const double beta = static_cast<double>(k) / 3, alpha = 1 - beta;
    aa += count * alpha * alpha;
    bb += count * beta * beta;
    ab += count * alpha * beta;
    ax += alpha * sum;
    bx += beta * sum;
  }
  const double determinant = aa * bb - ab * ab;
  const double mean = prefix.sum[kPixels] / kPixels;
  double a = mean, b = mean;
  // The determinant is in ninths of integers: if it is not 0, it is at least 1/81.
  if (determinant > 1e-3) {
    a = (bb * ax - ab * bx) / determinant;
    b = (aa * bx - ab * ax) / determinant;
  }
  // The kernel computes distances from the mean with three roundings. Then it adds the mean, scales
  // (one rounding, and another of the factor) and adds 0.5.
  const auto uncertainty = [&](double end) {
    return kRounding * (3 * std::abs(end - mean) + 4 * 256);
  };
  const Codes a_codes = codes_of(a, uncertainty(a), bits);
  const Codes b_codes = codes_of(b, uncertainty(b), bits);
  ChannelFit fit{std::numeric_limits<double>::max(), 0};
  for (int i = 0; i < a_codes.count * b_codes.count; ++i) {
    const int a_end = a_codes.decoded[static_cast<std::size_t>(i % a_codes.count)];
    const int b_end = b_codes.decoded[static_cast<std::size_t>(i / a_codes.count)];
    const double error = channel_error(prefix, cuts, a_end, b_end);
    fit.high = std::max(fit.high, error);
    if (error < fit.low) {
      fit.low = error;
      fit.a = a_end;
      fit.b = b_end;
    }
  }
  return fit;
}

}  // namespace

bool is_well_formed(const Block& block) {
  const std::uint32_t first = block.ends & 0xffff, second = block.ends >> 16;
  return first > second || (first == second && block.indices == 0);
}

Fit decode(const Block& block) {
  Fit fit{decode_colour(block.ends & 0xffff), decode_colour(block.ends >> 16), {}};
  constexpr int kClusterOfIndex[] = {0, 3, 1, 2};
  for (std::size_t i = 0; i < kPixels; ++i) {
    fit.cluster[i] = kClusterOfIndex[block.indices >> 2 * i & 3];
  }
  return fit;
}

Levels colour_of(const Fit& fit, std::size_t pixel) {
  Levels levels{};
  const int k = fit.cluster[pixel];
  for (std::size_t c = 0; c < 3; ++c) levels[c] = ((3 - k) * fit.a[c] + k * fit.b[c]) / 3;
  return levels;
}

double squared_error(const Fit& fit, const Tile& tile) {
  std::int64_t ninths = 0;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const int k = fit.cluster[i];
    for (std::size_t c = 0; c < 3; ++c) {
      const int thirds = (3 - k) * fit.a[c] + k * fit.b[c] - 3 * tile[i][c];
      ninths += thirds * thirds;
    }
  }
  return static_cast<double>(ninths) / 9;
}

double magnitude(const Fit& fit, const Tile& tile) {
  std::array<double, 3> mean{};
  for (const Levels& levels : tile) {
    for (std::size_t c = 0; c < 3; ++c) mean[c] += levels[c] / static_cast<double>(kPixels);
  }
  double sum = 0;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const double beta = fit.cluster[i] / 3.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double mixed =
          (1 - beta) * std::abs(fit.a[c] - mean[c]) + beta * std::abs(fit.b[c] - mean[c]);
      sum += mixed * (mixed + 2 * std::abs(tile[i][c] - mean[c]));
    }
  }
  return sum;
}

Optimum best_fit(const Tile& tile) {
  const std::array<std::size_t, kPixels> order = order_along_axis(tile);
  std::array<Prefix, 3> prefix;
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < kPixels; ++i) {
      const double level = tile[order[i]][c];
      prefix[c].sum[i + 1] = prefix[c].sum[i] + level;
      prefix[c].squares[i + 1] = prefix[c].squares[i] + level * level;
    }
  }
  Optimum best{std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), {}};
  Cuts cuts{0, 0, 0, 0, kPixels};
  for (cuts[1] = 0; cuts[1] <= kPixels; ++cuts[1]) {
    for (cuts[2] = cuts[1]; cuts[2] <= kPixels; ++cuts[2]) {
      for (cuts[3] = cuts[2]; cuts[3] <= kPixels; ++cuts[3]) {
        double low = 0, high = 0;
        Fit fit;
        for (std::size_t c = 0; c < 3; ++c) {
          const ChannelFit channel = fit_channel(prefix[c], cuts, kCodeBits[c]);
          low += channel.low;
          high += channel.high;
          fit.a[c] = channel.a;
          fit.b[c] = channel.b;
        }
        best.high = std::min(best.high, high);
        if (low >= best.low) continue;
        best.low = low;
        for (std::size_t k = 0; k < 4; ++k) {
          for (std::size_t i = cuts[k]; i < cuts[k + 1]; ++i) {
            fit.cluster[order[i]] = static_cast<int>(k);
          }
        }
        best.fit = fit;
      }
    }
  }
  return best;
}

}  // namespace heddle::workload::dxtc
