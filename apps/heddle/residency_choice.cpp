#include "residency_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "option_values.h"

namespace heddle {

RegisterChoice parse_register_choice(const std::string& text) {
  using Source = RegisterChoice::Source;
  if (text == "compiled") return {.source = Source::compiled};
  if (text == "paper") return {.source = Source::paper};
  return {.source = Source::given,
          .count = static_cast<std::uint32_t>(
              parse_whole_number("--registers (compiled, paper, or a count)", text, 1, 255))};
}

std::string to_text(const RegisterChoice& choice) {
  switch (choice.source) {
    case RegisterChoice::Source::compiled:
      return "compiled";
    case RegisterChoice::Source::paper:
      return "paper";
    case RegisterChoice::Source::given:
      return std::to_string(choice.count);
  }
  return "";
}

void check_register_choice(const RegisterChoice& choice, const workload::Workload& workload) {
  if (choice.source != RegisterChoice::Source::paper) return;
  const bool any = std::any_of(workload.kernels.begin(), workload.kernels.end(),
                               [](const auto& kernel) { return kernel.paper.has_value(); });
  if (!any) {
    throw InputError(
        fmt::format("--registers paper: no paper gives the registers of '{}'", workload.name));
  }
}

std::uint32_t registers_for_residency(const RegisterChoice& choice,
                                      const workload::KernelResult& kernel) {
  switch (choice.source) {
    case RegisterChoice::Source::given:
      return choice.count;
    case RegisterChoice::Source::paper:
      if (kernel.paper) return kernel.paper->registers_per_thread;
      break;
    case RegisterChoice::Source::compiled:
      break;
  }
  return kernel.registers_per_thread;
}

}  // namespace heddle
