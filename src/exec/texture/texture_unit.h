#pragma once

// Texture and surface objects, which a program refers to by 64-bit handles.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "exec/memory/global_memory.h"
#include "exec/texture/array_storage.h"
#include "exec/texture/image.h"

namespace heddle::exec {

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };
enum class FilterMode : std::uint8_t { point, linear };

/// The read mode of a texture. The defaults are those of a zeroed cudaTextureDesc, except for the
/// address modes.
struct SamplerDescription {
  std::array<AddressMode, 3> address_modes{AddressMode::clamp, AddressMode::clamp,
                                           AddressMode::clamp};
  FilterMode filter = FilterMode::point;
  bool normalized_float = false;        ///< Integers are read as numbers in [0, 1] or [-1, 1].
  bool normalized_coordinates = false;  ///< Coordinates in [0, 1) span the texture.
  bool srgb = false;                    ///< Whether the first three channels are decoded from sRGB.
  std::array<float, 4> border{};
  FilterMode mipmap_filter = FilterMode::point;
  float level_bias = 0;
  float least_level = 0;
  float greatest_level = 0;
};

/// A buffer that is read by integer coordinates.
struct LinearResource {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  ChannelFormat format;
};

/// Rows of texels in a buffer.
struct PitchedResource {
  std::uint64_t address = 0;
  std::uint32_t width = 0;  ///< In texels.
  std::uint32_t height = 0;
  std::uint64_t pitch = 0;  ///< The distance between rows, in bytes.
  ChannelFormat format;
};

struct ArrayResource {
  const ArrayStorage* array = nullptr;
};

using TextureResource = std::variant<LinearResource, PitchedResource, ArrayResource>;

struct Texture {
  Image image;
  SamplerDescription sampler;
};

/// Manages texture and surface objects. Handles are numbered in the order of creation and never
/// reused, so that uses of destroyed objects are detected.
class TextureUnit {
 public:
  explicit TextureUnit(GlobalMemory& memory) : memory_(memory) {}

  /// Throws InputError if the resource is not in memory, or does not support the sampler.
  std::uint64_t create_texture(const TextureResource& resource, const SamplerDescription& sampler);
  std::uint64_t create_surface(const ArrayStorage& array);
  /// Both throw InputError if `handle` is no live handle of that kind.
  void destroy_texture(std::uint64_t handle);
  void destroy_surface(std::uint64_t handle);

  /// Both return null if there is no live object with that handle.
  const Texture* find_texture(std::uint64_t handle) const;
  const Image* find_surface(std::uint64_t handle) const;
  /// Describes a handle, for messages.
  std::string describe(std::uint64_t handle) const;

 private:
  void check_in_memory(std::uint64_t address, std::uint64_t bytes) const;
  Image image_of(const TextureResource& resource) const;

  GlobalMemory& memory_;
  std::vector<std::unique_ptr<Texture>> textures_;
  std::vector<std::unique_ptr<Image>> surfaces_;
};

}  // namespace heddle::exec
