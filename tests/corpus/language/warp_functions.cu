// Shuffles of all kinds and widths, votes and matches, whole and with part of the warp.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  unsigned value = in[i];
  int at = i;
  auto put = [&](unsigned result) {
    out[at] = result;
    at += count;
  };
  put(__shfl_sync(~0u, value, lane * 7));
  put(__shfl_up_sync(~0u, value, 3));
  put(__shfl_down_sync(~0u, value, 5));
  put(__shfl_xor_sync(~0u, value, 21));
  put(__shfl_sync(~0u, value, lane + 3, 8));
  put(__shfl_up_sync(~0u, value, 2, 16));
  put(__shfl_down_sync(~0u, value, 1, 4));
  put(__shfl_xor_sync(~0u, value, 4, 8));
  unsigned long long wide = __shfl_xor_sync(~0u, (unsigned long long)value << 20, 1);
  put(unsigned(wide));
  put(unsigned(wide >> 32));
  put(__float_as_uint(__shfl_down_sync(~0u, float(value % 1000), 16)));
  put(__ballot_sync(~0u, value & 4));
  put(__any_sync(~0u, value % 64 == 0) | __all_sync(~0u, value > 5) << 1);
  put(__match_any_sync(~0u, value % 4));
  int all_equal = 0;
  put(__match_all_sync(~0u, value % 64 / 33, &all_equal));
  put(all_equal);
  put(__match_any_sync(~0u, (unsigned long long)(value % 3) << 40));
  unsigned part = 0;
  if (lane % 3 == 0) {
    part = __ballot_sync(0x49249249u, value & 1);
    part ^= __shfl_sync(0x49249249u, value, 6);
    part += __popc(__activemask());
  }
  put(part);
  unsigned odd = lane % 2 ? 0xaaaaaaaau : 0x55555555u;
  put(__match_any_sync(odd, value % 2));
}
