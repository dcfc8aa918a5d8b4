#include "cuda/nvrtc/static_compiler.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "cuda/nvrtc/calls.h"
#include "cuda/nvrtc/compiler.h"
#include "cuda/static_runtime/redirection.h"

namespace heddle::cuda::nvrtc {
namespace {

struct EntryPoint {
  std::string_view name;
  std::uint64_t address;
};

std::optional<std::uint64_t> replacement_for(std::string_view name) {
#define HEDDLE_NVRTC_CALL(name, family) {#name, reinterpret_cast<std::uint64_t>(&nvrtc::name)},
  static const EntryPoint points[] = {
#include "cuda/nvrtc/calls.def"
  };
  const auto* const found = std::find_if(std::begin(points), std::end(points),
                                         [&](const EntryPoint& one) { return one.name == name; });
  if (found == std::end(points)) return std::nullopt;
  return found->address;
}

/// True for the name of a function of nvrtc's interface, such as nvrtcVersion.
bool is_of_compiler(std::string_view name) {
  constexpr std::string_view kPrefix = "nvrtc";
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
         std::isupper(static_cast<unsigned char>(name[kPrefix.size()])) != 0;
}

}  // namespace

void redirect_static_compiler(const LoadedObject& object, const ElfImage& image) {
  if (!image.defines("nvrtcCompileProgram")) return;
  // The shared library is not changed: Heddle's functions call it.
  if (std::filesystem::path(object.file).filename().string().starts_with("libnvrtc.")) return;
  const std::vector<ElfImage::Function> functions = image.functions();
  const bool are_known =
      std::all_of(functions.begin(), functions.end(), [](const ElfImage::Function& function) {
        return !is_of_compiler(function.name) || replacement_for(function.name).has_value();
      });
  if (!are_known || !Compiler::instance().is_installed()) return;
  try {
    redirect(object, image, &replacement_for);
  } catch (const InputError& error) {
    say(error.what());
  }
}

}  // namespace heddle::cuda::nvrtc
