#include "launch_progress.h"

#include <fmt/format.h>

namespace heddle {
namespace {

double millions(std::uint64_t count) { return static_cast<double>(count) / 1e6; }

}  // namespace

std::string launch_text(const LaunchState& now, double rate) {
  std::string text;
  if (now.cycles) text += fmt::format("{:.2f} million cycles, ", millions(now.cycles->count));
  if (now.blocks != 0) {
    text += fmt::format("{:.0f} % of the blocks, ", 100 * static_cast<double>(now.blocks_done) /
                                                        static_cast<double>(now.blocks));
  }
  text += fmt::format("{:.1f} million warp instructions", millions(now.warp_instructions));
  if (rate > 0) text += fmt::format(", {:.1f} million per second", rate / 1e6);
  return text;
}

void LaunchProgress::operator()(const gpu::ChipProgress& now) {
  const auto time = std::chrono::steady_clock::now();
  if (now.cycles <= cycles_ || now.kernel != kernel_) {
    // A new launch has begun.
    begin_ = time;
    begin_instructions_ = now.warp_instructions;
    kernel_ = now.kernel;
  }
  cycles_ = now.cycles;
  const double seconds = std::chrono::duration<double>(time - begin_).count();
  const auto executed = static_cast<double>(now.warp_instructions - begin_instructions_);
  line_->show("simulating", fmt::format("{}, {}", now.kernel,
                                        launch_text({.cycles = now.cycles,
                                                     .warp_instructions = now.warp_instructions,
                                                     .blocks_done = now.blocks_done,
                                                     .blocks = now.blocks},
                                                    seconds > 0 ? executed / seconds : 0)));
}

}  // namespace heddle
