#pragma once

namespace heddle {

/// Runs in time, all of them checked; their names begin with "timed/". Those that compute something
/// wrong set `verified` to false, which must live until they have run.
void register_timed(bool& verified);

}  // namespace heddle
