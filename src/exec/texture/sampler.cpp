#include "exec/texture/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::exec {
namespace {

/// The largest integer not above `value`, after `value` has been clamped to [-2^52, 2^52]. NaN
/// gives 0.
std::int64_t floor_of(double value) {
  constexpr double kLimit = 0x1p52;
  if (std::isnan(value)) return 0;
  // std::floor would be slower: it is a library call on processors without a rounding instruction.
  const double clamped = std::clamp(value, -kLimit, kLimit);
  const auto towards_zero = static_cast<std::int64_t>(clamped);
  return towards_zero - (static_cast<double>(towards_zero) > clamped ? 1 : 0);
}

/// The fractional part of `value` in units of 1/256, rounded to nearest: 0 to 256 inclusive.
int fraction_of(double value) {
  if (!(std::fabs(value) < 0x1p52)) return 0;
  return static_cast<int>(std::floor((value - std::floor(value)) * 256 + 0.5));
}

/// The remainder of a division that rounds down; it is never negative.
std::int64_t modulo(std::int64_t value, std::int64_t divisor) {
  const std::int64_t remainder = value % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

/// The binary logarithm, truncated to 16 fractional bits. It is computed bit by bit, so that every
/// host gives the same result. `value` is positive and finite.
double log2_of(double value) {
  int exponent = 0;
  double significand = std::frexp(value, &exponent) * 2;  // [1, 2)
  double result = exponent - 1;
  for (double digit = 0.5; digit >= 0x1p-16; digit /= 2) {
    significand *= significand;
    if (significand >= 2) {
      significand /= 2;
      result += digit;
    }
  }
  return result;
}

}  // namespace

std::uint32_t integer_border(ChannelKind kind, float value) {
  if (std::isnan(value)) return 0;
  if (kind == ChannelKind::unsigned_integer) {
    return static_cast<std::uint32_t>(std::clamp(static_cast<double>(value), 0.0, 4294967295.0));
  }
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(
      std::clamp(static_cast<double>(value), -2147483648.0, 2147483647.0)));
}

AddressMode effective_mode(AddressMode mode, const Image& image,
                           const SamplerDescription& sampler) {
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  if (image.cube || (repeats && !sampler.normalized_coordinates)) return AddressMode::clamp;
  return mode;
}

double Sampler::scaled(float coordinate, std::uint32_t extent) const {
  const double value = std::isnan(coordinate) ? 0 : static_cast<double>(coordinate);
  if (!description_.normalized_coordinates && !image_.cube) return value;
  return normalized_place(value, extent);
}

std::int64_t Sampler::texel_of(std::int64_t index, std::uint32_t extent,
                               std::size_t dimension) const {
  const std::int64_t size = extent;
  switch (effective_mode(description_.address_modes[dimension], image_, description_)) {
    case AddressMode::wrap:
      return modulo(index, size);
    case AddressMode::mirror: {
      const std::int64_t place = modulo(index, 2 * size);
      return place < size ? place : 2 * size - 1 - place;
    }
    case AddressMode::clamp:
      return std::clamp<std::int64_t>(index, 0, size - 1);
    case AddressMode::border:
      return index < 0 ? ~std::int64_t{0} : index >= size ? ~(size - 1) : index;
  }
  return 0;
}

Sampler::Span Sampler::span_of(float coordinate, std::uint32_t extent,
                               std::size_t dimension) const {
  const double place = scaled(coordinate, extent) - 0.5;
  const std::int64_t first = floor_of(place);
  return {texel_of(first, extent, dimension), texel_of(first + 1, extent, dimension),
          fraction_of(place)};
}

std::array<std::uint32_t, 3> Sampler::extents(const ImageLevel& level) const {
  return {level.width, level.height, level.depth};
}

Sampler::Index Sampler::point_of(const TexturePlace<float>& place, const ImageLevel& level) const {
  Index index{};
  const std::array<std::uint32_t, 3> extent = extents(level);
  for (std::size_t d = 0; d < static_cast<std::size_t>(image_.dimensions); ++d) {
    index[d] = texel_of(floor_of(scaled(place.at[d], extent[d])), extent[d], d);
  }
  return index;
}

std::uint64_t Sampler::address_of(const ImageLevel& level, const Index& index,
                                  std::uint32_t layer) const {
  const auto nearest_inside = [&](std::size_t d) {
    return static_cast<std::uint32_t>(index[d] < 0 ? ~index[d] : index[d]);
  };
  const std::uint32_t y = image_.dimensions > 1 ? nearest_inside(1) : 0;
  const std::uint32_t slice = image_.dimensions > 2 ? nearest_inside(2) : layer;
  return level.texel_address(nearest_inside(0), y, slice, image_.format.texel_bytes());
}

const std::byte* Sampler::texel(const ImageLevel& level, const Index& index,
                                std::uint32_t layer) const {
  for (int d = 0; d < image_.dimensions; ++d) {
    if (index[static_cast<std::size_t>(d)] < 0) return nullptr;
  }
  return host_ + (address_of(level, index, layer) - image_.address);
}

FloatTexel Sampler::float_texel(const ImageLevel& level, const Index& index,
                                std::uint32_t layer) const {
  const std::byte* const at = texel(level, index, layer);
  return at == nullptr ? description_.border : read_float(image_.format, at, description_.srgb);
}

void Sampler::read_point(const ImageLevel& level, const Index& index, std::uint32_t layer,
                         Sample& sample) const {
  sample.address = address_of(level, index, layer);
  sample.is_float = gives_floats();
  if (sample.is_float) {
    const FloatTexel values = float_texel(level, index, layer);
    for (std::size_t c = 0; c < 4; ++c) sample.bits[c] = std::bit_cast<std::uint32_t>(values[c]);
  } else if (const std::byte* const at = texel(level, index, layer)) {
    sample.bits = read_raw(image_.format, at);
  } else {
    for (std::size_t c = 0; c < 4; ++c) {
      sample.bits[c] = integer_border(image_.format.kind, description_.border[c]);
    }
  }
}

Sample Sampler::fetch(const TexturePlace<std::int32_t>& place, std::uint32_t level) const {
  const ImageLevel& image_level =
      image_.levels[std::min<std::size_t>(level, image_.levels.size() - 1)];
  Sample sample;
  Index index{};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t extent = extents(image_level)[d];
    const bool outside = place.at[d] < 0 || place.at[d] >= extent;
    index[d] = std::clamp<std::int64_t>(place.at[d], 0, extent - 1);
    // The address mode does not apply to a buffer: texels outside of it are read as zero.
    if (outside && (image_.linear_memory || description_.address_modes[d] == AddressMode::border)) {
      index[d] = ~index[d];
    }
  }
  if (image_.linear_memory && index[0] < 0) {
    sample.address = address_of(image_level, index, place.layer);
    sample.is_float = gives_floats();
    return sample;
  }
  read_point(image_level, index, place.layer, sample);
  return sample;
}

/// In two dimensions, the four weights are multiples of 1/256, as on an H100. The product of the
/// two weights of the far corner is rounded, and the other three weights follow from the result.
double Sampler::corner_weight(const std::array<Span, 3>& spans, std::size_t dimensions,
                              unsigned corner) {
  const auto along = [&](std::size_t d) {
    return (corner >> d & 1) != 0 ? spans[d].weight : 256 - spans[d].weight;
  };
  if (dimensions == 1) return along(0) / 256.0;
  const int x = spans[0].weight;
  const int y = spans[1].weight;
  const int far = (x * y + 128) / 256;
  const std::array<int, 4> weights{256 - x - y + far, x - far, y - far, far};
  const double weight = weights[corner & 3] / 256.0;
  return dimensions == 2 ? weight : weight * along(2) / 256.0;
}

/// An H100 rounds filtered values in this way for unsigned integer formats (measured with channels
/// of 8 bits).
bool Sampler::rounds_to_65535ths() const {
  return image_.format.kind == ChannelKind::unsigned_integer && !description_.srgb;
}

std::array<double, 4> Sampler::filtered(const TexturePlace<float>& place, const ImageLevel& level,
                                        Sample& sample) const {
  std::array<Span, 3> spans{};
  const auto dimensions = static_cast<std::size_t>(image_.dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    spans[d] = span_of(place.at[d], extents(level)[d], d);
  }
  sample.address = address_of(level, {spans[0].first, spans[1].first, spans[2].first}, place.layer);
  const bool rounds = rounds_to_65535ths();
  std::array<double, 4> sum{};
  for (unsigned corner = 0; corner < 1U << dimensions; ++corner) {
    Index index{};
    for (std::size_t d = 0; d < dimensions; ++d) {
      index[d] = (corner >> d & 1) != 0 ? spans[d].second : spans[d].first;
    }
    const double weight = corner_weight(spans, dimensions, corner);
    // A texel of weight 0 must not affect the sum even if it is infinite.
    if (weight == 0) continue;
    const FloatTexel values = float_texel(level, index, place.layer);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto value = static_cast<double>(values[c]);
      sum[c] += weight * (rounds ? std::floor(value * 65535 + 0.5) : value);
    }
  }
  if (rounds) {
    for (double& value : sum) value = std::floor(value + 0.5) / 65535;
  }
  return sum;
}

Sample Sampler::sample(const TexturePlace<float>& place, float level) const {
  if (description_.filter == FilterMode::point && image_.levels.size() == 1) {
    Sample sample;
    read_point(image_.levels.front(), point_of(place, image_.levels.front()), place.layer, sample);
    return sample;
  }
  // A NaN level counts as 0.
  const float biased = level + description_.level_bias;
  double exact_level = std::isnan(biased) ? 0 : static_cast<double>(biased);
  exact_level = std::max(exact_level, static_cast<double>(description_.least_level));
  if (description_.greatest_level > 0) {
    exact_level = std::min(exact_level, static_cast<double>(description_.greatest_level));
  }
  const auto last_level = image_.levels.size() - 1;
  exact_level = std::clamp(exact_level, 0.0, static_cast<double>(last_level));

  const bool blends_levels = description_.mipmap_filter == FilterMode::linear;
  const auto first_level = static_cast<std::size_t>(blends_levels ? std::floor(exact_level)
                                                                  : std::floor(exact_level + 0.5));
  const int fraction = blends_levels ? fraction_of(exact_level) : 0;

  Sample sample;
  const bool linear = description_.filter == FilterMode::linear;
  if (!linear && (fraction == 0 || !gives_floats())) {
    const ImageLevel& image_level = image_.levels[first_level];
    read_point(image_level, point_of(place, image_level), place.layer, sample);
    return sample;
  }
  const auto values_at = [&](std::size_t number, Sample& level_sample) {
    const ImageLevel& image_level = image_.levels[number];
    if (linear) return filtered(place, image_level, level_sample);
    const Index index = point_of(place, image_level);
    level_sample.address = address_of(image_level, index, place.layer);
    const FloatTexel values = float_texel(image_level, index, place.layer);
    return std::array<double, 4>{values[0], values[1], values[2], values[3]};
  };
  std::array<double, 4> values = values_at(first_level, sample);
  if (fraction != 0) {
    Sample next_sample;
    const std::array<double, 4> next =
        values_at(std::min(first_level + 1, last_level), next_sample);
    for (std::size_t c = 0; c < 4; ++c) {
      values[c] = (values[c] * (256 - fraction) + next[c] * fraction) / 256;
    }
  }
  sample.is_float = true;
  for (std::size_t c = 0; c < 4; ++c) {
    sample.bits[c] = std::bit_cast<std::uint32_t>(static_cast<float>(values[c]));
  }
  return sample;
}

Sample Sampler::gather(const TexturePlace<float>& place, unsigned component) const {
  const ImageLevel& level = image_.levels.front();
  const Span x = span_of(place.at[0], level.width, 0);
  const Span y = span_of(place.at[1], level.height, 1);
  const std::array<Index, 4> corners{{{x.first, y.second, 0},
                                      {x.second, y.second, 0},
                                      {x.second, y.first, 0},
                                      {x.first, y.first, 0}}};
  Sample sample;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    Sample texel_sample;
    read_point(level, corners[i], place.layer, texel_sample);
    sample.bits[i] = texel_sample.bits[component % 4];
    sample.is_float = texel_sample.is_float;
  }
  sample.address = address_of(level, {x.first, y.first, 0}, place.layer);
  return sample;
}

float Sampler::level_of(const std::array<float, 3>& dx, const std::array<float, 3>& dy) const {
  const auto length = [&](const std::array<float, 3>& gradient) {
    double sum = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(image_.dimensions); ++d) {
      const double texels = scaled(gradient[d], extents(image_.levels.front())[d]);
      sum += texels * texels;
    }
    return std::sqrt(sum);
  };
  const double longest = std::fmax(length(dx), length(dy));
  if (!(longest > 0)) return 0;
  if (std::isinf(longest)) return static_cast<float>(image_.levels.size());
  return static_cast<float>(log2_of(longest));
}

CubePlace cube_place(const std::array<float, 3>& direction) {
  const auto [x, y, z] = direction;
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float az = std::fabs(z);
  // The faces and coordinates are those of the table in the CUDA programming guide's section on
  // cubemap textures.
  CubePlace place;
  float major = 0;
  if (ax >= ay && ax >= az) {
    place = x >= 0 ? CubePlace{0, -z, -y} : CubePlace{1, z, -y};
    major = ax;
  } else if (ay >= az) {
    place = y >= 0 ? CubePlace{2, x, z} : CubePlace{3, x, -z};
    major = ay;
  } else {
    place = z >= 0 ? CubePlace{4, x, -y} : CubePlace{5, -x, -y};
    major = az;
  }
  if (!(major > 0)) return {place.face, 0.5F, 0.5F};
  place.s = (place.s / major + 1) / 2;
  place.t = (place.t / major + 1) / 2;
  return place;
}

}  // namespace heddle::exec
