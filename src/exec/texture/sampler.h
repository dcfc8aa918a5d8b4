#pragma once

// What a texture gives at a place: the addressing and filtering of the CUDA programming guide's
// appendix on texture fetching. Linear filtering weighs with fractions of 8 bits, as documented
// there; how they are rounded is an H100's way in one and two dimensions. Sums are made in double
// precision and rounded once.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "exec/texture/texture_unit.h"

namespace heddle::exec {

/// Four components, and whether they are the bits of floats or integers.
struct Sample {
  std::array<std::uint32_t, 4> bits{};
  bool is_float = false;
  /// Of the first texel that the filter looks at, that with the lowest coordinates; where it lies
  /// outside, of the image's texel that is nearest.
  std::uint64_t address = 0;
};

/// A place in a layer; as many of the coordinates count as the image has dimensions.
template <class Coordinate>
struct TexturePlace {
  std::array<Coordinate, 3> at{};
  std::uint32_t layer = 0;
};

/// Where a normalized coordinate lies, counted in texels: it has 21 fractional bits (measured on an
/// H100).
inline double normalized_place(double coordinate, double extent) {
  return std::floor(coordinate * 0x1p21) * 0x1p-21 * extent;
}

class Sampler {
 public:
  /// `host` is where the image's first byte lies in the host's memory.
  Sampler(const Texture& texture, const std::byte* host)
      : image_(texture.image), description_(texture.sampler), host_(host) {}

  /// At integer coordinates, which count texels whatever the texture says; nothing is filtered.
  Sample fetch(const TexturePlace<std::int32_t>& place, std::uint32_t level) const;
  Sample sample(const TexturePlace<float>& place, float level) const;
  /// One component of each of the four texels that bilinear filtering would read, beginning with
  /// the lower left and going around against the clock.
  Sample gather(const TexturePlace<float>& place, unsigned component) const;

  /// The mipmap level at which one texel is about as large as the gradients say, d/dx and d/dy.
  float level_of(const std::array<float, 3>& dx, const std::array<float, 3>& dy) const;

 private:
  /// An index outside, where the border's colour is, is the complement of the nearest one inside.
  using Index = std::array<std::int64_t, 3>;
  /// Between which texels a coordinate falls.
  struct Span {
    std::int64_t first = 0;
    std::int64_t second = 0;
    int weight = 0;  ///< Of the second, in 256ths.
  };

  /// The part that one of the texels around a point has in what is filtered: bit d of `corner` says
  /// which of the two along dimension d.
  static double corner_weight(const std::array<Span, 3>& spans, std::size_t dimensions,
                              unsigned corner);
  /// Whether sums of fractions are rounded to 65535ths.
  bool counted_in_65535ths() const;
  double scaled(float coordinate, std::uint32_t extent) const;
  std::int64_t texel_of(std::int64_t index, std::uint32_t extent, std::size_t dimension) const;
  Span span_of(float coordinate, std::uint32_t extent, std::size_t dimension) const;
  std::array<std::uint32_t, 3> extents(const ImageLevel& level) const;
  /// The texel that a place lies in.
  Index point_of(const TexturePlace<float>& place, const ImageLevel& level) const;
  std::uint64_t address_of(const ImageLevel& level, const Index& index, std::uint32_t layer) const;
  /// Null outside.
  const std::byte* texel(const ImageLevel& level, const Index& index, std::uint32_t layer) const;
  std::array<double, 4> filtered(const TexturePlace<float>& place, const ImageLevel& level,
                                 Sample& sample) const;
  void read_point(const ImageLevel& level, const Index& index, std::uint32_t layer,
                  Sample& sample) const;
  FloatTexel float_texel(const ImageLevel& level, const Index& index, std::uint32_t layer) const;
  bool gives_floats() const {
    return description_.normalized_float || image_.format.kind == ChannelKind::floating;
  }

  const Image& image_;
  const SamplerDescription& description_;
  const std::byte* host_;
};

/// Where a direction meets a cube map: the face, and the coordinates in it from 0 to 1.
struct CubePlace {
  std::uint32_t face = 0;
  float s = 0, t = 0;
};
CubePlace cube_place(const std::array<float, 3>& direction);

}  // namespace heddle::exec
