#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace heddle::lab {

/// Calls `work`, which must not throw, on `count` host threads at the same time. Until all calls
/// have returned, calls `report` every `interval` on the calling thread.
///
/// If the host refuses to start so many threads, the started ones do the work. If none could be
/// started, the calling thread does the work, without reports.
void work_on_threads(std::size_t count, const std::function<void()>& work,
                     std::chrono::milliseconds interval, const std::function<void()>& report);

}  // namespace heddle::lab
