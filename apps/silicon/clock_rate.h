#pragma once

namespace heddle::silicon {

/// The current frequency of the multiprocessors in Hz. One thread counts the cycles of a
/// multiprocessor in 50 ms of the GPU's global timer.
double measure_clock_rate();

}  // namespace heddle::silicon
