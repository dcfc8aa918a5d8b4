#include "exec/texture/texture_unit.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace heddle::exec {
namespace {

// The high 32 bits of a handle tell whether it is a texture or a surface. The low 32 bits are the
// object's number, counted from 1.
constexpr std::uint64_t kTextureHandles = std::uint64_t{1} << 40;
constexpr std::uint64_t kSurfaceHandles = std::uint64_t{1} << 41;

/// The slot of the object with this handle; null if the handle was never created. `high_bits` is
/// kTextureHandles or kSurfaceHandles. The slot of a destroyed object contains null.
template <class T>
const std::unique_ptr<T>* slot_of(const std::vector<std::unique_ptr<T>>& slots,
                                  std::uint64_t high_bits, std::uint64_t handle) {
  const std::uint64_t index = handle - high_bits - 1;
  return index < slots.size() ? &slots[index] : nullptr;
}

/// The maximum extents of textures in linear memory, in texels (CUDA programming guide, technical
/// specifications per compute capability).
constexpr std::uint64_t kMaxLinearTexels = std::uint64_t{1} << 28;
constexpr std::uint32_t kMaxPitchedWidth = 131072;
constexpr std::uint32_t kMaxPitchedHeight = 65000;

Image linear_image(const LinearResource& resource) {
  resource.format.check();
  const std::uint64_t texels = resource.bytes / resource.format.texel_bytes();
  if (texels == 0 || texels > kMaxLinearTexels) {
    throw InputError(
        fmt::format("invalid texture of {} bytes of linear memory: it must have 1 to {} texels",
                    resource.bytes, kMaxLinearTexels));
  }
  Image image;
  image.dimensions = 1;
  image.linear_memory = true;
  image.bytes = resource.bytes;
  ImageLevel level;
  level.width = static_cast<std::uint32_t>(texels);
  level.row_bytes = resource.bytes;
  image.levels.push_back(level);
  return image;
}

Image pitched_image(const PitchedResource& resource) {
  resource.format.check();
  const std::uint64_t row = std::uint64_t{resource.width} * resource.format.texel_bytes();
  if (resource.width == 0 || resource.height == 0 || resource.width > kMaxPitchedWidth ||
      resource.height > kMaxPitchedHeight || resource.pitch < row ||
      resource.pitch > std::uint64_t{1} << 32) {
    throw InputError(fmt::format("invalid texture of {} x {} texels with a pitch of {} bytes",
                                 resource.width, resource.height, resource.pitch));
  }
  Image image;
  image.dimensions = 2;
  image.bytes = resource.pitch * (resource.height - 1) + row;
  ImageLevel level;
  level.width = resource.width;
  level.height = resource.height;
  level.row_bytes = resource.pitch;
  image.levels.push_back(level);
  return image;
}

/// Returns the image, which is in a buffer, with its address and format set.
Image placed(Image image, std::uint64_t address, const ChannelFormat& format) {
  image.format = format;
  image.address = address;
  image.levels.front().address = address;
  return image;
}

}  // namespace

void TextureUnit::check_in_memory(std::uint64_t address, std::uint64_t bytes) const {
  const Allocation* allocation = memory_.find(address);
  if (allocation == nullptr || bytes > allocation->bytes - (address - allocation->address)) {
    throw InputError(fmt::format("a texture of {} bytes at {:#x} is not in device memory: {}",
                                 bytes, address, memory_.describe(address, bytes)));
  }
}

Image TextureUnit::image_of(const TextureResource& resource) const {
  Image image;
  if (const auto* linear = std::get_if<LinearResource>(&resource)) {
    image = placed(linear_image(*linear), linear->address, linear->format);
  } else if (const auto* pitched = std::get_if<PitchedResource>(&resource)) {
    image = placed(pitched_image(*pitched), pitched->address, pitched->format);
  } else {
    const ArrayStorage* array = std::get<ArrayResource>(resource).array;
    if (array == nullptr) throw InputError("a texture of an array needs an array");
    image = array->image();
  }
  check_in_memory(image.address, image.bytes);
  if (image.address % image.format.texel_bytes() != 0) {
    throw InputError(fmt::format("a texture at {:#x} is not aligned to its texels of {} bytes",
                                 image.address, image.format.texel_bytes()));
  }
  return image;
}

std::uint64_t TextureUnit::create_texture(const TextureResource& resource,
                                          const SamplerDescription& sampler) {
  Image image = image_of(resource);
  const bool integer = image.format.kind != ChannelKind::floating;
  if (integer && sampler.normalized_float && image.format.bits == 32) {
    throw InputError("texels of 32-bit integers cannot be read as normalized numbers");
  }
  if (integer && !sampler.normalized_float && sampler.filter == FilterMode::linear) {
    throw InputError("texels that are read as integers cannot be filtered");
  }
  textures_.push_back(std::make_unique<Texture>(std::move(image), sampler));
  return kTextureHandles + textures_.size();
}

std::uint64_t TextureUnit::create_surface(const ArrayStorage& array) {
  surfaces_.push_back(std::make_unique<Image>(array.image()));
  return kSurfaceHandles + surfaces_.size();
}

void TextureUnit::destroy_texture(std::uint64_t handle) {
  if (find_texture(handle) == nullptr) {
    throw InputError(fmt::format("{:#x} is not a texture: it is {}", handle, describe(handle)));
  }
  textures_[handle - kTextureHandles - 1].reset();
}

void TextureUnit::destroy_surface(std::uint64_t handle) {
  if (find_surface(handle) == nullptr) {
    throw InputError(fmt::format("{:#x} is not a surface: it is {}", handle, describe(handle)));
  }
  surfaces_[handle - kSurfaceHandles - 1].reset();
}

const Texture* TextureUnit::find_texture(std::uint64_t handle) const {
  const auto* slot = slot_of(textures_, kTextureHandles, handle);
  return slot == nullptr ? nullptr : slot->get();
}

const Image* TextureUnit::find_surface(std::uint64_t handle) const {
  const auto* slot = slot_of(surfaces_, kSurfaceHandles, handle);
  return slot == nullptr ? nullptr : slot->get();
}

std::string TextureUnit::describe(std::uint64_t handle) const {
  if (const auto* slot = slot_of(textures_, kTextureHandles, handle)) {
    return *slot == nullptr ? "a texture that was destroyed" : "a texture";
  }
  if (const auto* slot = slot_of(surfaces_, kSurfaceHandles, handle)) {
    return *slot == nullptr ? "a surface that was destroyed" : "a surface";
  }
  return "an unknown handle";
}

}  // namespace heddle::exec
