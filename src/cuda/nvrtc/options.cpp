#include "cuda/nvrtc/options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace heddle::cuda::nvrtc {
namespace {

constexpr std::array<std::string_view, 2> kArchitecture{"--gpu-architecture", "-arch"};
constexpr std::array<std::string_view, 2> kRelocatable{"--relocatable-device-code", "-rdc"};
constexpr std::array<std::string_view, 2> kLinkTime{"--dlink-time-opt", "-dlto"};

bool is_one_of(std::string_view text, const std::array<std::string_view, 2>& names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

/// The option's name, which ends at an equals sign.
std::string_view name_of(std::string_view option) { return option.substr(0, option.find('=')); }

/// Changes the value of an architecture's option. Returns true if it asks for machine code.
bool change_to_ptx(std::string& value, std::size_t begin) {
  constexpr std::string_view kMachineCode = "sm_";
  if (value.compare(begin, kMachineCode.size(), kMachineCode) != 0) return false;
  value.replace(begin, kMachineCode.size(), "compute_");
  return true;
}

}  // namespace

PtxOptions options_for_ptx(std::span<const char* const> options) {
  PtxOptions result;
  bool is_value_of_architecture = false;
  bool is_relocatable = false;
  for (const char* const option : options) {
    std::string text = option;
    const std::string_view name = name_of(text);
    if (is_value_of_architecture) {
      if (change_to_ptx(text, 0)) result.asks_for_machine_code = true;
      is_value_of_architecture = false;
    } else if (is_one_of(text, kLinkTime)) {
      result.asks_for_link_time_code = true;
      continue;
    } else if (is_one_of(name, kArchitecture)) {
      is_value_of_architecture = name.size() == text.size();
      if (!is_value_of_architecture && change_to_ptx(text, name.size() + 1))
        result.asks_for_machine_code = true;
    } else if (is_one_of(name, kRelocatable)) {
      is_relocatable = true;
    }
    result.texts.push_back(std::move(text));
  }
  if (result.asks_for_link_time_code && !is_relocatable) {
    result.texts.emplace_back("--relocatable-device-code=true");
  }
  return result;
}

}  // namespace heddle::cuda::nvrtc
