#pragma once

// A program's contexts. There is one device with one memory, so a context is only a handle that can
// be current in a host thread. Memory and modules belong to the device, and are freed when its last
// context is destroyed. The primary context is the one that the runtime uses. The session's mutex
// must be locked for all functions.

#include <cstdint>
#include <map>
#include <set>

#include "cuda/driver/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

/// The state of a context that programs can query.
struct Context {
  std::uint32_t flags = 0;
  std::uint64_t id = 0;
  std::uint32_t use_count = 1;  ///< Counted by cuCtxAttach and cuCtxDetach.
};

/// All contexts of the process. Each host thread has a stack of current contexts, a thread-local
/// variable in contexts.cpp; the functions use the calling thread's.
class Contexts {
 public:
  static Contexts& instance();

  /// The calling thread's current context; null if it has none.
  abi::ContextHandle current(const Session& session) const;
  /// The context of a handle; null means the current one. Throws Failure for an invalid handle, or
  /// for null if no context is current.
  Context& get(const Session& session, abi::ContextHandle handle);
  /// Throws Failure for an invalid handle, or for null if no context is current.
  void check(const Session& session, abi::ContextHandle handle) { get(session, handle); }

  /// Creates a context and pushes it onto the calling thread's stack. Returns its handle.
  abi::ContextHandle create(std::uint32_t flags);
  /// Destroys a context other than the primary one. Throws Failure for an invalid handle.
  void destroy(Session& session, abi::ContextHandle handle);
  /// Makes a context current. Throws Failure for an invalid handle.
  void push(const Session& session, abi::ContextHandle handle);
  /// Removes the current context from the stack and returns its handle. Throws Failure if no
  /// context is current.
  abi::ContextHandle pop(const Session& session);
  /// Replaces the current context; with null, only removes it. Throws Failure for an invalid
  /// handle.
  void set(const Session& session, abi::ContextHandle handle);

  /// Counts a use of the primary context and returns the context's handle.
  abi::ContextHandle retain_primary();
  /// Reverses one call of retain_primary(). Throws Failure if all have been reversed.
  void release_primary(Session& session);
  /// Resets the device, even if other contexts exist.
  void reset_primary(Session& session);
  /// True if the driver's calls or the runtime retain the primary context.
  bool primary_is_active(const Session& session) const;
  std::uint32_t primary_flags() const { return primary_.flags; }
  void set_primary_flags(std::uint32_t flags) { primary_.flags = flags; }

  // The modules that are unloaded when the device's memory is freed.
  void add_module(const Module& module) { modules_.insert(&module); }
  void remove_module(const Module& module) { modules_.erase(&module); }
  bool has_module(const Module& module) const { return modules_.contains(&module); }

 private:
  Contexts() = default;
  bool is_live(const Session& session, abi::ContextHandle handle) const;
  /// Resets the device if the primary context is not active and no other context exists.
  void reset_unless_used(Session& session);
  void reset_device(Session& session);

  Context primary_{.id = 1};
  std::uint32_t primary_use_count_ = 0;  ///< Counted by cuDevicePrimaryCtxRetain.
  std::uint64_t last_id_ = 1;            ///< Of the newest context. The primary one has 1.
  std::map<abi::ContextHandle, Context> contexts_;  ///< Without the primary one.
  std::set<const Module*> modules_;
};

}  // namespace heddle::cuda::driver
