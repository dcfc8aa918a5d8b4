#include "cuda/nvrtc/compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "base/message.h"
#include "cuda/installed/installed_library.h"
#include "cuda/nvrtc/calls.h"

namespace heddle::cuda::nvrtc {
namespace {

/// The versions with which programs that Heddle runs are built, the newest first.
constexpr std::array kVersions{13, 12};

LibraryRequest request_for(std::string_view stem) {
  return {.stem = stem,
          .versions = kVersions,
          .function = "nvrtcVersion",
          .replacement = reinterpret_cast<void*>(&nvrtcVersion)};
}

}  // namespace

Compiler& Compiler::instance() {
  // Never destroyed: programs may call the compiler until they have ended.
  static Compiler& compiler = *new Compiler("libnvrtc.so.");
  return compiler;
}

void* Compiler::library() {
  std::call_once(opened_, [this] { library_ = open_installed_library(request_for(stem_)); });
  return library_;
}

bool Compiler::is_installed() const { return !installed_files(request_for(stem_)).empty(); }

void* Compiler::find_silently(const char* function) {
  void* const opened = library();
  return opened == nullptr ? nullptr : ::dlsym(opened, function);
}

void* Compiler::find(const char* function) {
  void* const found = find_silently(function);
  if (found != nullptr) return found;
  if (library() == nullptr) {
    std::call_once(absence_reported_, [&] {
      say(
          fmt::format("{}: NVIDIA's run-time compiler is not installed: no library {}{} or {}{}; "
                      "install CUDA's package cuda-nvrtc or Python's nvidia-cuda-nvrtc, and add "
                      "the library's folder to LD_LIBRARY_PATH",
                      function, stem_, kVersions.front(), stem_, kVersions.back()));
    });
  } else {
    std::call_once(gap_reported_, [&] {
      say(
          fmt::format("{}: the run-time compiler that is installed does not have this function; "
                      "install the version of CUDA with which the program was built",
                      function));
    });
  }
  return nullptr;
}

}  // namespace heddle::cuda::nvrtc
