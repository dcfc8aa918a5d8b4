#pragma once

// How accesses to global memory are observed. If a program is decoded for observation, the handler
// of each instruction that may access global memory is observe_access(), which executes the
// instruction by its own handler and then reports the access.

#include <cstdint>

#include "exec/block/warp_context.h"
#include "exec/observation/access_observer.h"

namespace heddle::exec {

class DeferredAtomic;

/// Where a warp's accesses are reported.
struct AccessReport {
  AccessObserver* observer = nullptr;  ///< Null: nothing is reported.
  ObservedWarp warp{};                 ///< All but the number of the warp.
};

/// Whether the instruction may access global memory, other than through a texture or a surface. An
/// instruction with generic addresses may.
bool may_access_global_memory(const code::Instruction& instruction);

/// The handler. WarpContext::plain_handlers has the instruction's own one. Reports nothing if
/// WarpContext::accesses_to is null, as in copies of warps.
void observe_access(WarpContext& context, const Decoded& decoded);
/// Reports an atomic that no handler has executed. Its warp must be observed.
void observe_atomic(const WarpContext& context, std::uint32_t pc, const DeferredAtomic& atomic);

/// Reports that a warp has ended. It must be observed.
void report_warp_end(const WarpContext& context);

}  // namespace heddle::exec
