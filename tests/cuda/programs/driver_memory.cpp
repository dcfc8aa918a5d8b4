// Tests memory calls of the driver API: copies of one to three dimensions, fills, attributes of
// pointers.
#include <cstring>
#include <vector>

#include "driver_check.h"

void copy_rows() {
  constexpr size_t kWidth = 40, kHeight = 7;
  CUdeviceptr pitched = 0;
  size_t pitch = 0;
  CALL(cuMemAllocPitch(&pitched, &pitch, kWidth, kHeight, 4));
  EXPECT(pitch >= kWidth && pitch % 4 == 0);
  std::vector<unsigned char> from(64 * 10), to(100 * 10, 0xee);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7);
  CUDA_MEMCPY2D copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from.data();
  copy.srcPitch = 64;
  copy.srcXInBytes = 5;
  copy.srcY = 2;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = pitched;
  copy.dstPitch = pitch;
  copy.WidthInBytes = kWidth;
  copy.Height = kHeight;
  CALL(cuMemcpy2D(&copy));
  CUDA_MEMCPY2D back = copy;
  back.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  back.srcDevice = pitched;
  back.srcPitch = pitch;
  back.srcXInBytes = 3;
  back.srcY = 1;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = to.data();
  back.dstPitch = 100;
  back.dstXInBytes = 20;
  back.dstY = 4;
  back.WidthInBytes = kWidth - 3;
  back.Height = kHeight - 1;
  CALL(cuMemcpy2DAsync(&back, nullptr));
  bool right = true;
  for (size_t y = 0; y < 10; ++y) {
    for (size_t x = 0; x < 100; ++x) {
      const bool inside = y >= 4 && y < 4 + kHeight - 1 && x >= 20 && x < 20 + kWidth - 3;
      const unsigned char expected = inside ? from[(2 + 1 + y - 4) * 64 + 5 + 3 + x - 20] : 0xee;
      right = right && to[y * 100 + x] == expected;
    }
  }
  EXPECT(right);
  copy.dstPitch = kWidth - 1;
  EXPECT(cuMemcpy2D(&copy) == CUDA_ERROR_INVALID_VALUE);
  CALL(cuMemFree(pitched));
}

void copy_boxes() {
  constexpr size_t kX = 6, kY = 5, kZ = 4;
  std::vector<unsigned char> from(kX * kY * kZ), to(3 * 2 * 2);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i);
  CUdeviceptr memory = 0;
  CALL(cuMemAlloc(&memory, from.size()));
  CALL(cuMemcpyHtoD(memory, from.data(), from.size()));
  CUDA_MEMCPY3D copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.srcPitch = kX;
  copy.srcHeight = kY;
  copy.srcXInBytes = 1;
  copy.srcY = 2;
  copy.srcZ = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to.data();
  copy.dstPitch = 3;
  copy.dstHeight = 2;
  copy.WidthInBytes = 3;
  copy.Height = 2;
  copy.Depth = 2;
  CALL(cuMemcpy3D(&copy));
  for (size_t z = 0; z < 2; ++z) {
    for (size_t y = 0; y < 2; ++y) {
      for (size_t x = 0; x < 3; ++x) {
        EXPECT(to[(z * 2 + y) * 3 + x] == ((z + 1) * kY + y + 2) * kX + x + 1);
      }
    }
  }
  CALL(cuMemFree(memory));
}

void fill() {
  CUdeviceptr memory = 0;
  CALL(cuMemAlloc(&memory, 40000));
  std::vector<unsigned char> bytes(40000);
  CALL(cuMemsetD8(memory, 0x11, 40000));
  CALL(cuMemsetD16(memory + 2, 0xabcd, 3));
  CALL(cuMemsetD32Async(memory + 100, 0x01020304, 9000, nullptr));
  CALL(cuMemsetD2D16(memory + 38000, 100, 0x2233, 2, 3));
  CALL(cuMemcpyDtoH(bytes.data(), memory, bytes.size()));
  EXPECT(bytes[1] == 0x11 && bytes[2] == 0xcd && bytes[3] == 0xab && bytes[7] == 0xab);
  EXPECT(bytes[8] == 0x11 && bytes[99] == 0x11 && bytes[100] == 4 && bytes[103] == 1);
  EXPECT(bytes[36099] == 1 && bytes[36100] == 0x11);
  EXPECT(bytes[38000] == 0x33 && bytes[38003] == 0x22 && bytes[38004] == 0x11);
  EXPECT(bytes[38200] == 0x33 && bytes[38300] == 0x11);
  EXPECT(cuMemsetD32(memory + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  int host = 0;
  EXPECT(cuMemsetD32(reinterpret_cast<CUdeviceptr>(&host), 1, 1) == CUDA_ERROR_INVALID_VALUE);
  CALL(cuMemFree(memory));
  EXPECT(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemAlloc(&memory, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemAlloc(&memory, size_t{1} << 50) == CUDA_ERROR_OUT_OF_MEMORY);
}

void query_pointers(CUcontext context) {
  CUdeviceptr memory = 0, managed = 0, base = 0, start = 0;
  void* host = nullptr;
  CALL(cuMemAlloc(&memory, 1000));
  CALL(cuMemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL));
  CALL(cuMemHostAlloc(&host, 100, CU_MEMHOSTALLOC_DEVICEMAP));
  size_t size = 0;
  CALL(cuMemGetAddressRange(&base, &size, memory + 500));
  EXPECT(base == memory && size == 1000);
  EXPECT(cuMemGetAddressRange(&base, &size, 16) == CUDA_ERROR_NOT_FOUND);

  CUmemorytype kind = CU_MEMORYTYPE_ARRAY;
  CALL(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  EXPECT(kind == CU_MEMORYTYPE_DEVICE);
  CALL(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                             reinterpret_cast<CUdeviceptr>(host)));
  EXPECT(kind == CU_MEMORYTYPE_HOST);
  unsigned is_managed = 7;
  CALL(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  EXPECT(is_managed == 1);
  CUcontext owner = nullptr;
  CALL(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  EXPECT(owner == context);
  CALL(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 10));
  CALL(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 10));
  EXPECT(size == 1000 && start == memory);
  unsigned host_values[3] = {};
  const auto host_address = reinterpret_cast<CUdeviceptr>(&host_values);
  EXPECT(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, host_address) ==
         CUDA_ERROR_INVALID_VALUE);
  void* at = &host_values;
  CUpointer_attribute queries[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  void* values[] = {&kind, &at};
  CALL(cuPointerGetAttributes(2, queries, values, host_address));
  EXPECT(kind == 0 && at == nullptr);
  CALL(cuPointerGetAttributes(2, queries, values, memory));
  EXPECT(kind == CU_MEMORYTYPE_DEVICE && reinterpret_cast<CUdeviceptr>(at) == memory);

  CUdeviceptr pinned_address = 0;
  CALL(cuMemHostGetDevicePointer(&pinned_address, host, 0));
  CALL(cuMemsetD8(pinned_address, 9, 100));
  EXPECT(static_cast<char*>(host)[99] == 9);
  CALL(cuMemFreeHost(host));
  CALL(cuMemHostRegister(&host_values, sizeof host_values, 0));
  EXPECT(cuMemHostRegister(&host_values, sizeof host_values, 0) ==
         CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CUdeviceptr registered_address = 0;
  CALL(cuMemHostGetDevicePointer(&registered_address, &host_values, 0));
  CALL(cuMemsetD32(registered_address, 0x01020304, 2));
  CALL(cuStreamWriteValue32(nullptr, registered_address + 8, 12, 0));
  const unsigned found[] = {0x01020304, 0x01020304, 12};
  EXPECT(std::memcmp(&host_values, found, sizeof found) == 0);
  std::memset(&host_values, 0, 4);
  CALL(cuStreamWaitValue32(nullptr, registered_address, 0, CU_STREAM_WAIT_VALUE_EQ));
  EXPECT(cuMemsetD8(registered_address, 1, sizeof host_values + 1) == CUDA_ERROR_INVALID_VALUE);
  CALL(cuMemHostUnregister(&host_values));
  EXPECT(cuMemHostUnregister(&host_values) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

void use_stream_ordered_memory() {
  CUstream stream = nullptr;
  CALL(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CUmemoryPool pool = nullptr;
  CALL(cuDeviceGetDefaultMemPool(&pool, 0));
  CUdeviceptr first = 0, second = 0;
  CALL(cuMemAllocAsync(&first, 64, stream));
  CALL(cuMemAllocFromPoolAsync(&second, 64, pool, stream));
  CALL(cuMemcpyHtoDAsync(first, "0123456", 8, stream));
  CALL(cuMemcpyDtoDAsync(second, first, 8, stream));
  CALL(cuStreamWriteValue32(stream, second + 8, 77, 0));
  CALL(cuStreamWaitValue32(stream, second + 8, 77, CU_STREAM_WAIT_VALUE_EQ));
  CALL(cuStreamWaitValue32(stream, second + 8, 70, CU_STREAM_WAIT_VALUE_GEQ));
  EXPECT(cuStreamWaitValue32(stream, second + 8, 78, CU_STREAM_WAIT_VALUE_EQ) ==
         CUDA_ERROR_NOT_SUPPORTED);
  char back[12];
  CALL(cuMemcpyDtoHAsync(back, second, sizeof back, stream));
  CALL(cuStreamSynchronize(stream));
  EXPECT(std::strcmp(back, "0123456") == 0 && back[8] == 77);
  CALL(cuMemcpy(first, reinterpret_cast<CUdeviceptr>("abcdefg"), 8));
  CALL(cuMemcpyDtoH(back, first, 8));
  EXPECT(std::strcmp(back, "abcdefg") == 0);
  EXPECT(cuMemcpyDtoH(back, reinterpret_cast<CUdeviceptr>(back), 4) == CUDA_ERROR_INVALID_VALUE);
  CALL(cuMemFreeAsync(first, stream));
  CALL(cuMemFreeAsync(second, stream));
  CALL(cuStreamDestroy(stream));
}

int main() {
  const CUcontext context = begin();
  size_t free_bytes = 0, total = 0, device_bytes = 0, after = 0;
  CALL(cuMemGetInfo(&free_bytes, &total));
  CALL(cuDeviceTotalMem(&device_bytes, 0));
  EXPECT(total == device_bytes && free_bytes <= total);
  copy_rows();
  copy_boxes();
  fill();
  use_stream_ordered_memory();
  CALL(cuMemGetInfo(&after, &total));
  EXPECT(after == free_bytes);
  query_pointers(context);
  return verdict();
}
