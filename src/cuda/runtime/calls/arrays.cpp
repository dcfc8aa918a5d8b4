// The runtime's calls for arrays, with and without mipmaps.

#include <algorithm>

#include "cuda/runtime/call.h"
#include "cuda/runtime/channel_format.h"

namespace heddle::cuda {
namespace {

/// The largest extent of any texture, in texels (compute capability 8.0).
constexpr std::size_t kMaxExtent = 131072;

std::shared_ptr<exec::ArrayStorage> make_storage(Session& session, const abi::ChannelFormat& format,
                                                 const abi::Extent& extent, unsigned levels,
                                                 unsigned flags) {
  session.graphs.captures.check_unsafe();
  if (extent.width == 0 || std::max({extent.width, extent.height, extent.depth}) > kMaxExtent) {
    throw Failure{Error::invalid_value};
  }
  const auto depth = static_cast<std::uint32_t>(extent.depth);
  const bool layered = (flags & abi::kArrayLayered) != 0;
  const bool cube = (flags & abi::kArrayCube) != 0;
  const exec::ArrayShape shape{.width = static_cast<std::uint32_t>(extent.width),
                               .height = static_cast<std::uint32_t>(extent.height),
                               .depth = layered || cube ? 0 : depth,
                               .layers = layered || cube ? depth : 0,
                               .cube = cube,
                               .levels = levels};
  return std::make_shared<exec::ArrayStorage>(session.device().memory(), shape, format_of(format));
}

abi::ArrayHandle add_array(Session& session, Array object) {
  return session.arrays.add(std::make_unique<Array>(std::move(object)));
}

void make_array(Session& session, abi::ArrayHandle* array, const abi::ChannelFormat* format,
                const abi::Extent& extent, unsigned flags) {
  abi::ArrayHandle& result = result_at(array);
  const abi::ChannelFormat& requested = result_at(format);
  result = add_array(session, {.storage = make_storage(session, requested, extent, 1, flags),
                               .format = requested,
                               .extent = extent,
                               .flags = flags});
}

}  // namespace

HEDDLE_CUDA_EXPORT abi::ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w,
                                                            abi::ChannelKind kind) {
  return {.bits = {x, y, z, w}, .kind = kind};
}

HEDDLE_CUDA_EXPORT Error cudaMallocArray(abi::ArrayHandle* array, const abi::ChannelFormat* format,
                                         std::size_t width, std::size_t height, unsigned flags) {
  return call("cudaMallocArray", [&](Session& session) {
    make_array(session, array, format, {width, height, 0}, flags);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMalloc3DArray(abi::ArrayHandle* array,
                                           const abi::ChannelFormat* format, abi::Extent extent,
                                           unsigned flags) {
  return call("cudaMalloc3DArray",
              [&](Session& session) { make_array(session, array, format, extent, flags); });
}

HEDDLE_CUDA_EXPORT Error cudaFreeArray(abi::ArrayHandle array) {
  return call("cudaFreeArray", [&](Session& session) {
    session.graphs.captures.check_unsafe();
    if (array != nullptr) session.arrays.remove(array);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMallocMipmappedArray(abi::MipmappedArrayHandle* array,
                                                  const abi::ChannelFormat* format,
                                                  abi::Extent extent, unsigned levels,
                                                  unsigned flags) {
  return call("cudaMallocMipmappedArray", [&](Session& session) {
    abi::MipmappedArrayHandle& result = result_at(array);
    const abi::ChannelFormat& requested = result_at(format);
    auto object = std::make_unique<MipmappedArray>();
    object->storage = make_storage(session, requested, extent, std::max(levels, 1U), flags);
    for (std::uint32_t level = 0; level < object->storage->shape().levels; ++level) {
      const auto at_level = [&](std::size_t texels) {
        return texels == 0 ? 0 : std::max<std::size_t>(texels >> level, 1);
      };
      const bool is_layered = (flags & (abi::kArrayLayered | abi::kArrayCube)) != 0;
      object->levels.push_back(
          add_array(session, {.storage = object->storage,
                              .level = level,
                              .format = requested,
                              .extent = {at_level(extent.width), at_level(extent.height),
                                         is_layered ? extent.depth : at_level(extent.depth)},
                              .flags = flags}));
    }
    result = session.mipmapped_arrays.add(std::move(object));
  });
}

HEDDLE_CUDA_EXPORT Error cudaFreeMipmappedArray(abi::MipmappedArrayHandle array) {
  return call("cudaFreeMipmappedArray", [&](Session& session) {
    session.graphs.captures.check_unsafe();
    if (array == nullptr) return;
    for (abi::ArrayHandle level : session.mipmapped_arrays.get(array).levels) {
      session.arrays.remove(level);
    }
    session.mipmapped_arrays.remove(array);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetMipmappedArrayLevel(abi::ArrayHandle* level,
                                                    abi::MipmappedArrayHandle array,
                                                    unsigned number) {
  return call("cudaGetMipmappedArrayLevel", [&](Session& session) {
    const MipmappedArray& object = session.mipmapped_arrays.get(array);
    if (number >= object.levels.size()) throw Failure{Error::invalid_value};
    result_at(level) = object.levels[number];
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetChannelDesc(abi::ChannelFormat* format, abi::ArrayHandle array) {
  return call("cudaGetChannelDesc",
              [&](Session& session) { result_at(format) = session.arrays.get(array).format; });
}

HEDDLE_CUDA_EXPORT Error cudaArrayGetInfo(abi::ChannelFormat* format, abi::Extent* extent,
                                          unsigned* flags, abi::ArrayHandle array) {
  return call("cudaArrayGetInfo", [&](Session& session) {
    const Array& object = session.arrays.get(array);
    if (format != nullptr) *format = object.format;
    if (extent != nullptr) *extent = object.extent;
    if (flags != nullptr) *flags = object.flags;
  });
}

}  // namespace heddle::cuda
