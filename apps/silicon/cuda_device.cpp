#include "cuda_device.h"

#include <algorithm>

#include "cuda_check.h"

namespace heddle::silicon {
namespace {

void* pointer(workload::Address address) { return reinterpret_cast<void*>(address); }

workload::Address address_of(const void* pointer) {
  return reinterpret_cast<workload::Address>(pointer);
}

}  // namespace

CudaDevice::CudaDevice(const workload::Workload& workload)
    : CudaDevice(std::string(ptx_of(workload, code::MultiplyAdd::fused))) {}

CudaDevice::CudaDevice(const std::string& ptx) {
  check(cudaLibraryLoadData(&library_, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "loading the kernels");
  check(cudaEventCreate(&begin_), "creating an event");
  check(cudaEventCreate(&end_), "creating an event");
}

CudaDevice::~CudaDevice() {
  for (const cudaTextureObject_t texture : textures_) cudaDestroyTextureObject(texture);
  for (const cudaArray_t array : arrays_) cudaFreeArray(array);
  for (void* allocation : allocations_) cudaFree(allocation);
  if (begin_ != nullptr) cudaEventDestroy(begin_);
  if (end_ != nullptr) cudaEventDestroy(end_);
  if (library_ != nullptr) cudaLibraryUnload(library_);
}

workload::Address CudaDevice::allocate_bytes(std::uint64_t bytes, std::string_view) {
  void* allocation = nullptr;
  check(cudaMalloc(&allocation, bytes), "allocating device memory");
  allocations_.push_back(allocation);
  return address_of(allocation);
}

void CudaDevice::write_bytes(workload::Address to, std::span<const std::byte> from) {
  check(cudaMemcpy(pointer(to), from.data(), from.size(), cudaMemcpyHostToDevice),
        "copying to the device");
}

void CudaDevice::read_bytes(std::span<std::byte> to, workload::Address from) {
  check(cudaMemcpy(to.data(), pointer(from), to.size(), cudaMemcpyDeviceToHost),
        "copying from the device");
}

void CudaDevice::copy_bytes(workload::Address to, workload::Address from, std::uint64_t bytes) {
  check(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice),
        "copying within the device");
}

void CudaDevice::fill_bytes(workload::Address to, std::uint8_t value, std::uint64_t bytes) {
  check(cudaMemset(pointer(to), value, bytes), "filling device memory");
}

workload::Address CudaDevice::symbol_address(std::string_view name) {
  void* address = nullptr;
  std::size_t bytes = 0;
  check(cudaLibraryGetGlobal(&address, &bytes, library_, std::string(name).c_str()),
        "finding a device variable");
  return address_of(address);
}

workload::TextureHandle CudaDevice::create_texture(const workload::TextureDescription& description,
                                                   std::span<const std::byte> texels) {
  using workload::TextureDescription;
  const bool has_byte_texels = description.texel == TextureDescription::Texel::u8;
  const int bits = has_byte_texels ? 8 : 32;
  const auto bits_of = [&](std::uint32_t channel) {
    return channel < description.channels ? bits : 0;
  };
  const cudaChannelFormatDesc format{
      .x = bits_of(0),
      .y = bits_of(1),
      .z = bits_of(2),
      .w = bits_of(3),
      .f = has_byte_texels ? cudaChannelFormatKindUnsigned : cudaChannelFormatKindFloat};
  cudaArray_t array = nullptr;
  check(cudaMallocArray(&array, &format, description.width, description.height, 0),
        "allocating a texture");
  arrays_.push_back(array);
  const std::size_t row_bytes =
      std::size_t{description.width} * description.channels * static_cast<std::size_t>(bits / 8);
  check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes, row_bytes, description.height,
                            cudaMemcpyHostToDevice),
        "copying to a texture");
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampler{};
  for (cudaTextureAddressMode& mode : sampler.addressMode) {
    mode = description.edge == TextureDescription::Edge::wrap ? cudaAddressModeWrap
                                                              : cudaAddressModeClamp;
  }
  sampler.filterMode = description.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  sampler.readMode =
      description.read_as_fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  sampler.normalizedCoords = description.normalized_coordinates ? 1 : 0;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr), "creating a texture");
  textures_.push_back(texture);
  return {texture};
}

cudaKernel_t CudaDevice::kernel_of(std::string_view name, std::uint32_t dynamic_shared_bytes) {
  cudaKernel_t function = nullptr;
  check(cudaLibraryGetKernel(&function, library_, std::string(name).c_str()), "finding a kernel");
  // CUDA allows 48 KB unless the limit is raised.
  if (dynamic_shared_bytes > 48 * 1024) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(function),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(dynamic_shared_bytes)),
          "raising the limit of shared memory");
  }
  return function;
}

std::uint32_t CudaDevice::resident_blocks(std::string_view kernel, const Dim3& block) {
  int device = 0, multiprocessors = 0, blocks = 0;
  check(cudaGetDevice(&device), "finding the GPU");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "counting multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, reinterpret_cast<const void*>(kernel_of(kernel, 0)),
            static_cast<int>(block.count()), 0),
        "querying occupancy");
  return static_cast<std::uint32_t>(std::max(1, blocks * multiprocessors));
}

void CudaDevice::launch_kernel(std::string_view kernel, const workload::LaunchShape& shape,
                               const device::Arguments& arguments) {
  const cudaKernel_t function = kernel_of(kernel, shape.dynamic_shared_bytes);
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    pointers.push_back(const_cast<std::byte*>(arguments[i].data()));
  }
  // The query makes CUDA load the kernel now, so that the measured time does not include it.
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(function)),
        "loading a kernel");
  const auto extent = [](const Dim3& d) { return dim3{d.x, d.y, d.z}; };
  check(cudaEventRecord(begin_, nullptr), "recording an event");
  check(cudaLaunchKernel(reinterpret_cast<const void*>(function), extent(shape.grid),
                         extent(shape.block), pointers.data(), shape.dynamic_shared_bytes, nullptr),
        "launching a kernel");
  check(cudaEventRecord(end_, nullptr), "recording an event");
  check(cudaEventSynchronize(end_), "running a kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading an event");
  launches_.push_back(
      {.kernel = std::string(kernel), .nanoseconds = static_cast<double>(milliseconds) * 1e6});
}

}  // namespace heddle::silicon
