#pragma once

// The texture unit has the texture and surface objects, to which a program refers by 64-bit
// handles.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "exec/memory/global_memory.h"
#include "exec/texture/array_storage.h"
#include "exec/texture/image.h"
#include "exec/texture/texture_view.h"

namespace heddle::exec {

enum class FilterMode : std::uint8_t { point, linear };

/// The read mode of a texture, as in CUDA's cudaTextureDesc. The defaults are those of a zeroed
/// cudaTextureDesc, except for the address modes.
struct SamplerDescription {
  std::array<AddressMode, 3> address_modes{AddressMode::clamp, AddressMode::clamp,
                                           AddressMode::clamp};
  FilterMode filter = FilterMode::point;
  bool normalized_float = false;        ///< Whether integers are mapped to [0, 1] or [-1, 1].
  bool normalized_coordinates = false;  ///< Whether coordinates from 0 to 1 span the image.
  bool srgb = false;                    ///< Whether the first three channels are sRGB.
  std::array<float, 4> border{};        ///< The colour outside of the image.
  FilterMode mipmap_filter = FilterMode::point;  ///< linear: blends two mipmap levels.
  float level_bias = 0;                          ///< Added to the mipmap level.
  float least_level = 0;                         ///< The minimum mipmap level.
  float greatest_level = 0;                      ///< The maximum mipmap level; 0: no limit.
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
  std::uint32_t width = 0;   ///< In texels.
  std::uint32_t height = 0;  ///< The number of rows.
  std::uint64_t pitch = 0;   ///< The distance between the starts of rows, in bytes.
  ChannelFormat format;
};

/// A CUDA array.
struct ArrayResource {
  const ArrayStorage* array = nullptr;
};

using TextureResource = std::variant<LinearResource, PitchedResource, ArrayResource>;

/// A texture object.
struct Texture {
  Texture(Image texels, const SamplerDescription& description)
      : image(std::move(texels)), sampler(description), view(view_of(image, sampler)) {}

  Image image;
  SamplerDescription sampler;
  TextureView view;
};

/// Creates, finds and destroys texture and surface objects. Handles are numbered in the order of
/// creation. They are never reused, so that uses of destroyed objects are detected.
class TextureUnit {
 public:
  explicit TextureUnit(GlobalMemory& memory) : memory_(memory) {}

  /// Creates a texture, and returns its handle. Throws InputError if the resource is not in device
  /// memory, or cannot be read in the way that `sampler` describes.
  std::uint64_t create_texture(const TextureResource& resource, const SamplerDescription& sampler);
  /// Creates a surface, and returns its handle.
  std::uint64_t create_surface(const ArrayStorage& array);
  // Both functions throw InputError if there is no such texture or surface.
  void destroy_texture(std::uint64_t handle);
  void destroy_surface(std::uint64_t handle);

  // Both functions return null if there is no such texture or surface.
  const Texture* find_texture(std::uint64_t handle) const;
  const Image* find_surface(std::uint64_t handle) const;
  /// Describes a handle for messages, as in "a texture that was destroyed".
  std::string describe(std::uint64_t handle) const;

 private:
  void check_in_memory(std::uint64_t address, std::uint64_t bytes) const;
  Image image_of(const TextureResource& resource) const;

  GlobalMemory& memory_;
  std::vector<std::unique_ptr<Texture>> textures_;
  std::vector<std::unique_ptr<Image>> surfaces_;
};

}  // namespace heddle::exec
