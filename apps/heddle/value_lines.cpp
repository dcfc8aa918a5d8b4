#include "value_lines.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "sm/redundancy/observed_values.h"

namespace heddle {
namespace {

/// The counters of several classes of instructions, added up.
class ObservedSum {
 public:
  ObservedSum(const Figures& figures, const Timing& timing) : figures_(figures), timing_(timing) {}

  void add(sm::ObservedClass observed) { classes_.push_back(observed); }
  /// `name`: of a counter of a class, "affine_threads".
  std::uint64_t sum(std::string_view name) const {
    std::uint64_t sum = 0;
    for (const sm::ObservedClass each : classes_) {
      sum +=
          figures_
              .counter(timing_, fmt::format("redundancy.observed.{}.{}", sm::name_of(each), name))
              .value_or(0);
    }
    return sum;
  }

 private:
  const Figures& figures_;
  const Timing& timing_;
  std::vector<sm::ObservedClass> classes_;
};

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

/// Empty if no thread has executed such an instruction.
std::string text_of(const ObservedSum& observed) {
  const std::uint64_t full = observed.sum("uniform_full.threads");
  const std::uint64_t partial = observed.sum("uniform_partial.threads");
  const std::uint64_t threads = full + partial + observed.sum("varying.threads");
  if (threads == 0) return {};
  const std::uint64_t uniform_equal = observed.sum("uniform_full.equal_to_other_warp_threads") +
                                      observed.sum("uniform_partial.equal_to_other_warp_threads");
  const std::uint64_t varying_equal = observed.sum("varying.equal_to_other_warp_threads");
  return fmt::format(
      "uniform {} ({} in part of the lanes), affine {}, equal to another warp's {} ({} uniform)",
      percent(full + partial, threads), percent(partial, threads),
      percent(observed.sum("affine_threads"), threads),
      percent(uniform_equal + varying_equal, threads), percent(uniform_equal, threads));
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> value_lines(const Figures& figures,
                                                                  const Timing& timing) {
  std::vector<std::pair<std::string_view, std::string>> lines;
  ObservedSum computed(figures, timing), loaded(figures, timing);
  for (std::size_t i = 0; i < sm::kObservedClasses; ++i) {
    const auto each = static_cast<sm::ObservedClass>(i);
    (sm::is_load(each) ? loaded : computed).add(each);
  }
  if (std::string text = text_of(computed); !text.empty()) {
    lines.emplace_back("computed values", std::move(text));
  }
  if (std::string text = text_of(loaded); !text.empty()) {
    lines.emplace_back("loaded values", std::move(text));
  }
  const std::uint64_t branches =
      figures.counter(timing, "redundancy.observed.branch.passes").value_or(0);
  if (branches != 0) {
    const std::uint64_t uniform =
        figures.counter(timing, "redundancy.observed.branch.uniform_passes").value_or(0);
    lines.emplace_back("guarded branches", percent(uniform, branches) +
                                               " uniform: all threads of a pass go the same way");
  }
  return lines;
}

}  // namespace heddle
