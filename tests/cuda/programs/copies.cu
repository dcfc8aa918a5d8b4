// Two- and three-dimensional memory, copies and fills.
#include <vector>

#include "check.h"

__global__ void scale(cudaPitchedPtr volume, cudaExtent extent) {
  char* const base = static_cast<char*>(volume.ptr);
  const size_t x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  float* const row = reinterpret_cast<float*>(base + (z * extent.height + y) * volume.pitch);
  row[x] *= 2;
}

int main() {
  constexpr size_t kX = 5, kY = 4, kZ = 3;
  std::vector<float> host(kX * kY * kZ), back(host.size());
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  const cudaExtent extent = make_cudaExtent(kX * sizeof(float), kY, kZ);
  cudaPitchedPtr volume{};
  CALL(cudaMalloc3D(&volume, extent));
  EXPECT(volume.pitch % 32 == 0 && volume.pitch >= extent.width);
  cudaPitchedPtr too_large{};  // Its number of rows is 2^64.
  EXPECT(cudaMalloc3D(&too_large, make_cudaExtent(1, size_t(1) << 44, size_t(1) << 20)) ==
         cudaErrorMemoryAllocation);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), kX * sizeof(float), kX, kY);
  copy.dstPtr = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  scale<<<kZ, dim3(kX, kY)>>>(volume, extent);
  cudaMemcpy3DParms out{};
  out.srcPtr = volume;
  out.dstPtr = make_cudaPitchedPtr(back.data(), kX * sizeof(float), kX, kY);
  out.extent = extent;
  out.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&out));
  bool right = true;
  for (size_t i = 0; i < host.size(); ++i) right &= back[i] == 2 * host[i];
  EXPECT(right);

  // A part, to another place.
  std::vector<float> part(host.size(), -1);
  cudaMemcpy3DParms inner{};
  inner.srcPtr = volume;
  inner.srcPos = make_cudaPos(1 * sizeof(float), 1, 1);
  inner.dstPtr = make_cudaPitchedPtr(part.data(), kX * sizeof(float), kX, kY);
  inner.extent = make_cudaExtent(2 * sizeof(float), 2, 2);
  inner.kind = cudaMemcpyDefault;
  CALL(cudaMemcpy3D(&inner));
  EXPECT(part[0] == 2 * host[(1 * kY + 1) * kX + 1]);
  EXPECT(part[kX * kY + kX + 1] == 2 * host[(2 * kY + 2) * kX + 2]);
  EXPECT(part[2] == -1);

  void* rows = nullptr;
  size_t pitch = 0;
  CALL(cudaMallocPitch(&rows, &pitch, kX, kY));
  CALL(cudaMemset2D(rows, pitch, 7, kX, kY));
  char bytes[kY][kX];
  CALL(cudaMemcpy2D(bytes, kX, rows, pitch, kX, kY, cudaMemcpyDeviceToHost));
  EXPECT(bytes[0][0] == 7 && bytes[kY - 1][kX - 1] == 7);
  EXPECT(cudaMemcpy2D(bytes, 2, rows, pitch, kX, kY, cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidPitchValue);

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CALL(cudaMalloc3DArray(&array, &format, make_cudaExtent(kX, kY, kZ)));
  cudaMemcpy3DParms to_array{};
  to_array.srcPtr = make_cudaPitchedPtr(host.data(), kX * sizeof(float), kX, kY);
  to_array.dstArray = array;
  to_array.extent = make_cudaExtent(kX, kY, kZ);
  to_array.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&to_array));
  cudaMemcpy3DParms from_array{};
  from_array.srcArray = array;
  from_array.dstPtr = make_cudaPitchedPtr(back.data(), kX * sizeof(float), kX, kY);
  from_array.extent = make_cudaExtent(kX, kY, kZ);
  from_array.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&from_array));
  EXPECT(back == host);
  cudaExtent told{};
  CALL(cudaArrayGetInfo(nullptr, &told, nullptr, array));
  EXPECT(told.width == kX && told.height == kY && told.depth == kZ);
  return verdict();
}
