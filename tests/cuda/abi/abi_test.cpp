// Checks that Heddle's types for CUDA's runtime API have the sizes, offsets and numbers of CUDA's
// own declarations.

#include "cuda/runtime/abi.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "cuda/runtime/device_properties.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda {
namespace {

#define EXPECT_SAME_SIZE(ours, theirs) EXPECT_EQ(sizeof(ours), sizeof(theirs)) << #theirs
#define EXPECT_SAME_OFFSET(ours, our_field, theirs, their_field) \
  EXPECT_EQ(offsetof(ours, our_field), offsetof(theirs, their_field)) << #their_field

TEST(Abi, MatchesExtentsAndLocations) {
  EXPECT_SAME_SIZE(abi::Dim3, dim3);
  EXPECT_SAME_SIZE(abi::Extent, cudaExtent);
  EXPECT_SAME_SIZE(abi::Position, cudaPos);
  EXPECT_SAME_SIZE(abi::PitchedPointer, cudaPitchedPtr);
  EXPECT_SAME_OFFSET(abi::PitchedPointer, height, cudaPitchedPtr, ysize);
  EXPECT_SAME_SIZE(abi::MemoryLocation, cudaMemLocation);
  EXPECT_SAME_SIZE(abi::MemoryAccess, cudaMemAccessDesc);
  EXPECT_SAME_SIZE(abi::PoolProperties, cudaMemPoolProps);
  EXPECT_SAME_OFFSET(abi::PoolProperties, max_bytes, cudaMemPoolProps, maxSize);
}

TEST(Abi, MatchesThreeDimensionalCopies) {
  EXPECT_SAME_SIZE(abi::Copy3D, cudaMemcpy3DParms);
  EXPECT_SAME_OFFSET(abi::Copy3D, from_pointer, cudaMemcpy3DParms, srcPtr);
  EXPECT_SAME_OFFSET(abi::Copy3D, to_array, cudaMemcpy3DParms, dstArray);
  EXPECT_SAME_OFFSET(abi::Copy3D, extent, cudaMemcpy3DParms, extent);
  EXPECT_SAME_OFFSET(abi::Copy3D, kind, cudaMemcpy3DParms, kind);
}

TEST(Abi, MatchesTexturesAndSurfaces) {
  EXPECT_SAME_SIZE(abi::ChannelFormat, cudaChannelFormatDesc);
  EXPECT_SAME_OFFSET(abi::ChannelFormat, kind, cudaChannelFormatDesc, f);
  EXPECT_SAME_SIZE(abi::ResourceDescription, cudaResourceDesc);
  EXPECT_SAME_OFFSET(abi::ResourceDescription, details.linear.bytes, cudaResourceDesc,
                     res.linear.sizeInBytes);
  EXPECT_SAME_OFFSET(abi::ResourceDescription, details.pitched.pitch, cudaResourceDesc,
                     res.pitch2D.pitchInBytes);
  EXPECT_SAME_OFFSET(abi::ResourceDescription, flags, cudaResourceDesc, flags);
  EXPECT_SAME_SIZE(abi::TextureDescription, cudaTextureDesc);
  EXPECT_SAME_OFFSET(abi::TextureDescription, normalized_coordinates, cudaTextureDesc,
                     normalizedCoords);
  EXPECT_SAME_OFFSET(abi::TextureDescription, greatest_level, cudaTextureDesc, maxMipmapLevelClamp);
  EXPECT_SAME_SIZE(abi::ResourceView, cudaResourceViewDesc);
}

TEST(Abi, MatchesPointersKernelsAndLaunches) {
  EXPECT_SAME_SIZE(abi::PointerAttributes, cudaPointerAttributes);
  EXPECT_SAME_SIZE(abi::FunctionAttributes, cudaFuncAttributes);
  EXPECT_SAME_OFFSET(abi::FunctionAttributes, registers, cudaFuncAttributes, numRegs);
  EXPECT_SAME_OFFSET(abi::FunctionAttributes, carveout, cudaFuncAttributes, preferredShmemCarveout);
  EXPECT_SAME_SIZE(abi::LaunchAttribute, cudaLaunchAttribute);
  EXPECT_SAME_OFFSET(abi::LaunchAttribute, value, cudaLaunchAttribute, val);
  EXPECT_SAME_SIZE(abi::LaunchConfiguration, cudaLaunchConfig_t);
  EXPECT_SAME_OFFSET(abi::LaunchConfiguration, attribute_count, cudaLaunchConfig_t, numAttrs);
  EXPECT_EQ(abi::kCooperativeAttribute, static_cast<int>(cudaLaunchAttributeCooperative));
  EXPECT_EQ(abi::kCarveoutAttribute,
            static_cast<int>(cudaLaunchAttributePreferredSharedMemoryCarveout));
}

TEST(Abi, MatchesDeviceProperties) {
  using Ours = abi::DeviceProperties;
  EXPECT_SAME_SIZE(Ours, cudaDeviceProp);
  EXPECT_SAME_OFFSET(Ours, memory_bytes, cudaDeviceProp, totalGlobalMem);
  EXPECT_SAME_OFFSET(Ours, max_grid_extent, cudaDeviceProp, maxGridSize);
  EXPECT_SAME_OFFSET(Ours, major, cudaDeviceProp, major);
  EXPECT_SAME_OFFSET(Ours, multiprocessors, cudaDeviceProp, multiProcessorCount);
  EXPECT_SAME_OFFSET(Ours, max_texture_2d_linear, cudaDeviceProp, maxTexture2DLinear);
  EXPECT_SAME_OFFSET(Ours, max_surface_cube_layered, cudaDeviceProp, maxSurfaceCubemapLayered);
  EXPECT_SAME_OFFSET(Ours, surface_alignment, cudaDeviceProp, surfaceAlignment);
  EXPECT_SAME_OFFSET(Ours, unified_addressing, cudaDeviceProp, unifiedAddressing);
  EXPECT_SAME_OFFSET(Ours, l2_bytes, cudaDeviceProp, l2CacheSize);
  EXPECT_SAME_OFFSET(Ours, shared_bytes_per_multiprocessor, cudaDeviceProp,
                     sharedMemPerMultiprocessor);
  EXPECT_SAME_OFFSET(Ours, managed_memory, cudaDeviceProp, managedMemory);
  EXPECT_SAME_OFFSET(Ours, cooperative_launch, cudaDeviceProp, cooperativeLaunch);
  EXPECT_SAME_OFFSET(Ours, shared_bytes_per_block_opt_in, cudaDeviceProp, sharedMemPerBlockOptin);
  EXPECT_SAME_OFFSET(Ours, blocks_per_multiprocessor, cudaDeviceProp, maxBlocksPerMultiProcessor);
  EXPECT_SAME_OFFSET(Ours, memory_pools, cudaDeviceProp, memoryPoolsSupported);
  EXPECT_SAME_OFFSET(Ours, reserved, cudaDeviceProp, reserved);
}

TEST(Abi, MatchesErrorNumbers) {
  const auto number = [](Error error) { return static_cast<int>(error); };
  EXPECT_EQ(number(Error::memory_allocation), cudaErrorMemoryAllocation);
  EXPECT_EQ(number(Error::invalid_configuration), cudaErrorInvalidConfiguration);
  EXPECT_EQ(number(Error::invalid_pitch), cudaErrorInvalidPitchValue);
  EXPECT_EQ(number(Error::invalid_symbol), cudaErrorInvalidSymbol);
  EXPECT_EQ(number(Error::invalid_copy_direction), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(number(Error::invalid_function), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(number(Error::invalid_device), cudaErrorInvalidDevice);
  EXPECT_EQ(number(Error::no_image_for_device), cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(number(Error::invalid_ptx), cudaErrorInvalidPtx);
  EXPECT_EQ(number(Error::invalid_resource_handle), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(number(Error::illegal_address), cudaErrorIllegalAddress);
  EXPECT_EQ(number(Error::launch_out_of_resources), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(number(Error::launch_timeout), cudaErrorLaunchTimeout);
  EXPECT_EQ(number(Error::assertion), cudaErrorAssert);
  EXPECT_EQ(number(Error::misaligned_address), cudaErrorMisalignedAddress);
  EXPECT_EQ(number(Error::launch_failure), cudaErrorLaunchFailure);
  EXPECT_EQ(number(Error::cooperative_launch_too_large), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(number(Error::not_supported), cudaErrorNotSupported);
}

TEST(Abi, MatchesDeviceAttributeNumbers) {
  const gpu::Machine machine;
  const std::uint64_t bytes = 1 << 30;
  const abi::DeviceProperties properties = properties_of(machine, bytes);
  const auto attribute = [&](cudaDeviceAttr number) {
    return device_attribute(static_cast<int>(number), machine, bytes);
  };
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), properties.max_threads_per_block);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimZ), properties.max_grid_extent[2]);
  EXPECT_EQ(attribute(cudaDevAttrMaxRegistersPerBlock), properties.registers_per_block);
  EXPECT_EQ(attribute(cudaDevAttrClockRate), 1000 * static_cast<int>(machine.clock.core_mhz));
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiprocessors);
  EXPECT_EQ(attribute(cudaDevAttrL2CacheSize), properties.l2_bytes);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
            properties.threads_per_multiprocessor);
  EXPECT_EQ(attribute(cudaDevAttrMaxSurface2DLayeredHeight), properties.max_surface_2d_layered[1]);
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture2DLinearPitch), properties.max_texture_2d_linear[2]);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMinor), properties.minor);
  EXPECT_EQ(attribute(cudaDevAttrManagedMemory), 1);
  EXPECT_EQ(attribute(cudaDevAttrCooperativeLaunch), 1);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlocksPerMultiprocessor), properties.blocks_per_multiprocessor);
  EXPECT_EQ(attribute(cudaDevAttrMemoryPoolsSupported), 1);
  EXPECT_EQ(attribute(cudaDevAttrHostNumaId), -1);
  EXPECT_EQ(attribute(cudaDevAttrPageableMemoryAccess), 0);
}

}  // namespace
}  // namespace heddle::cuda
