#pragma once

// The integrals in double precision.

#include "kernel.h"

namespace heddle::workload::rpes {

/// A value and the bound of its rounding error, in units of 2^-24.
struct Estimate {
  double value = 0;
  double error = 0;
};

/// The integral (ab|cd).
Estimate repulsion(const ::rpes::Shell& a, const ::rpes::Shell& b, const ::rpes::Shell& c,
                   const ::rpes::Shell& d);

}  // namespace heddle::workload::rpes
