#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/inline_vector.h"
#include "code/operation.h"
#include "exec/block/warp_context.h"

namespace heddle::exec {

class DeviceHeap;

/// The functions of the device's run-time system that kernels call: printf, assert, malloc and
/// free. They are called for one thread after another, in the order of lanes.
class SystemServices {
 public:
  using Arguments = InlineVector<std::uint64_t, 8>;

  /// `print` receives the output of printf. It may be empty; then the output is dropped.
  SystemServices(std::function<void(std::string_view)> print, DeviceHeap& heap)
      : print_(std::move(print)), heap_(heap) {}

  /// Calls a function for the thread in `lane`, and returns its result; 0 if it has none. Raises a
  /// LaneFault for a failed assertion or a bad pointer.
  std::uint64_t call(code::SystemCall function, const Arguments& arguments,
                     const WarpContext& context, int lane);

 private:
  /// `format` and `values` are the addresses of the format and of the first argument.
  std::uint64_t vprintf(std::uint64_t format, std::uint64_t values, const WarpContext& context,
                        int lane);
  void assert_fail(const Arguments& arguments, const WarpContext& context, int lane);

  std::function<void(std::string_view)> print_;
  DeviceHeap& heap_;
};

}  // namespace heddle::exec
