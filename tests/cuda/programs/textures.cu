// Texture and surface objects over arrays, linear and pitched memory, and mipmaps.
#include "check.h"

__global__ void sample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 1.0f, 1.0f);
}
__global__ void fetch(cudaTextureObject_t texture, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x);
}
__global__ void read_pitched(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 2.5f);
}
__global__ void store(cudaSurfaceObject_t surface) {
  const float old = surf2Dread<float>(surface, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(old + 100, surface, threadIdx.x * 4, threadIdx.y);
}
__global__ void read_level(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLod<float>(texture, 0.5f, 0.5f, float(threadIdx.x));
}

cudaResourceDesc of_array(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  constexpr int kWidth = 8, kHeight = 4;
  float host[kHeight][kWidth];
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) host[y][x] = float(10 * y + x);
  }
  float* out = nullptr;
  CALL(cudaMallocManaged(&out, 64 * sizeof(float)));

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CALL(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  CALL(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], kHeight,
                           cudaMemcpyHostToDevice));
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  const cudaResourceDesc resource = of_array(array);
  CALL(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  sample<<<1, 6>>>(texture, out);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) EXPECT(out[i] == 5.5f + i);  // Between four texels.
  CALL(cudaDestroyTextureObject(texture));

  cudaSurfaceObject_t surface = 0;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  store<<<1, dim3(kWidth, kHeight)>>>(surface);
  float back[kHeight][kWidth];
  CALL(cudaMemcpy2DFromArray(back, sizeof back[0], array, 0, 0, sizeof back[0], kHeight,
                             cudaMemcpyDeviceToHost));
  EXPECT(back[0][0] == 100 && back[3][7] == 137);
  CALL(cudaDestroySurfaceObject(surface));

  int* numbers = nullptr;
  CALL(cudaMallocManaged(&numbers, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) numbers[i] = i * i;
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = numbers;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  linear.res.linear.sizeInBytes = 32 * sizeof(int);
  cudaTextureDesc plain{};
  CALL(cudaCreateTextureObject(&texture, &linear, &plain, nullptr));
  int* fetched = nullptr;
  CALL(cudaMallocManaged(&fetched, 32 * sizeof(int)));
  fetch<<<1, 32>>>(texture, fetched);
  CALL(cudaDeviceSynchronize());
  EXPECT(fetched[31] == 961 && fetched[3] == 9);
  CALL(cudaDestroyTextureObject(texture));

  void* rows = nullptr;
  size_t pitch = 0;
  CALL(cudaMallocPitch(&rows, &pitch, sizeof host[0], kHeight));
  CALL(cudaMemcpy2D(rows, pitch, host, sizeof host[0], sizeof host[0], kHeight,
                    cudaMemcpyHostToDevice));
  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = rows;
  pitched.res.pitch2D.desc = format;
  pitched.res.pitch2D.width = kWidth;
  pitched.res.pitch2D.height = kHeight;
  pitched.res.pitch2D.pitchInBytes = pitch;
  CALL(cudaCreateTextureObject(&texture, &pitched, &plain, nullptr));
  read_pitched<<<1, kWidth>>>(texture, out);
  CALL(cudaDeviceSynchronize());
  EXPECT(out[0] == 20 && out[7] == 27);
  CALL(cudaDestroyTextureObject(texture));

  cudaMipmappedArray_t mipmaps = nullptr;
  CALL(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(4, 4, 0), 3));
  for (unsigned level = 0; level < 3; ++level) {
    cudaArray_t one = nullptr;
    CALL(cudaGetMipmappedArrayLevel(&one, mipmaps, level));
    const size_t extent = 4 >> level;
    float texels[16];
    for (float& texel : texels) texel = float(level) + 1;
    CALL(cudaMemcpy2DToArray(one, 0, 0, texels, extent * 4, extent * 4, extent,
                             cudaMemcpyHostToDevice));
  }
  cudaResourceDesc mipmapped{};
  mipmapped.resType = cudaResourceTypeMipmappedArray;
  mipmapped.res.mipmap.mipmap = mipmaps;
  cudaTextureDesc levels{};
  levels.normalizedCoords = 1;
  levels.maxMipmapLevelClamp = 2;
  CALL(cudaCreateTextureObject(&texture, &mipmapped, &levels, nullptr));
  read_level<<<1, 3>>>(texture, out);
  CALL(cudaDeviceSynchronize());
  EXPECT(out[0] == 1 && out[1] == 2 && out[2] == 3);
  CALL(cudaDestroyTextureObject(texture));
  CALL(cudaFreeMipmappedArray(mipmaps));
  CALL(cudaFreeArray(array));
  return verdict();
}
