#include "activity.h"

#include <fmt/format.h>

#include "report.h"

namespace heddle::cuda {
namespace {

/// Shortens a kernel's name so that the progress fits on one line: names of templates can be long.
std::string short_name(const std::string& kernel) {
  constexpr std::size_t kMaxLength = 30;
  const std::string name = readable_name(kernel);
  return name.size() <= kMaxLength ? name : name.substr(0, kMaxLength) + "...";
}

}  // namespace

void Activity::begin_launch(const std::string& kernel) {
  const std::scoped_lock lock(mutex_);
  ++launches_;
  kernel_ = kernel;
  short_name_.clear();
  last_report_ = {};
  begin_ = reported_ = std::chrono::steady_clock::now();
}

void Activity::end_launch() {
  const std::scoped_lock lock(mutex_);
  kernel_.clear();
  line_.clear();
}

void Activity::report(const LaunchState& now) {
  const std::scoped_lock lock(mutex_);
  last_report_ = now;
  reported_ = std::chrono::steady_clock::now();
  if (short_name_.empty()) short_name_ = short_name(kernel_);
  line_.show(fmt::format("launch {}", launches_),
             fmt::format("{}, {}", short_name_, launch_text(last_report_, rate())));
}

bool Activity::is_launch_in_flight() const {
  const std::scoped_lock lock(mutex_);
  return !kernel_.empty();
}

void Activity::clear_line() {
  const std::scoped_lock lock(mutex_);
  line_.clear();
}

double Activity::rate() const {
  const double seconds = std::chrono::duration<double>(reported_ - begin_).count();
  return seconds > 0 ? static_cast<double>(last_report_.warp_instructions) / seconds : 0;
}

std::string Activity::text() const {
  const std::scoped_lock lock(mutex_);
  if (kernel_.empty()) return fmt::format("no kernel is running; launches so far: {}", launches_);
  const auto since = std::chrono::steady_clock::now() - begin_;
  return fmt::format("launch {}, {}: {}; for {:.1f} s", launches_, readable_name(kernel_),
                     launch_text(last_report_, rate()),
                     std::chrono::duration<double>(since).count());
}

}  // namespace heddle::cuda
