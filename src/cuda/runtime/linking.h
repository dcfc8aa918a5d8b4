#pragma once

// What the linkers of the driver and of nvJitLink share. Both link PTX.

#include <string>
#include <string_view>

#include "code/program.h"

namespace heddle::cuda {

/// The kinds of code that a program may give to a linker, as far as they differ for Heddle.
enum class LinkedCode : std::uint8_t { ptx, fat_binary, linked_image, machine_code, lto_ir, other };

/// Recognises code by its content.
LinkedCode kind_of_code(std::string_view bytes);
/// Why Heddle cannot link code of a kind, and what to do; empty if it can.
std::string_view reason_not_to_link(LinkedCode kind);

/// The compiler's message about a called function that no text of a program defines; empty if all
/// are defined. Other unsupported features of a kernel are reported when the kernel is launched.
std::string missing_function_message(const code::Program& program);

}  // namespace heddle::cuda
