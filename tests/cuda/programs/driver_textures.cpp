// Tests arrays, textures and surfaces of the driver API.
#include <cstring>
#include <vector>

#include "driver_check.h"

// `sample` reads a texture at (x + 0.5, y + 0.5); `paint` writes a surface.
const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry sample(.param .u64 texture, .param .u64 to, .param .u32 width)\n"
    "{ .reg .b32 %r<6>; .reg .b64 %rd<5>; .reg .f32 %f<8>;\n"
    "ld.param.u64 %rd1, [texture]; ld.param.u64 %rd2, [to]; ld.param.u32 %r1, [width];\n"
    "mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; cvt.rn.f32.u32 %f1, %r2; cvt.rn.f32.u32 %f2, %r3;\n"
    "add.f32 %f1, %f1, 0f3f000000; add.f32 %f2, %f2, 0f3f000000;\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];\n"
    "mad.lo.u32 %r4, %r3, %r1, %r2; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd2, %rd3;\n"
    "st.global.f32 [%rd4], %f3; ret; }\n"
    ".visible .entry paint(.param .u64 surface)\n"
    "{ .reg .b32 %r<5>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [surface];\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mad.lo.u32 %r3, %r2, 10, %r1;\n"
    "shl.b32 %r4, %r1, 2; sust.b.2d.b32.trap [%rd1, {%r4, %r2}], {%r3}; ret; }\n";

constexpr unsigned kWidth = 8, kHeight = 4;
CUdeviceptr results = 0;
CUfunction sample = nullptr;

/// The values that `sample` reads from a texture.
std::vector<float> read(CUtexObject texture) {
  unsigned width = kWidth;
  void* arguments[] = {&texture, &results, &width};
  CALL(cuLaunchKernel(sample, 1, 1, 1, kWidth, kHeight, 1, 0, nullptr, arguments, nullptr));
  std::vector<float> values(kWidth * kHeight);
  CALL(cuMemcpyDtoH(values.data(), results, values.size() * sizeof(float)));
  return values;
}

CUDA_RESOURCE_DESC resource_of(CUarray array) {
  CUDA_RESOURCE_DESC resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

CUDA_TEXTURE_DESC clamped_texture(unsigned flags) {
  CUDA_TEXTURE_DESC texture;
  std::memset(&texture, 0, sizeof texture);
  for (CUaddress_mode& mode : texture.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  texture.flags = flags;
  return texture;
}

void read_an_array_of_floats() {
  CUDA_ARRAY_DESCRIPTOR requested = {kWidth, kHeight, CU_AD_FORMAT_FLOAT, 1}, returned;
  CUarray array = nullptr;
  CALL(cuArrayCreate(&array, &requested));
  CALL(cuArrayGetDescriptor(&returned, array));
  EXPECT(returned.Width == kWidth && returned.Height == kHeight &&
         returned.Format == CU_AD_FORMAT_FLOAT && returned.NumChannels == 1);
  std::vector<float> values(kWidth * kHeight);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 0.25F * static_cast<float>(i);
  CUDA_MEMCPY2D copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.srcPitch = kWidth * sizeof(float);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = kWidth * sizeof(float);
  copy.Height = kHeight;
  CALL(cuMemcpy2D(&copy));
  const CUDA_RESOURCE_DESC resource = resource_of(array);
  const CUDA_TEXTURE_DESC description = clamped_texture(0);
  CUtexObject texture = 0;
  CALL(cuTexObjectCreate(&texture, &resource, &description, nullptr));
  EXPECT(read(texture) == values);
  CUDA_RESOURCE_DESC same;
  CALL(cuTexObjectGetResourceDesc(&same, texture));
  EXPECT(same.resType == CU_RESOURCE_TYPE_ARRAY && same.res.array.hArray == array);

  // Copy parts of the array, by byte offset.
  float piece[kWidth] = {};
  CALL(cuMemcpyAtoH(piece, array, kWidth * sizeof(float), sizeof piece));
  EXPECT(piece[0] == values[kWidth] && piece[kWidth - 1] == values[2 * kWidth - 1]);
  const float other = -3;
  CALL(cuMemcpyHtoA(array, 2 * sizeof(float), &other, sizeof other));
  CALL(cuMemcpyAtoA(array, 3 * sizeof(float), array, 2 * sizeof(float), sizeof other));
  const std::vector<float> changed = read(texture);
  EXPECT(changed[2] == -3 && changed[3] == -3 && changed[4] == values[4]);
  CALL(cuTexObjectDestroy(texture));
  EXPECT(cuTexObjectGetResourceDesc(&same, texture) != CUDA_SUCCESS);
  CALL(cuArrayDestroy(array));
  EXPECT(cuArrayDestroy(array) == CUDA_ERROR_INVALID_HANDLE);
}

void read_bytes_as_fractions() {
  CUdeviceptr memory = 0;
  size_t pitch = 0;
  CALL(cuMemAllocPitch(&memory, &pitch, kWidth, kHeight, 4));
  CALL(cuMemsetD2D8(memory, pitch, 51, kWidth, kHeight));
  CUDA_RESOURCE_DESC resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = kWidth;
  resource.res.pitch2D.height = kHeight;
  resource.res.pitch2D.pitchInBytes = pitch;
  const CUDA_TEXTURE_DESC description = clamped_texture(0);
  CUtexObject texture = 0;
  CALL(cuTexObjectCreate(&texture, &resource, &description, nullptr));
  EXPECT(read(texture)[9] == 0.2F);
  CUDA_RESOURCE_DESC same;
  CALL(cuTexObjectGetResourceDesc(&same, texture));
  EXPECT(same.res.pitch2D.devPtr == memory && same.res.pitch2D.pitchInBytes == pitch &&
         same.res.pitch2D.format == CU_AD_FORMAT_UNSIGNED_INT8);
  CALL(cuTexObjectDestroy(texture));

  // Read the same memory as integers.
  const CUDA_TEXTURE_DESC whole = clamped_texture(CU_TRSF_READ_AS_INTEGER);
  CALL(cuTexObjectCreate(&texture, &resource, &whole, nullptr));
  const float found = read(texture)[9];
  unsigned bits = 0;
  std::memcpy(&bits, &found, sizeof bits);
  EXPECT(bits == 51);
  CUDA_TEXTURE_DESC returned;
  CALL(cuTexObjectGetTextureDesc(&returned, texture));
  EXPECT(returned.flags == CU_TRSF_READ_AS_INTEGER &&
         returned.addressMode[1] == CU_TR_ADDRESS_MODE_CLAMP);
  CALL(cuTexObjectDestroy(texture));
}

void paint_a_surface(CUfunction paint) {
  const CUDA_ARRAY3D_DESCRIPTOR requested = {
      kWidth, kHeight, 0, CU_AD_FORMAT_SIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array = nullptr;
  CALL(cuArray3DCreate(&array, &requested));
  CUDA_ARRAY3D_DESCRIPTOR returned;
  CALL(cuArray3DGetDescriptor(&returned, array));
  EXPECT(returned.Depth == 0 && returned.Flags == CUDA_ARRAY3D_SURFACE_LDST &&
         returned.Format == CU_AD_FORMAT_SIGNED_INT32);
  const CUDA_RESOURCE_DESC resource = resource_of(array);
  CUsurfObject surface = 0;
  CALL(cuSurfObjectCreate(&surface, &resource));
  void* arguments[] = {&surface};
  CALL(cuLaunchKernel(paint, 1, 1, 1, kWidth, kHeight, 1, 0, nullptr, arguments, nullptr));
  int values[kWidth * kHeight];
  CALL(cuMemcpyAtoH(values, array, 0, sizeof values));
  EXPECT(values[0] == 0 && values[kWidth * 2 + 5] == 25);
  CALL(cuSurfObjectDestroy(surface));
  CALL(cuArrayDestroy(array));

  const CUDA_ARRAY3D_DESCRIPTOR odd = {kWidth, kHeight, 0, CU_AD_FORMAT_NV12, 3, 0};
  EXPECT(cuArray3DCreate(&array, &odd) == CUDA_ERROR_INVALID_VALUE);
  CUmipmappedArray levels = nullptr;
  CALL(cuMipmappedArrayCreate(&levels, &requested, 3));
  CALL(cuMipmappedArrayGetLevel(&array, levels, 1));
  CALL(cuArray3DGetDescriptor(&returned, array));
  EXPECT(returned.Width == kWidth / 2 && returned.Height == kHeight / 2);
  EXPECT(cuMipmappedArrayGetLevel(&array, levels, 3) == CUDA_ERROR_INVALID_VALUE);
  CALL(cuMipmappedArrayDestroy(levels));
}

int main() {
  begin();
  CUmodule module = nullptr;
  CUfunction paint = nullptr;
  CALL(cuModuleLoadData(&module, kText));
  CALL(cuModuleGetFunction(&sample, module, "sample"));
  CALL(cuModuleGetFunction(&paint, module, "paint"));
  CALL(cuMemAlloc(&results, kWidth * kHeight * sizeof(float)));
  read_an_array_of_floats();
  read_bytes_as_fractions();
  paint_a_surface(paint);
  return verdict();
}
