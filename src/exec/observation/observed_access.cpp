#include "exec/observation/observed_access.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "code/operation_properties.h"
#include "exec/memory/address_space.h"
#include "exec/memory/deferred_atomic.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec {
namespace {

using code::FunctionalClass;
using Addresses = std::array<std::uint64_t, 32>;

AccessKind kind_of(FunctionalClass functional_class) {
  return functional_class == FunctionalClass::store    ? AccessKind::store
         : functional_class == FunctionalClass::atomic ? AccessKind::atomic
                                                       : AccessKind::load;
}

/// The addresses in global memory from which a cp.async copies.
Addresses copied_addresses(const WarpContext& context, const Decoded& decoded) {
  const code::Operand& source = context.code[decoded.index].sources[1];
  const std::uint32_t* const words = context.lanes(sources_of(context, decoded)[1]);
  const bool is_narrow =
      source.width == 1 && (source.is_register() || source.kind == code::Operand::Kind::constant);
  Addresses addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = words[lane];
    if (!is_narrow) addresses[lane] |= std::uint64_t{words[lane + 32]} << 32;
  }
  return addresses;
}

LaneMask lanes_in_global_memory(const Addresses& addresses, LaneMask lanes) {
  LaneMask found;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    if (addresses[static_cast<std::size_t>(lanes.lowest())] < kGlobalBase) continue;
    found = found | LaneMask::of_lane(lanes.lowest());
  }
  return found;
}

ObservedWarp observed_warp(const WarpContext& context) {
  ObservedWarp warp = context.accesses_to->warp;
  warp.warp = context.identity->warp;
  return warp;
}

[[gnu::noinline]] void report(const WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  const FunctionalClass functional_class = properties_of(instruction.operation).functional_class;
  ObservedAccess access{.warp = observed_warp(context),
                        .pc = decoded.index,
                        .kind = kind_of(functional_class),
                        .addresses = &context.address()};
  Addresses copied;
  if (functional_class == FunctionalClass::copy) {
    copied = copied_addresses(context, decoded);
    access.addresses = &copied;
    access.bytes_per_lane = instruction.copy_bytes;
  } else {
    access.bytes_per_lane = static_cast<std::uint32_t>(size_of(instruction.type)) *
                            std::max<std::uint32_t>(instruction.vector_count, 1);
  }
  access.lanes = lanes_in_global_memory(*access.addresses, LaneMask(context.active));
  if (!access.lanes.empty()) context.accesses_to->observer->access(access);
}

}  // namespace

bool may_access_global_memory(const code::Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::copy:
      return true;
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
      return instruction.operation != code::Operation::load_local_slot &&
             instruction.operation != code::Operation::store_local_slot &&
             (instruction.space == code::Space::global ||
              instruction.space == code::Space::generic);
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
    case FunctionalClass::exchange:
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return false;
  }
  return false;
}

void observe_access(WarpContext& context, const Decoded& decoded) {
  context.plain_handlers[decoded.index](context, decoded);
  if (context.accesses_to != nullptr && context.active != 0) report(context, decoded);
}

void observe_atomic(const WarpContext& context, std::uint32_t pc, const DeferredAtomic& atomic) {
  if (atomic.lanes().empty()) return;
  context.accesses_to->observer->access({.warp = observed_warp(context),
                                         .pc = pc,
                                         .kind = AccessKind::atomic,
                                         .bytes_per_lane = atomic.bytes(),
                                         .lanes = atomic.lanes(),
                                         .addresses = &atomic.addresses()});
}

void report_warp_end(const WarpContext& context) {
  context.accesses_to->observer->end_warp(observed_warp(context));
}

}  // namespace heddle::exec
