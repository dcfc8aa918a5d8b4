// Loads and stores of vectors, and through caches of different kinds.
extern "C" __global__ void program(const uint4* in, uint4* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint4 v = in[i];
  uint2 low = reinterpret_cast<const uint2*>(in)[2 * i];
  ushort4 shorts = reinterpret_cast<const ushort4*>(in)[2 * i + 1];
  uchar4 bytes = __ldg(reinterpret_cast<const uchar4*>(in) + 4 * i);
  double2 doubles = make_double2(v.x, low.y);
  char2 pair = reinterpret_cast<const char2*>(in)[8 * i + 3];
  out[i] = make_uint4(v.w, v.z, v.y, v.x);
  reinterpret_cast<uint2*>(out + count)[2 * i] = make_uint2(low.y, low.x);
  reinterpret_cast<ushort4*>(out + count)[2 * i + 1] =
      make_ushort4(shorts.w, shorts.z, shorts.y, shorts.x);
  reinterpret_cast<uchar4*>(out + 2 * count)[4 * i] =
      make_uchar4(bytes.y, bytes.z, bytes.w, bytes.x);
  reinterpret_cast<uchar4*>(out + 2 * count)[4 * i + 1] =
      make_uchar4(pair.x, pair.y, bytes.x + bytes.y, 7);
  reinterpret_cast<uint2*>(out + 2 * count)[2 * i + 1] =
      make_uint2(__ldcg(&in[i].x), __ldcs(&in[i].y));
  reinterpret_cast<double2*>(out + 3 * count)[i] = make_double2(doubles.y, doubles.x + 0.5);
  __stcs(&out[4 * count + i].x, __ldca(&in[i].z));
  __stcg(&out[4 * count + i].y, __ldlu(&in[i].w));
  __stwt(&out[4 * count + i].z, __ldcv(&in[i].x));
  __stwb(&out[4 * count + i].w, __ldg(&in[i].y));
}
