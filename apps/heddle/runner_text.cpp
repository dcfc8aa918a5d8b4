#include "runner_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

std::string duration(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string forecast_text(const lab::RunnerForecast& forecast, std::uint32_t jobs) {
  std::string text =
      fmt::format("{} of {} run{} {} missing", forecast.missing_runs, forecast.all_runs,
                  forecast.all_runs == 1 ? "" : "s", forecast.missing_runs == 1 ? "is" : "are");
  if (forecast.missing_runs > 0 && forecast.seconds) {
    text += fmt::format("; about {} with {} job{}", duration(std::max(*forecast.seconds, 1.0)),
                        jobs, jobs == 1 ? "" : "s");
  }
  return text;
}

std::string progress_text(const lab::RunnerProgress& now) {
  std::string text = fmt::format("{} of {} runs", now.finished_runs, now.all_runs);
  if (now.seconds_left) text += fmt::format(", about {} left", duration(*now.seconds_left));
  if (!now.running_titles.empty()) {
    text += fmt::format("; {}", now.running_titles.front());
    if (now.running_titles.size() > 1)
      text += fmt::format(" and {} more", now.running_titles.size() - 1);
  }
  return text;
}

}  // namespace heddle
