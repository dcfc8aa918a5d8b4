#include "lookahead_text.h"

#include <fmt/format.h>

namespace heddle {

std::string lookahead_text(const Figures& figures, const Timing& timing) {
  const auto count = [&](const std::string& name) {
    return static_cast<double>(figures.counter(timing, name).value_or(0));
  };
  const double waits = count("lookahead.contexts");
  if (waits == 0) return {};
  std::string text =
      fmt::format("{:.0f} waits; {:.1f} instructions issued and {:.1f} skipped in each", waits,
                  count("lookahead.warp_instructions") / waits, count("lookahead.skipped") / waits);
  if (!figures.counter(timing, "lookahead.reused")) return text;
  text += fmt::format("; {:.1f} % of the instructions reused",
                      100 * count("lookahead.reused") / count("sm.warp_instructions"));
  if (const double loads = count("lsu.global_loads"); loads > 0) {
    text +=
        fmt::format("; {:.2f} preloads for each global load", count("lookahead.preloads") / loads);
  }
  return text;
}

}  // namespace heddle
