#include "cuda/runtime/linking.h"

#include <cstdint>
#include <cstring>

#include "cuda/fatbin/linked_image.h"

namespace heddle::cuda {
namespace {

// The first four bytes of each kind of code.
constexpr std::uint32_t kFatBinary = 0xba55'ed50;
constexpr std::uint32_t kElf = 0x464c'457f;
constexpr std::uint32_t kLtoIr = 0x7f4e'43ed;

}  // namespace

LinkedCode kind_of_code(std::string_view bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  switch (magic) {
    case kFatBinary:
      return LinkedCode::fat_binary;
    case kLinkedImage:
      return LinkedCode::linked_image;
    case kElf:
      return LinkedCode::machine_code;
    case kLtoIr:
      return LinkedCode::lto_ir;
    default:
      break;
  }
  // Every PTX text has a version.
  return bytes.find(".version") == std::string_view::npos ? LinkedCode::other : LinkedCode::ptx;
}

std::string_view reason_not_to_link(LinkedCode kind) {
  switch (kind) {
    case LinkedCode::machine_code:
      return "it is machine code or an object file, and Heddle links only PTX; make PTX (nvcc "
             "-ptx)";
    case LinkedCode::lto_ir:
      return "it is LTO-IR, and Heddle links only PTX; make PTX (nvcc -ptx -rdc=true), or make the "
             "LTO-IR with nvrtc in the program, for which Heddle substitutes PTX";
    case LinkedCode::other:
      return "it is not PTX, and Heddle links only PTX; make PTX (nvcc -ptx)";
    case LinkedCode::ptx:
    case LinkedCode::fat_binary:
    case LinkedCode::linked_image:
      break;
  }
  return {};
}

std::string missing_function_message(const code::Program& program) {
  for (const code::FunctionInfo& declared : program.functions) {
    if (!declared.is_extern) continue;
    const std::string name = "'" + declared.name + "'";
    for (const code::FunctionInfo& function : program.functions) {
      for (const code::Unsupported& unsupported : function.unsupported) {
        if (unsupported.message.find(name) != std::string::npos) return unsupported.message;
      }
    }
  }
  return {};
}

}  // namespace heddle::cuda
