// Checks that Heddle's types for CUDA's driver API have the sizes, offsets and numbers of CUDA's
// own declarations.

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "cuda/driver/abi.h"
#include "cuda/driver/result.h"

namespace heddle::cuda::driver {
namespace {

#define EXPECT_SAME_SIZE(ours, theirs) EXPECT_EQ(sizeof(ours), sizeof(theirs)) << #theirs
#define EXPECT_SAME_OFFSET(ours, our_field, theirs, their_field) \
  EXPECT_EQ(offsetof(ours, our_field), offsetof(theirs, their_field)) << #their_field

template <class Ours, class Theirs>
bool same(Ours ours, Theirs theirs) {
  return static_cast<long long>(ours) == static_cast<long long>(theirs);
}

TEST(DriverAbi, MatchesCopies) {
  EXPECT_SAME_SIZE(abi::DriverCopy2D, CUDA_MEMCPY2D);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, from.y, CUDA_MEMCPY2D, srcY);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, from.kind, CUDA_MEMCPY2D, srcMemoryType);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, from.array, CUDA_MEMCPY2D, srcArray);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, to.x_bytes, CUDA_MEMCPY2D, dstXInBytes);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, to.device, CUDA_MEMCPY2D, dstDevice);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, to.pitch, CUDA_MEMCPY2D, dstPitch);
  EXPECT_SAME_OFFSET(abi::DriverCopy2D, width_bytes, CUDA_MEMCPY2D, WidthInBytes);
  EXPECT_SAME_SIZE(abi::DriverCopy3D, CUDA_MEMCPY3D);
  EXPECT_SAME_OFFSET(abi::DriverCopy3D, from.level, CUDA_MEMCPY3D, srcLOD);
  EXPECT_SAME_OFFSET(abi::DriverCopy3D, from.host, CUDA_MEMCPY3D, srcHost);
  EXPECT_SAME_OFFSET(abi::DriverCopy3D, from.height, CUDA_MEMCPY3D, srcHeight);
  EXPECT_SAME_OFFSET(abi::DriverCopy3D, to.z, CUDA_MEMCPY3D, dstZ);
  EXPECT_SAME_OFFSET(abi::DriverCopy3D, to.pitch, CUDA_MEMCPY3D, dstPitch);
  EXPECT_SAME_OFFSET(abi::DriverCopy3D, depth, CUDA_MEMCPY3D, Depth);
  EXPECT_TRUE(same(abi::MemoryType::host, CU_MEMORYTYPE_HOST));
  EXPECT_TRUE(same(abi::MemoryType::device, CU_MEMORYTYPE_DEVICE));
  EXPECT_TRUE(same(abi::MemoryType::array, CU_MEMORYTYPE_ARRAY));
  EXPECT_TRUE(same(abi::MemoryType::unified, CU_MEMORYTYPE_UNIFIED));
}

TEST(DriverAbi, MatchesArrays) {
  EXPECT_SAME_SIZE(abi::ArrayDescription, CUDA_ARRAY_DESCRIPTOR);
  EXPECT_SAME_OFFSET(abi::ArrayDescription, channels, CUDA_ARRAY_DESCRIPTOR, NumChannels);
  EXPECT_SAME_SIZE(abi::ArrayDescription3D, CUDA_ARRAY3D_DESCRIPTOR);
  EXPECT_SAME_OFFSET(abi::ArrayDescription3D, format, CUDA_ARRAY3D_DESCRIPTOR, Format);
  EXPECT_SAME_OFFSET(abi::ArrayDescription3D, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags);
  EXPECT_TRUE(same(abi::ElementFormat::unsigned_8, CU_AD_FORMAT_UNSIGNED_INT8));
  EXPECT_TRUE(same(abi::ElementFormat::unsigned_32, CU_AD_FORMAT_UNSIGNED_INT32));
  EXPECT_TRUE(same(abi::ElementFormat::signed_16, CU_AD_FORMAT_SIGNED_INT16));
  EXPECT_TRUE(same(abi::ElementFormat::floating_16, CU_AD_FORMAT_HALF));
  EXPECT_TRUE(same(abi::ElementFormat::floating_32, CU_AD_FORMAT_FLOAT));
  EXPECT_TRUE(same(abi::kArrayLayered, CUDA_ARRAY3D_LAYERED));
  EXPECT_TRUE(same(abi::kArrayCube, CUDA_ARRAY3D_CUBEMAP));
}

TEST(DriverAbi, MatchesTexturesAndSurfaces) {
  EXPECT_SAME_SIZE(abi::DriverResource, CUDA_RESOURCE_DESC);
  EXPECT_SAME_OFFSET(abi::DriverResource, details.array, CUDA_RESOURCE_DESC, res.array.hArray);
  EXPECT_SAME_OFFSET(abi::DriverResource, details.linear.channels, CUDA_RESOURCE_DESC,
                     res.linear.numChannels);
  EXPECT_SAME_OFFSET(abi::DriverResource, details.linear.bytes, CUDA_RESOURCE_DESC,
                     res.linear.sizeInBytes);
  EXPECT_SAME_OFFSET(abi::DriverResource, details.pitched.width, CUDA_RESOURCE_DESC,
                     res.pitch2D.width);
  EXPECT_SAME_OFFSET(abi::DriverResource, details.pitched.pitch, CUDA_RESOURCE_DESC,
                     res.pitch2D.pitchInBytes);
  EXPECT_SAME_OFFSET(abi::DriverResource, flags, CUDA_RESOURCE_DESC, flags);
  EXPECT_TRUE(same(abi::ResourceKind::pitched, CU_RESOURCE_TYPE_PITCH2D));
  EXPECT_SAME_SIZE(abi::DriverTexture, CUDA_TEXTURE_DESC);
  EXPECT_SAME_OFFSET(abi::DriverTexture, flags, CUDA_TEXTURE_DESC, flags);
  EXPECT_SAME_OFFSET(abi::DriverTexture, level_bias, CUDA_TEXTURE_DESC, mipmapLevelBias);
  EXPECT_SAME_OFFSET(abi::DriverTexture, border, CUDA_TEXTURE_DESC, borderColor);
  EXPECT_TRUE(same(abi::kReadAsInteger, CU_TRSF_READ_AS_INTEGER));
  EXPECT_TRUE(same(abi::kNormalizedCoordinates, CU_TRSF_NORMALIZED_COORDINATES));
  EXPECT_TRUE(same(abi::kSrgb, CU_TRSF_SRGB));
  EXPECT_TRUE(same(abi::kWithoutTrilinear, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION));
  EXPECT_TRUE(same(abi::kSeamlessCube, CU_TRSF_SEAMLESS_CUBEMAP));
}

TEST(DriverAbi, MatchesLaunches) {
  EXPECT_SAME_SIZE(abi::DriverLaunch, CUlaunchConfig);
  EXPECT_SAME_OFFSET(abi::DriverLaunch, block, CUlaunchConfig, blockDimX);
  EXPECT_SAME_OFFSET(abi::DriverLaunch, dynamic_shared_bytes, CUlaunchConfig, sharedMemBytes);
  EXPECT_SAME_OFFSET(abi::DriverLaunch, stream, CUlaunchConfig, hStream);
  EXPECT_SAME_OFFSET(abi::DriverLaunch, attribute_count, CUlaunchConfig, numAttrs);
  EXPECT_SAME_SIZE(abi::LaunchAttribute, CUlaunchAttribute);
  EXPECT_SAME_OFFSET(abi::LaunchAttribute, value, CUlaunchAttribute, value);
  EXPECT_TRUE(same(abi::kCooperativeAttribute, CU_LAUNCH_ATTRIBUTE_COOPERATIVE));
  const auto number = [](void* value) { return reinterpret_cast<std::uintptr_t>(value); };
  EXPECT_EQ(abi::kExtraEnd, number(CU_LAUNCH_PARAM_END));
  EXPECT_EQ(abi::kExtraBuffer, number(CU_LAUNCH_PARAM_BUFFER_POINTER));
  EXPECT_EQ(abi::kExtraBytes, number(CU_LAUNCH_PARAM_BUFFER_SIZE));
}

TEST(DriverAbi, MatchesDevicesPoolsAndLocations) {
  EXPECT_SAME_SIZE(abi::OldDeviceProperties, CUdevprop);
  EXPECT_SAME_OFFSET(abi::OldDeviceProperties, kilohertz, CUdevprop, clockRate);
  EXPECT_SAME_SIZE(abi::Uuid, CUuuid);
  EXPECT_SAME_SIZE(abi::PoolProperties, CUmemPoolProps);
  EXPECT_SAME_OFFSET(abi::PoolProperties, max_bytes, CUmemPoolProps, maxSize);
  EXPECT_SAME_SIZE(abi::MemoryAccess, CUmemAccessDesc);
  EXPECT_SAME_SIZE(abi::MemoryLocation, CUmemLocation);
  EXPECT_TRUE(same(abi::Limit::heap_bytes, CU_LIMIT_MALLOC_HEAP_SIZE));
}

TEST(DriverAbi, HasDeviceAttributeNumbersOfRuntime) {
  EXPECT_TRUE(same(cudaDevAttrClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  EXPECT_TRUE(
      same(cudaDevAttrMaxTexture2DLinearPitch, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH));
  EXPECT_TRUE(same(cudaDevAttrMaxSharedMemoryPerBlockOptin,
                   CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  EXPECT_TRUE(same(cudaDevAttrMemoryPoolsSupported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  EXPECT_TRUE(same(cudaDevAttrHostNumaId, CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID));
}

TEST(DriverAbi, MatchesOptionAndAttributeNumbers) {
  using Pointer = abi::PointerAttribute;
  EXPECT_TRUE(same(Pointer::memory_kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE));
  EXPECT_TRUE(same(Pointer::is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED));
  EXPECT_TRUE(same(Pointer::range_bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE));
  EXPECT_TRUE(same(Pointer::access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS));
  EXPECT_TRUE(same(abi::JitOption::max_registers, CU_JIT_MAX_REGISTERS));
  EXPECT_TRUE(same(abi::JitOption::error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
  EXPECT_TRUE(same(abi::JitOption::symbol_count, CU_JIT_GLOBAL_SYMBOL_COUNT));
  EXPECT_TRUE(same(abi::LinkInput::fat_binary, CU_JIT_INPUT_FATBINARY));
  EXPECT_TRUE(same(abi::FunctionAttribute::max_dynamic_shared_bytes,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
}

TEST(DriverAbi, MatchesResultNumbers) {
  EXPECT_TRUE(same(Result::not_initialized, CUDA_ERROR_NOT_INITIALIZED));
  EXPECT_TRUE(same(Result::deinitialized, CUDA_ERROR_DEINITIALIZED));
  EXPECT_TRUE(same(Result::invalid_context, CUDA_ERROR_INVALID_CONTEXT));
  EXPECT_TRUE(same(Result::no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU));
  EXPECT_TRUE(same(Result::invalid_ptx, CUDA_ERROR_INVALID_PTX));
  EXPECT_TRUE(same(Result::file_not_found, CUDA_ERROR_FILE_NOT_FOUND));
  EXPECT_TRUE(same(Result::invalid_handle, CUDA_ERROR_INVALID_HANDLE));
  EXPECT_TRUE(same(Result::not_found, CUDA_ERROR_NOT_FOUND));
  EXPECT_TRUE(same(Result::already_registered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED));
  EXPECT_TRUE(same(Result::launch_failed, CUDA_ERROR_LAUNCH_FAILED));
  EXPECT_TRUE(same(Result::not_supported, CUDA_ERROR_NOT_SUPPORTED));
}

}  // namespace
}  // namespace heddle::cuda::driver
