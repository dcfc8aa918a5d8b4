#include "exec/system/system_services.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "exec/fault/fault.h"
#include "exec/memory/generic_read.h"
#include "exec/system/device_heap.h"
#include "exec/system/device_printf.h"

namespace heddle::exec {
namespace {

/// Argument `i`; 0 if the program passed fewer.
std::uint64_t argument(const SystemServices::Arguments& arguments, std::size_t i) {
  return i < arguments.size() ? arguments[i] : 0;
}

}  // namespace

std::uint64_t SystemServices::call(code::SystemCall function, const Arguments& arguments,
                                   const WarpContext& context, int lane) {
  switch (function) {
    case code::SystemCall::vprintf:
      return vprintf(argument(arguments, 0), argument(arguments, 1), context, lane);
    case code::SystemCall::assert_fail:
      assert_fail(arguments, context, lane);
      return 0;
    case code::SystemCall::malloc:
      return heap_.allocate(argument(arguments, 0));
    case code::SystemCall::free:
      heap_.free(argument(arguments, 0), lane);
      return 0;
  }
  return 0;
}

std::uint64_t SystemServices::vprintf(std::uint64_t format, std::uint64_t values,
                                      const WarpContext& context, int lane) {
  std::uint64_t at = values;
  const auto read_value = [&](int bytes) {
    const auto size = static_cast<std::uint64_t>(bytes);
    at = (at + size - 1) / size * size;
    std::array<std::byte, 8> raw{};
    read_generic(context, lane, at, std::span(raw).first(size));
    at += size;
    std::uint64_t bits = 0;
    std::memcpy(&bits, raw.data(), sizeof bits);
    return bits;
  };
  const auto read_string = [&](std::uint64_t pointer) {
    return read_generic_string(context, lane, pointer);
  };
  int conversions = 0;
  const std::string text = format_device_printf(read_generic_string(context, lane, format),
                                                read_value, read_string, conversions);
  if (print_) print_(text);
  return static_cast<std::uint64_t>(conversions);
}

void SystemServices::assert_fail(const Arguments& arguments, const WarpContext& context, int lane) {
  const auto text = [&](std::size_t i) {
    const std::uint64_t pointer = argument(arguments, i);
    return pointer == 0 ? std::string("?") : read_generic_string(context, lane, pointer);
  };
  // __assertfail(message, file, line, function, size of a character)
  raise(FaultKind::assertion, lane, 0, 0,
        fmt::format("`{}` at {}:{}, in {}", text(0), text(1),
                    static_cast<std::uint32_t>(argument(arguments, 2)), text(3)));
}

}  // namespace heddle::exec
