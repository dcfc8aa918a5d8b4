#include "exec/memory/generic_read.h"

#include <fmt/format.h>

#include "exec/fault/fault.h"
#include "exec/memory/address_space.h"
#include "exec/memory/global_memory.h"

namespace heddle::exec {
namespace {

/// The host's address of one byte; null if the thread cannot access the byte.
const std::byte* find_byte(const WarpContext& context, int lane, std::uint64_t address) {
  const MemoryView& memory = context.memory;
  if (in_window(address, kSharedWindow)) {
    const std::uint64_t offset = address - kSharedWindow;
    return offset < memory.shared_bytes ? memory.shared + offset : nullptr;
  }
  if (in_window(address, kLocalWindow)) {
    const std::uint64_t offset = address - kLocalWindow;
    if (offset >= memory.local_bytes) return nullptr;
    return reinterpret_cast<const std::byte*>(memory.local + offset / 4 * 32 + lane) + offset % 4;
  }
  if (in_window(address, kParameterWindow)) {
    const std::uint64_t offset = address - kParameterWindow;
    return offset < memory.parameter_bytes ? memory.parameters + offset : nullptr;
  }
  return memory.global->find(address) != nullptr ? memory.global->host(address) : nullptr;
}

std::byte read_byte(const WarpContext& context, int lane, std::uint64_t address) {
  const std::byte* byte = find_byte(context, lane, address);
  if (byte == nullptr) {
    raise(FaultKind::out_of_bounds, lane, address, 1,
          fmt::format("the run-time system was passed the invalid address {:#x}, {}", address,
                      context.memory.global->describe(address, 1)));
  }
  return *byte;
}

}  // namespace

void read_generic(const WarpContext& context, int lane, std::uint64_t address,
                  std::span<std::byte> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = read_byte(context, lane, address + i);
}

std::string read_generic_string(const WarpContext& context, int lane, std::uint64_t address,
                                std::size_t max_characters) {
  std::string out;
  while (out.size() < max_characters) {
    const std::byte byte = read_byte(context, lane, address + out.size());
    if (byte == std::byte{0}) break;
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace heddle::exec
