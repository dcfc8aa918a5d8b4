#pragma once

// A program's contexts. There is one device with one memory, so a context is only a handle that can
// be current in a thread. Memory and modules belong to the device, and are freed when its last
// context is destroyed. All functions must be called under the session's mutex.

#include <cstdint>
#include <map>
#include <set>

#include "cuda/driver/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

struct Context {
  std::uint32_t flags = 0;
  std::uint64_t id = 0;
  std::uint32_t uses = 1;  ///< Counted by cuCtxAttach and cuCtxDetach.
};

/// All contexts of the process, and the stack of current contexts of the calling thread.
class Contexts {
 public:
  static Contexts& instance();

  /// The calling thread's current context; null if it has none.
  abi::ContextHandle current(const Session& session) const;
  /// The context of a handle; null means the current one. Throws Failure for an invalid handle.
  Context& get(const Session& session, abi::ContextHandle handle);

  /// Creates a context and makes it current.
  abi::ContextHandle create(std::uint32_t flags);
  void destroy(Session& session, abi::ContextHandle handle);
  void push(const Session& session, abi::ContextHandle handle);
  /// Throws Failure if no context is current.
  abi::ContextHandle pop(const Session& session);
  /// Replaces the current context; null: by none.
  void set(const Session& session, abi::ContextHandle handle);

  abi::ContextHandle retain_primary();
  void release_primary(Session& session);
  void reset_primary(Session& session);
  bool primary_is_active(const Session& session) const;
  std::uint32_t primary_flags() const { return primary_.flags; }
  void set_primary_flags(std::uint32_t flags) { primary_.flags = flags; }

  /// Modules that are unloaded when the device's memory is freed.
  void add_module(const Module& module) { modules_.insert(&module); }
  void remove_module(const Module& module) { modules_.erase(&module); }
  bool has_module(const Module& module) const { return modules_.contains(&module); }

 private:
  Contexts() = default;
  bool is_live(const Session& session, abi::ContextHandle handle) const;
  void reset_unless_used(Session& session);
  void reset_device(Session& session);

  Context primary_{.id = 1};
  std::uint32_t primary_uses_ = 0;
  std::uint64_t made_ = 1;  ///< The number of contexts created so far; the primary one is 1.
  std::map<abi::ContextHandle, Context> live_;
  std::set<const Module*> modules_;
};

}  // namespace heddle::cuda::driver
