#pragma once

namespace heddle {

/// Registers the benchmarks of timed runs, whose names begin with "timed/". All results are
/// checked; a wrong one sets `verified` to false, which must outlive the benchmarks.
void register_timed(bool& verified);

}  // namespace heddle
