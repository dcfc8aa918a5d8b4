#pragma once

// The cell's rates of change in double precision, with error bounds for single precision.

#include <array>

#include "kernel.h"
#include "rounded.h"

namespace heddle::workload::myocyte {

template <class T>
using Cell = std::array<T, ::myocyte::kVariables>;

Cell<Rounded> rates_of(const Cell<Rounded>& state, const ::myocyte::Conductances& conductances);

}  // namespace heddle::workload::myocyte
