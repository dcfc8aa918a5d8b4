#pragma once

// What the host part and the kernels of mersenne-twister share.

/// What one twister's sequence differs from another's in.
struct Twister {
  unsigned matrix;
  unsigned seed;
};
