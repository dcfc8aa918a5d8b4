// The driver's calls for arrays, with and without mipmaps.

#include "cuda/driver/call.h"
#include "cuda/driver/formats.h"

namespace heddle::cuda::driver {
namespace {

/// The supported flags: layers, surfaces, cubes and gathers.
constexpr std::uint32_t kSupportedFlags = 0x0f;

void check_flags(std::uint32_t flags) {
  if ((flags & ~kSupportedFlags) != 0) {
    throw Failure{Error::not_supported, "Heddle does not support sparse, deferred or depth arrays"};
  }
}

abi::ArrayDescription3D description_of(abi::ArrayHandle array) {
  abi::ChannelFormat format{};
  abi::Extent extent{};
  unsigned flags = 0;
  require(cudaArrayGetInfo(&format, &extent, &flags, array));
  return {.width = extent.width,
          .height = extent.height,
          .depth = extent.depth,
          .format = element_of(format),
          .channels = channels_of(format),
          .flags = flags};
}

Result create(const char* name, abi::ArrayHandle* array, const abi::ArrayDescription3D& requested) {
  return in_context(name, [&](Session&) {
    check_flags(requested.flags);
    const abi::ChannelFormat format = format_of(requested.format, requested.channels);
    require(cudaMalloc3DArray(array, &format, {requested.width, requested.height, requested.depth},
                              requested.flags));
  });
}

Result refuse_null(const char* name) {
  return in_context(name, [](Session&) { throw Failure{Error::invalid_value}; });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuArrayCreate_v2(abi::ArrayHandle* array,
                                           const abi::ArrayDescription* requested) {
  if (requested == nullptr) return refuse_null("cuArrayCreate");
  return create("cuArrayCreate", array,
                {.width = requested->width,
                 .height = requested->height,
                 .depth = 0,
                 .format = requested->format,
                 .channels = requested->channels,
                 .flags = 0});
}

HEDDLE_CUDA_EXPORT Result cuArray3DCreate_v2(abi::ArrayHandle* array,
                                             const abi::ArrayDescription3D* requested) {
  if (requested == nullptr) return refuse_null("cuArray3DCreate");
  return create("cuArray3DCreate", array, *requested);
}

HEDDLE_CUDA_EXPORT Result cuArrayDestroy(abi::ArrayHandle array) {
  return in_context("cuArrayDestroy", [&](Session&) {
    if (array == nullptr) throw Failure{Error::invalid_resource_handle};
    require(cudaFreeArray(array));
  });
}

HEDDLE_CUDA_EXPORT Result cuArrayGetDescriptor_v2(abi::ArrayDescription* result,
                                                  abi::ArrayHandle array) {
  return in_context("cuArrayGetDescriptor", [&](Session&) {
    const abi::ArrayDescription3D found = description_of(array);
    result_at(result) = {.width = found.width,
                         .height = found.height,
                         .format = found.format,
                         .channels = found.channels};
  });
}

HEDDLE_CUDA_EXPORT Result cuArray3DGetDescriptor_v2(abi::ArrayDescription3D* result,
                                                    abi::ArrayHandle array) {
  return in_context("cuArray3DGetDescriptor",
                    [&](Session&) { result_at(result) = description_of(array); });
}

HEDDLE_CUDA_EXPORT Result cuMipmappedArrayCreate(abi::MipmappedArrayHandle* array,
                                                 const abi::ArrayDescription3D* requested,
                                                 unsigned levels) {
  return in_context("cuMipmappedArrayCreate", [&](Session&) {
    const abi::ArrayDescription3D& description = result_at(requested);
    check_flags(description.flags);
    const abi::ChannelFormat format = format_of(description.format, description.channels);
    require(cudaMallocMipmappedArray(array, &format,
                                     {description.width, description.height, description.depth},
                                     levels, description.flags));
  });
}

HEDDLE_CUDA_EXPORT Result cuMipmappedArrayDestroy(abi::MipmappedArrayHandle array) {
  return in_context("cuMipmappedArrayDestroy", [&](Session&) {
    if (array == nullptr) throw Failure{Error::invalid_resource_handle};
    require(cudaFreeMipmappedArray(array));
  });
}

HEDDLE_CUDA_EXPORT Result cuMipmappedArrayGetLevel(abi::ArrayHandle* level,
                                                   abi::MipmappedArrayHandle array,
                                                   unsigned number) {
  return in_context("cuMipmappedArrayGetLevel",
                    [&](Session&) { require(cudaGetMipmappedArrayLevel(level, array, number)); });
}

}  // namespace heddle::cuda::driver
