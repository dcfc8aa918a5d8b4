#pragma once

// A sampler reads a texture. Addressing and filtering follow the CUDA programming guide's appendix
// on texture fetching. The weights of linear filtering have 8 fractional bits, as documented there.
// In one and two dimensions, the weights are rounded as on an H100. Sums are computed in double
// precision and rounded once.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "exec/texture/texture_unit.h"

namespace heddle::exec {

/// The four components of a sample, as the bits of floats or of integers.
struct Sample {
  std::array<std::uint32_t, 4> bits{};
  bool is_float = false;  ///< Whether the components are floats.
  /// The device address of the texel with the lowest coordinates that the filter reads or, if that
  /// is outside of the image, of the nearest texel inside. For the timing model.
  std::uint64_t address = 0;
};

/// A place in a layer of an image. An image with fewer than three dimensions ignores the last
/// coordinates.
template <class Coordinate>
struct TexturePlace {
  std::array<Coordinate, 3> at{};  ///< The coordinates.
  std::uint32_t layer = 0;
};

/// Converts a normalized coordinate to texels. The coordinate is truncated to 21 fractional bits
/// (measured on an H100). The function is always inlined, because code of exec/lanes calls it (see
/// exec/lanes/lanes.h).
[[gnu::always_inline]] inline double normalized_place(double coordinate, double extent) {
  return std::floor(coordinate * 0x1p21) * 0x1p-21 * extent;
}

/// A component of the border colour as the bits of an integer texel.
std::uint32_t integer_border(ChannelKind kind, float value);

/// The address mode that applies to float coordinates. Without normalized coordinates, the modes
/// wrap and mirror act as clamp. On the faces of a cube map, every mode acts as clamp.
AddressMode effective_mode(AddressMode mode, const Image& image, const SamplerDescription& sampler);

/// Reads one texture.
class Sampler {
 public:
  /// `host` is the host's address of the image's first byte.
  Sampler(const Texture& texture, const std::byte* host)
      : image_(texture.image), description_(texture.sampler), host_(host) {}

  /// Reads the texel at integer coordinates, without filtering. The coordinates are counted in
  /// texels, even if the texture has normalized coordinates. `level` is a mipmap level.
  Sample fetch(const TexturePlace<std::int32_t>& place, std::uint32_t level) const;
  /// Reads the texture at float coordinates, with the filter modes of the texture. `level` is a
  /// mipmap level; a fraction blends two levels if the texture filters between them.
  Sample sample(const TexturePlace<float>& place, float level) const;
  /// Reads one component of each of the four texels that bilinear filtering would read,
  /// counter-clockwise from the lower left.
  Sample gather(const TexturePlace<float>& place, unsigned component) const;

  /// The mipmap level for gradients `dx` and `dy` of the coordinates: the binary logarithm of the
  /// length, in texels of level 0, of the longer gradient.
  float level_of(const std::array<float, 3>& dx, const std::array<float, 3>& dy) const;

 private:
  /// The indices of a texel in each dimension. A texel outside of the image, which has the border
  /// colour, has the bitwise complement of the nearest index inside.
  using Index = std::array<std::int64_t, 3>;
  /// The two texels between which a coordinate lies.
  struct Span {
    std::int64_t first = 0;
    std::int64_t second = 0;
    int weight = 0;  ///< The weight of the second texel, in units of 1/256.
  };

  /// The filter weight of one of the texels around a point. Bit d of `corner` selects one of the
  /// two texels along dimension d.
  static double corner_weight(const std::array<Span, 3>& spans, std::size_t dimensions,
                              unsigned corner);
  /// Whether filtered values are rounded to multiples of 1/65535.
  bool rounds_to_65535ths() const;
  /// A coordinate in texels. NaN counts as 0.
  double scaled(float coordinate, std::uint32_t extent) const;
  /// Applies the address mode to an index that may be outside of the image, and returns an index as
  /// in Index.
  std::int64_t texel_of(std::int64_t index, std::uint32_t extent, std::size_t dimension) const;
  Span span_of(float coordinate, std::uint32_t extent, std::size_t dimension) const;
  std::array<std::uint32_t, 3> extents(const ImageLevel& level) const;
  /// The texel that contains a place.
  Index point_of(const TexturePlace<float>& place, const ImageLevel& level) const;
  /// The device address of a texel or, if it is outside of the image, of the nearest texel inside.
  std::uint64_t address_of(const ImageLevel& level, const Index& index, std::uint32_t layer) const;
  /// The texel in the host's memory; null for an index outside of the image.
  const std::byte* texel(const ImageLevel& level, const Index& index, std::uint32_t layer) const;
  /// The channels of a linearly filtered sample. Sets sample.address.
  std::array<double, 4> filtered(const TexturePlace<float>& place, const ImageLevel& level,
                                 Sample& sample) const;
  void read_point(const ImageLevel& level, const Index& index, std::uint32_t layer,
                  Sample& sample) const;
  FloatTexel float_texel(const ImageLevel& level, const Index& index, std::uint32_t layer) const;
  /// Whether samples are floats.
  bool gives_floats() const {
    return description_.normalized_float || image_.format.kind == ChannelKind::floating;
  }

  const Image& image_;
  const SamplerDescription& description_;
  const std::byte* host_;
};

/// The place at which a direction from the centre of a cube map meets it: a face, and coordinates
/// in the face from 0 to 1.
struct CubePlace {
  std::uint32_t face = 0;
  float s = 0, t = 0;
};
CubePlace cube_place(const std::array<float, 3>& direction);

}  // namespace heddle::exec
