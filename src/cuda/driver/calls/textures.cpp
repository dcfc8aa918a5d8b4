// The driver's calls for texture and surface objects.

#include <algorithm>

#include "cuda/driver/call.h"
#include "cuda/driver/formats.h"

namespace heddle::cuda::driver {
namespace {

// Conversions between the driver's descriptions and the runtime's.

abi::ResourceDescription runtime_resource(const abi::DriverResource& resource) {
  if (resource.flags != 0) throw Failure{Error::invalid_value};
  abi::ResourceDescription result{};
  result.kind = resource.kind;
  switch (resource.kind) {
    case abi::ResourceKind::array:
      result.details.array.array = resource.details.array;
      return result;
    case abi::ResourceKind::mipmapped_array:
      result.details.mipmapped.array = resource.details.mipmapped;
      return result;
    case abi::ResourceKind::linear: {
      const auto& linear = resource.details.linear;
      result.details.linear = {.pointer = pointer_at(linear.pointer),
                               .format = format_of(linear.format, linear.channels),
                               .bytes = linear.bytes};
      return result;
    }
    case abi::ResourceKind::pitched: {
      const auto& pitched = resource.details.pitched;
      result.details.pitched = {.pointer = pointer_at(pitched.pointer),
                                .format = format_of(pitched.format, pitched.channels),
                                .width = pitched.width,
                                .height = pitched.height,
                                .pitch = pitched.pitch};
      return result;
    }
  }
  throw Failure{Error::invalid_value};
}

abi::DriverResource driver_resource(const abi::ResourceDescription& resource) {
  abi::DriverResource result{};
  result.kind = resource.kind;
  switch (resource.kind) {
    case abi::ResourceKind::array:
      result.details.array = resource.details.array.array;
      break;
    case abi::ResourceKind::mipmapped_array:
      result.details.mipmapped = resource.details.mipmapped.array;
      break;
    case abi::ResourceKind::linear: {
      const auto& linear = resource.details.linear;
      result.details.linear = {.pointer = address_of(linear.pointer),
                               .format = element_of(linear.format),
                               .channels = channels_of(linear.format),
                               .bytes = linear.bytes};
      break;
    }
    case abi::ResourceKind::pitched: {
      const auto& pitched = resource.details.pitched;
      result.details.pitched = {.pointer = address_of(pitched.pointer),
                                .format = element_of(pitched.format),
                                .channels = channels_of(pitched.format),
                                .width = pitched.width,
                                .height = pitched.height,
                                .pitch = pitched.pitch};
      break;
    }
  }
  return result;
}

/// The format of a resource's texels.
abi::ChannelFormat texel_format_of(const abi::ResourceDescription& resource) {
  abi::ArrayHandle array = resource.details.array.array;
  switch (resource.kind) {
    case abi::ResourceKind::linear:
      return resource.details.linear.format;
    case abi::ResourceKind::pitched:
      return resource.details.pitched.format;
    case abi::ResourceKind::mipmapped_array:
      require(cudaGetMipmappedArrayLevel(&array, resource.details.mipmapped.array, 0));
      break;
    case abi::ResourceKind::array:
      break;
  }
  abi::ChannelFormat format{};
  require(cudaArrayGetInfo(&format, nullptr, nullptr, array));
  return format;
}

/// True for texels that a texture reads as fractions unless the program requests integers: those
/// with integers of up to 16 bits.
bool may_be_fractions(const abi::ChannelFormat& texels) {
  return texels.kind != abi::ChannelKind::floating && texels.bits[0] <= 16;
}

abi::TextureDescription runtime_texture(const abi::DriverTexture& texture,
                                        const abi::ChannelFormat& texels) {
  const auto requested = [&](std::uint32_t flag) { return (texture.flags & flag) != 0 ? 1 : 0; };
  abi::TextureDescription result{};
  std::copy_n(texture.address_modes, 3, result.address_modes);
  result.filter = texture.filter;
  result.read_as_fraction = may_be_fractions(texels) && requested(abi::kReadAsInteger) == 0 ? 1 : 0;
  result.srgb = requested(abi::kSrgb);
  std::copy_n(texture.border, 4, result.border);
  result.normalized_coordinates = requested(abi::kNormalizedCoordinates);
  result.anisotropy = texture.anisotropy;
  result.mipmap_filter = texture.mipmap_filter;
  result.level_bias = texture.level_bias;
  result.least_level = texture.least_level;
  result.greatest_level = texture.greatest_level;
  result.without_trilinear_optimisation = requested(abi::kWithoutTrilinear);
  result.seamless_cube = requested(abi::kSeamlessCube);
  return result;
}

abi::DriverTexture driver_texture(const abi::TextureDescription& texture,
                                  const abi::ChannelFormat& texels) {
  const auto flag = [](int set, std::uint32_t bit) { return set != 0 ? bit : 0; };
  abi::DriverTexture result{};
  std::copy_n(texture.address_modes, 3, result.address_modes);
  result.filter = texture.filter;
  const bool as_integer = may_be_fractions(texels) && texture.read_as_fraction == 0;
  result.flags = flag(as_integer ? 1 : 0, abi::kReadAsInteger) |
                 flag(texture.normalized_coordinates, abi::kNormalizedCoordinates) |
                 flag(texture.srgb, abi::kSrgb) |
                 flag(texture.without_trilinear_optimisation, abi::kWithoutTrilinear) |
                 flag(texture.seamless_cube, abi::kSeamlessCube);
  result.anisotropy = texture.anisotropy;
  result.mipmap_filter = texture.mipmap_filter;
  result.level_bias = texture.level_bias;
  result.least_level = texture.least_level;
  result.greatest_level = texture.greatest_level;
  std::copy_n(texture.border, 4, result.border);
  return result;
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuTexObjectCreate(unsigned long long* handle,
                                            const abi::DriverResource* resource,
                                            const abi::DriverTexture* texture,
                                            const abi::ResourceView* view) {
  return in_context("cuTexObjectCreate", [&](Session&) {
    const abi::ResourceDescription requested = runtime_resource(result_at(resource));
    const abi::TextureDescription sampling =
        runtime_texture(result_at(texture), texel_format_of(requested));
    require(cudaCreateTextureObject(handle, &requested, &sampling, view));
  });
}

HEDDLE_CUDA_EXPORT Result cuTexObjectDestroy(unsigned long long handle) {
  return in_context("cuTexObjectDestroy",
                    [&](Session&) { require(cudaDestroyTextureObject(handle)); });
}

HEDDLE_CUDA_EXPORT Result cuTexObjectGetResourceDesc(abi::DriverResource* result,
                                                     unsigned long long handle) {
  return in_context("cuTexObjectGetResourceDesc", [&](Session&) {
    abi::ResourceDescription found{};
    require(cudaGetTextureObjectResourceDesc(&found, handle));
    result_at(result) = driver_resource(found);
  });
}

HEDDLE_CUDA_EXPORT Result cuTexObjectGetTextureDesc(abi::DriverTexture* result,
                                                    unsigned long long handle) {
  return in_context("cuTexObjectGetTextureDesc", [&](Session&) {
    abi::TextureDescription found{};
    abi::ResourceDescription resource{};
    require(cudaGetTextureObjectTextureDesc(&found, handle));
    require(cudaGetTextureObjectResourceDesc(&resource, handle));
    result_at(result) = driver_texture(found, texel_format_of(resource));
  });
}

HEDDLE_CUDA_EXPORT Result cuSurfObjectCreate(unsigned long long* handle,
                                             const abi::DriverResource* resource) {
  return in_context("cuSurfObjectCreate", [&](Session&) {
    const abi::ResourceDescription requested = runtime_resource(result_at(resource));
    require(cudaCreateSurfaceObject(handle, &requested));
  });
}

HEDDLE_CUDA_EXPORT Result cuSurfObjectDestroy(unsigned long long handle) {
  return in_context("cuSurfObjectDestroy",
                    [&](Session&) { require(cudaDestroySurfaceObject(handle)); });
}

HEDDLE_CUDA_EXPORT Result cuSurfObjectGetResourceDesc(abi::DriverResource* result,
                                                      unsigned long long handle) {
  return in_context("cuSurfObjectGetResourceDesc", [&](Session&) {
    abi::ResourceDescription found{};
    require(cudaGetSurfaceObjectResourceDesc(&found, handle));
    result_at(result) = driver_resource(found);
  });
}

}  // namespace heddle::cuda::driver
