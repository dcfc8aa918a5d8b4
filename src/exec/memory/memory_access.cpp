#include "exec/memory/memory_access.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <string_view>

#include "base/lane_mask.h"
#include "exec/fault/fault.h"
#include "exec/memory/address_space.h"
#include "exec/memory/global_memory.h"

namespace heddle::exec {
namespace {

using code::Space;

bool contains(const AllocationWindow& window, std::uint64_t address) {
  return address - window.begin < window.bytes;
}

/// The space to which an address of an access to `space` refers; `generic` if it refers to none.
Space space_of(Space space, std::uint64_t address) {
  if (space == Space::constant) return Space::global;
  if (space != Space::generic) return space;
  if (address >= kGlobalBase) return Space::global;
  if (in_window(address, kSharedWindow)) return Space::shared;
  if (in_window(address, kLocalWindow)) return Space::local;
  if (in_window(address, kParameterWindow)) return Space::parameter;
  return Space::generic;
}

/// The start of a space's window in the generic address space; 0 for global memory.
std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return kSharedWindow;
    case Space::local:
      return kLocalWindow;
    case Space::parameter:
      return kParameterWindow;
    default:
      return 0;
  }
}

std::string_view name_of_space(Space space) {
  switch (space) {
    case Space::global:
    case Space::constant:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::parameter:
      return "parameter";
    case Space::generic:
      return "no";
  }
  return "";
}

std::string_view verb_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load of";
    case AccessKind::store:
      return "store of";
    case AccessKind::atomic:
      return "atomic operation on";
  }
  return "";
}

/// Describes an access, as in "store of 4 bytes at 0x10 in shared memory".
std::string describe(const Access& access, Space space, std::uint64_t address) {
  if (space == Space::generic) {
    return fmt::format("{} {} bytes at {:#x}", verb_of(access.kind), access.bytes, address);
  }
  const bool generic = access.space == Space::generic && space != Space::global;
  return fmt::format("{} {} bytes at {}{:#x} in {} memory", verb_of(access.kind), access.bytes,
                     generic ? "generic address " : "", address, name_of_space(space));
}

[[noreturn]] void raise_access(FaultKind kind, int lane, const Access& access, Space space,
                               std::uint64_t address, std::string_view why) {
  raise(kind, lane, address, access.bytes,
        fmt::format("{}: {}", describe(access, space, address), why));
}

std::byte* resolve_global(const WarpContext& context, const Access& access, int lane,
                          std::uint64_t address) {
  const AllocationWindow window = window_at(context, address);
  if (!contains(window, address) || access.bytes > window.bytes - (address - window.begin)) {
    GlobalMemory* const memory = context.memory.global;
    const bool constant = contains(window, address) && !window.is_writable;
    if (memory != nullptr && (access.kind == AccessKind::load || !constant) &&
        memory->permits_stray(address, access.bytes, access.instruction, access.kind)) {
      return memory->host(address);
    }
    const bool freed = memory != nullptr && memory->was_freed(address);
    const std::string why = address < 4096      ? "a null pointer, or near it"
                            : memory == nullptr ? "the launch has no device memory"
                                                : memory->describe(address, access.bytes);
    raise_access(freed ? FaultKind::freed_memory : FaultKind::out_of_bounds, lane, access,
                 Space::global, address, why);
  }
  if (access.kind != AccessKind::load && !window.is_writable) {
    raise_access(FaultKind::read_only, lane, access, Space::global, address,
                 context.memory.global->describe(address, access.bytes));
  }
  return window.host + (address - window.begin);
}

/// Raises a LaneFault if an access at `offset` exceeds a memory of `size` bytes.
void check_bounds(const Access& access, int lane, std::uint64_t address, Space space,
                  std::uint64_t offset, std::uint64_t size) {
  if (offset >= size || access.bytes > size - offset) {
    std::string_view owner = "of the block";
    if (space == Space::local) owner = "of the thread";
    if (space == Space::parameter) owner = "of the kernel";
    raise_access(FaultKind::out_of_bounds, lane, access, space, address,
                 fmt::format("the {} memory {} has {} bytes", name_of_space(space), owner, size));
  }
}

}  // namespace

bool has_narrow_address(const code::Instruction& instruction) {
  const code::Operand& operand = instruction.sources[0];
  return operand.width == 1 && (operand.kind == code::Operand::Kind::reg ||
                                operand.kind == code::Operand::Kind::constant);
}

bool has_sources(const code::Instruction& instruction, std::size_t first, std::size_t count,
                 int width) {
  if (instruction.sources.size() < first + count) return false;
  for (std::size_t i = first; i < first + count; ++i) {
    const code::Operand& operand = instruction.sources[i];
    if (!operand.present() || operand.is_predicate()) return false;
    const bool immediate = !operand.is_register() && operand.kind != code::Operand::Kind::constant;
    if (operand.width < width && !immediate) return false;
  }
  return true;
}

void find_addresses(WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  const bool in_32_bits = instruction.space == Space::shared || instruction.space == Space::local ||
                          instruction.space == Space::parameter;
  const OperandRef ref = sources_of(context, decoded)[0];
  const bool narrow = has_narrow_address(instruction);
  auto offset = static_cast<std::uint64_t>(instruction.offset);
  if (!ref.present() && instruction.space == Space::local) {
    offset += instruction.outgoing ? context.frame_top : context.frame_base;
  }
  const std::uint64_t address_bits = in_32_bits ? 0xffff'ffff : ~std::uint64_t{0};
  std::array<std::uint64_t, 32>& address = context.address();
  // The compiler vectorizes these loops.
  if (!ref.present()) {
    address.fill(offset & address_bits);
  } else if (narrow) {
    const std::uint32_t* const words = context.lanes(ref);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      address[lane] = (offset + words[lane]) & address_bits;
    }
  } else {
    const std::uint32_t* const words = context.lanes(ref);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t word = words[lane] | std::uint64_t{words[lane + 32]} << 32;
      address[lane] = (offset + word) & address_bits;
    }
  }
  if (context.active == 0) return;
  const std::uint64_t lowest = address[static_cast<std::size_t>(std::countr_zero(context.active))];
  for (LaneMask inactive(~context.active); !inactive.empty();
       inactive = inactive.without_lowest()) {
    address[static_cast<std::size_t>(inactive.lowest())] = lowest;
  }
}

AllocationWindow window_at(const WarpContext& context, std::uint64_t address) {
  AllocationCache& cache = context.accesses->allocations;
  const GlobalMemory* const memory = context.memory.global;
  if (memory == nullptr) return {};
  if (cache.memory != memory || cache.generation != memory->generation()) {
    cache = AllocationCache{};
    cache.memory = memory;
    cache.generation = memory->generation();
  }
  for (const AllocationWindow& window : cache.windows) {
    if (contains(window, address)) return window;
  }
  const Allocation* const found = memory->find(address);
  if (found == nullptr) return {};
  AllocationWindow& window = cache.windows[cache.next];
  cache.next = (cache.next + 1) % static_cast<std::uint32_t>(cache.windows.size());
  window = {found->address, found->bytes, memory->host(found->address), found->is_writable()};
  return window;
}

Target resolve(const WarpContext& context, const Access& access, int lane, std::uint64_t address) {
  const Space space = space_of(access.space, address);
  if ((address & (access.alignment - 1)) != 0) {
    raise_access(FaultKind::misaligned, lane, access, space, address,
                 fmt::format("it must be aligned to {} bytes", access.alignment));
  }
  const std::uint64_t offset =
      access.space == Space::generic ? address - window_of(space) : address;
  const MemoryView& memory = context.memory;
  switch (space) {
    case Space::global:
    case Space::constant:
      return {Space::global, address, resolve_global(context, access, lane, address)};
    case Space::shared:
      if (memory.global == nullptr ||
          !memory.global->permits_shared_stray(offset, access.bytes, memory.shared_bytes,
                                               access.instruction, access.kind)) {
        check_bounds(access, lane, address, space, offset, memory.shared_bytes);
      }
      return {space, offset, memory.shared + offset};
    case Space::local:
      check_bounds(access, lane, address, space, offset, memory.local_bytes);
      return {space, offset, nullptr};
    case Space::parameter:
      check_bounds(access, lane, address, space, offset, memory.parameter_bytes);
      if (access.kind != AccessKind::load) {
        raise_access(FaultKind::read_only, lane, access, space, address,
                     "a kernel cannot change its parameters");
      }
      // Only loads get here. They do not write through the pointer.
      return {space, offset, const_cast<std::byte*>(memory.parameters) + offset};
    case Space::generic:
      break;
  }
  raise_access(
      FaultKind::out_of_bounds, lane, access, Space::generic, address,
      address < 4096 ? "a null pointer, or near it" : "the address lies in no memory space");
}

void check_lanes(const WarpContext& context, const Access& access, std::uint32_t lanes) {
  for (LaneMask remaining(lanes); !remaining.empty(); remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    resolve(context, access, lane, context.address()[static_cast<std::size_t>(lane)]);
  }
}

Placement place_group(const WarpContext& context, Space space, std::uint32_t lanes) {
  const auto space_at = [&](int lane) {
    return space_of(space, context.address()[static_cast<std::size_t>(lane)]);
  };
  Placement placement;
  const Space lowest_space = space_at(std::countr_zero(lanes));
  for (LaneMask remaining(lanes); !remaining.empty(); remaining = remaining.without_lowest()) {
    if (space_at(remaining.lowest()) == lowest_space) {
      placement.lanes |= LaneMask::of_lane(remaining.lowest()).bits();
    }
  }
  const std::uint64_t window = space == Space::generic ? window_of(lowest_space) : 0;
  switch (lowest_space) {
    case Space::shared:
      placement.host = reinterpret_cast<std::uintptr_t>(context.memory.shared) - window;
      break;
    case Space::parameter:
      placement.host = reinterpret_cast<std::uintptr_t>(context.memory.parameters) - window;
      break;
    case Space::local:
      placement.local = true;
      placement.host = std::uintptr_t{0} - window;
      break;
    default:
      placement.global = true;
      placement.host =
          reinterpret_cast<std::uintptr_t>(context.memory.global->host(kGlobalBase)) - kGlobalBase;
      break;
  }
  return placement;
}

void raise_stack_overflow(const WarpContext& context) {
  raise(FaultKind::stack_overflow, std::countr_zero(context.active), context.frame_top, 0,
        fmt::format("a thread's stack has {} bytes", context.memory.local_bytes));
}

bool lies_in_space(const WarpContext& context, Space space, std::uint64_t address) {
  switch (space) {
    case Space::shared:
      return in_window(address, kSharedWindow);
    case Space::local:
      return in_window(address, kLocalWindow);
    case Space::parameter:
      return in_window(address, kParameterWindow);
    default:
      break;
  }
  // A generic address is a global address unless it lies in another space's window (PTX ISA, 5.1,
  // State Spaces). Constant variables have no window in Heddle: each is an allocation of its own in
  // global memory.
  const bool in_other_space = in_window(address, kSharedWindow) ||
                              in_window(address, kLocalWindow) ||
                              in_window(address, kParameterWindow);
  const GlobalMemory* const memory = context.memory.global;
  const Allocation* const found = memory == nullptr ? nullptr : memory->find(address);
  const bool constant = found != nullptr && found->kind == AllocationKind::constant;
  return space == Space::constant ? constant : !in_other_space && !constant;
}

}  // namespace heddle::exec
