#pragma once

// What the host part and the kernels of mersenne-twister share.

/// The parameters of one twister.
struct Twister {
  unsigned matrix;
  unsigned seed;
};
