#pragma once

#include <chrono>

namespace heddle::silicon {

/// The current frequency of the multiprocessors in Hz. One thread counts the cycles of a
/// multiprocessor until `time` has passed on the GPU's global timer.
double measure_clock_rate(std::chrono::milliseconds time);

}  // namespace heddle::silicon
