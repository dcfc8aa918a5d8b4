// The runtime's calls for texture and surface objects.

#include <array>

#include "cuda/runtime/call.h"
#include "cuda/runtime/channel_format.h"

namespace heddle::cuda {
namespace {

/// The address mode with CUDA's number (cudaTextureAddressMode).
exec::AddressMode address_mode(int mode) {
  constexpr std::array kModes{exec::AddressMode::wrap, exec::AddressMode::clamp,
                              exec::AddressMode::mirror, exec::AddressMode::border};
  if (mode < 0 || mode > 3) throw Failure{Error::invalid_value};
  return kModes[static_cast<std::size_t>(mode)];
}

/// The filter mode with CUDA's number (cudaTextureFilterMode).
exec::FilterMode filter_mode(int mode) {
  if (mode != 0 && mode != 1) throw Failure{Error::invalid_value};
  return mode == 0 ? exec::FilterMode::point : exec::FilterMode::linear;
}

exec::SamplerDescription sampler_of(const abi::TextureDescription& texture) {
  exec::SamplerDescription sampler;
  for (std::size_t i = 0; i < 3; ++i) {
    sampler.address_modes[i] = address_mode(texture.address_modes[i]);
    // Wrap and mirror need normalized coordinates; otherwise CUDA clamps.
    const bool repeats = sampler.address_modes[i] == exec::AddressMode::wrap ||
                         sampler.address_modes[i] == exec::AddressMode::mirror;
    if (repeats && texture.normalized_coordinates == 0) {
      sampler.address_modes[i] = exec::AddressMode::clamp;
    }
  }
  sampler.filter = filter_mode(texture.filter);
  sampler.normalized_float = texture.read_as_fraction != 0;
  sampler.normalized_coordinates = texture.normalized_coordinates != 0;
  sampler.srgb = texture.srgb != 0;
  for (std::size_t i = 0; i < 4; ++i) sampler.border[i] = texture.border[i];
  sampler.mipmap_filter = filter_mode(texture.mipmap_filter);
  sampler.level_bias = texture.level_bias;
  sampler.least_level = texture.least_level;
  sampler.greatest_level = texture.greatest_level;
  return sampler;
}

/// The storage of an array. Throws Failure if the array is a level of a mipmapped array other than
/// the first.
const exec::ArrayStorage& whole_array(Session& session, abi::ArrayHandle handle) {
  const Array& array = session.arrays.get(handle);
  if (array.level != 0) {
    throw Failure{Error::not_supported,
                  "Heddle does not support textures or surfaces of one level of a mipmapped array"};
  }
  return *array.storage;
}

exec::TextureResource resource_of(Session& session, const abi::ResourceDescription& resource) {
  switch (resource.kind) {
    case abi::ResourceKind::array:
      return exec::ArrayResource{&whole_array(session, resource.details.array.array)};
    case abi::ResourceKind::mipmapped_array:
      return exec::ArrayResource{
          session.mipmapped_arrays.get(resource.details.mipmapped.array).storage.get()};
    case abi::ResourceKind::linear:
      return exec::LinearResource{
          .address = reinterpret_cast<std::uint64_t>(resource.details.linear.pointer),
          .bytes = resource.details.linear.bytes,
          .format = format_of(resource.details.linear.format)};
    case abi::ResourceKind::pitched:
      return exec::PitchedResource{
          .address = reinterpret_cast<std::uint64_t>(resource.details.pitched.pointer),
          .width = static_cast<std::uint32_t>(resource.details.pitched.width),
          .height = static_cast<std::uint32_t>(resource.details.pitched.height),
          .pitch = resource.details.pitched.pitch,
          .format = format_of(resource.details.pitched.format)};
  }
  throw Failure{Error::invalid_value};
}

const TextureObject& texture_object(const Session& session, unsigned long long handle) {
  const auto found = session.textures.find(handle);
  if (found == session.textures.end()) throw Failure{Error::invalid_value};
  return found->second;
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaCreateTextureObject(unsigned long long* handle,
                                                 const abi::ResourceDescription* resource,
                                                 const abi::TextureDescription* texture,
                                                 const abi::ResourceView* view) {
  return call("cudaCreateTextureObject", [&](Session& session) {
    if (view != nullptr) {
      throw Failure{Error::not_supported, "Heddle does not support resource views of textures"};
    }
    const TextureObject object{.resource = result_at(resource), .texture = result_at(texture)};
    const std::uint64_t new_handle = session.device().textures().create_texture(
        resource_of(session, object.resource), sampler_of(object.texture));
    session.textures[new_handle] = object;
    result_at(handle) = new_handle;
  });
}

HEDDLE_CUDA_EXPORT Error cudaDestroyTextureObject(unsigned long long handle) {
  return call("cudaDestroyTextureObject", [&](Session& session) {
    if (handle == 0) return;
    session.device().textures().destroy_texture(handle);
    session.textures.erase(handle);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetTextureObjectResourceDesc(abi::ResourceDescription* resource,
                                                          unsigned long long handle) {
  return call("cudaGetTextureObjectResourceDesc", [&](Session& session) {
    result_at(resource) = texture_object(session, handle).resource;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetTextureObjectTextureDesc(abi::TextureDescription* texture,
                                                         unsigned long long handle) {
  return call("cudaGetTextureObjectTextureDesc", [&](Session& session) {
    result_at(texture) = texture_object(session, handle).texture;
  });
}

HEDDLE_CUDA_EXPORT Error cudaCreateSurfaceObject(unsigned long long* handle,
                                                 const abi::ResourceDescription* resource) {
  return call("cudaCreateSurfaceObject", [&](Session& session) {
    const abi::ResourceDescription& requested = result_at(resource);
    if (requested.kind != abi::ResourceKind::array) throw Failure{Error::invalid_value};
    const std::uint64_t new_handle = session.device().textures().create_surface(
        whole_array(session, requested.details.array.array));
    session.surfaces[new_handle] = requested;
    result_at(handle) = new_handle;
  });
}

HEDDLE_CUDA_EXPORT Error cudaDestroySurfaceObject(unsigned long long handle) {
  return call("cudaDestroySurfaceObject", [&](Session& session) {
    if (handle == 0) return;
    session.device().textures().destroy_surface(handle);
    session.surfaces.erase(handle);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetSurfaceObjectResourceDesc(abi::ResourceDescription* resource,
                                                          unsigned long long handle) {
  return call("cudaGetSurfaceObjectResourceDesc", [&](Session& session) {
    const auto found = session.surfaces.find(handle);
    if (found == session.surfaces.end()) throw Failure{Error::invalid_value};
    result_at(resource) = found->second;
  });
}

}  // namespace heddle::cuda
