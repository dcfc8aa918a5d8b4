#pragma once

// A program's contexts. There is one device with one memory: a context is a handle, which threads
// have current or not; memory and modules belong to the device, and go when its last context does.
// Used under the session's mutex.

#include <cstdint>
#include <map>
#include <set>

#include "cuda/driver/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

struct Context {
  std::uint32_t flags = 0;
  std::uint64_t id = 0;
  std::uint32_t uses = 1;  ///< Of cuCtxAttach.
};

class Contexts {
 public:
  static Contexts& instance();

  /// The calling thread's; null where it has none.
  abi::ContextHandle current(const Session& session) const;
  /// Throws Failure for what is none, or one no longer. Null: the current one.
  Context& get(const Session& session, abi::ContextHandle handle);

  /// Makes one, current.
  abi::ContextHandle create(std::uint32_t flags);
  void destroy(Session& session, abi::ContextHandle handle);
  void push(const Session& session, abi::ContextHandle handle);
  /// Throws Failure where there is none.
  abi::ContextHandle pop(const Session& session);
  /// In place of the current one; null: none.
  void set(const Session& session, abi::ContextHandle handle);

  abi::ContextHandle retain_primary();
  void release_primary(Session& session);
  void reset_primary(Session& session);
  bool primary_is_active(const Session& session) const;
  std::uint32_t primary_flags() const { return primary_.flags; }
  void set_primary_flags(std::uint32_t flags) { primary_.flags = flags; }

  /// Modules that go with the memory.
  void add_module(const Module& module) { modules_.insert(&module); }
  void remove_module(const Module& module) { modules_.erase(&module); }
  bool has_module(const Module& module) const { return modules_.contains(&module); }

 private:
  Contexts() = default;
  bool is_live(const Session& session, abi::ContextHandle handle) const;
  void forget_unless_used(Session& session);
  void forget_device(Session& session);

  Context primary_{.id = 1};
  std::uint32_t primary_uses_ = 0;
  std::uint64_t made_ = 1;
  std::map<abi::ContextHandle, Context> live_;
  std::set<const Module*> modules_;
};

}  // namespace heddle::cuda::driver
