#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace heddle::cuda::nvrtc {

/// NVIDIA's run-time compiler, nvrtc, as it is installed on the host. It needs no GPU.
class Compiler {
 public:
  /// The compiler that the program's calls reach. It is opened at the first call.
  static Compiler& instance();

  explicit Compiler(std::string_view stem) : stem_(stem) {}

  /// The compiler's function of this name; null if the compiler is not installed, or if its version
  /// does not have the function. Says so on standard error, once for each reason.
  void* find(const char* function);
  /// As find(), but says nothing.
  void* find_silently(const char* function);
  /// True if there is a file of the compiler, which is not opened.
  bool is_installed() const;

 private:
  void* library();

  std::string stem_;  ///< The library's file name without its version.
  std::once_flag opened_;
  void* library_ = nullptr;  ///< Null: it is not installed.
  std::once_flag absence_reported_;
  std::once_flag gap_reported_;
};

}  // namespace heddle::cuda::nvrtc
