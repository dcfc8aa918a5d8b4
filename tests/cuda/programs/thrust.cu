// A library of headers, which asks much of the runtime: attributes, occupancy, launches by
// structures.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "check.h"

int main() {
  constexpr int kCount = 5000;
  thrust::device_vector<int> values(kCount);
  thrust::sequence(values.begin(), values.end());
  EXPECT(thrust::reduce(values.begin(), values.end()) == kCount * (kCount - 1) / 2);
  for (int i = 0; i < 10; ++i) values[i] = 9999 - i;
  thrust::sort(values.begin(), values.end());
  EXPECT(values[0] == 10 && values[1] == 11 && values[kCount - 1] == 9999);
  thrust::inclusive_scan(values.begin(), values.begin() + 100, values.begin());
  EXPECT(values[99] == 100 * (10 + 109) / 2);
  return verdict();
}
