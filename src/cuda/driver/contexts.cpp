#include "cuda/driver/contexts.h"

#include <vector>

#include "cuda/runtime/call.h"

namespace heddle::cuda::driver {
namespace {

/// The calling thread's stack of contexts. The last one is current.
std::vector<abi::ContextHandle>& stack() {
  static thread_local std::vector<abi::ContextHandle> contexts;
  return contexts;
}

/// A handle is a number and not an address: an address could be reused by a later context while a
/// thread still holds the old handle.
abi::ContextHandle handle_of(std::uint64_t id) {
  return reinterpret_cast<abi::ContextHandle>(id << 4);
}
const abi::ContextHandle kPrimary = handle_of(1);

/// Removes the calling thread's current context: the top of its stack or, if the stack is empty,
/// the primary context that the thread has through the runtime.
void remove_current() {
  if (stack().empty()) {
    has_released_primary() = true;
  } else {
    stack().pop_back();
  }
}

}  // namespace

Contexts& Contexts::instance() {
  static Contexts& contexts = *new Contexts;
  return contexts;
}

bool Contexts::primary_is_active(const Session& session) const {
  return primary_use_count_ != 0 || session.runtime_retains_primary;
}

bool Contexts::is_live(const Session& session, abi::ContextHandle handle) const {
  return handle == kPrimary ? primary_is_active(session) : contexts_.contains(handle);
}

abi::ContextHandle Contexts::current(const Session& session) const {
  if (!stack().empty() && is_live(session, stack().back())) return stack().back();
  return session.runtime_retains_primary && !has_released_primary() ? kPrimary : nullptr;
}

Context& Contexts::get(const Session& session, abi::ContextHandle handle) {
  if (handle == nullptr) handle = current(session);
  if (handle == nullptr || !is_live(session, handle)) throw Failure{Error::invalid_context};
  return handle == kPrimary ? primary_ : contexts_.at(handle);
}

abi::ContextHandle Contexts::create(std::uint32_t flags) {
  const abi::ContextHandle handle = handle_of(++last_id_);
  contexts_.emplace(handle, Context{.flags = flags, .id = last_id_});
  stack().push_back(handle);
  return handle;
}

void Contexts::destroy(Session& session, abi::ContextHandle handle) {
  if (contexts_.erase(handle) == 0) throw Failure{Error::invalid_context};
  if (!stack().empty() && stack().back() == handle) stack().pop_back();
  reset_unless_used(session);
}

void Contexts::push(const Session& session, abi::ContextHandle handle) {
  if (!is_live(session, handle)) throw Failure{Error::invalid_context};
  stack().push_back(handle);
}

abi::ContextHandle Contexts::pop(const Session& session) {
  const abi::ContextHandle handle = current(session);
  if (handle == nullptr) throw Failure{Error::invalid_context};
  remove_current();
  return handle;
}

void Contexts::set(const Session& session, abi::ContextHandle handle) {
  if (handle != nullptr && !is_live(session, handle)) throw Failure{Error::invalid_context};
  remove_current();
  if (handle != nullptr) stack().push_back(handle);
}

abi::ContextHandle Contexts::retain_primary() {
  ++primary_use_count_;
  return kPrimary;
}

void Contexts::release_primary(Session& session) {
  if (primary_use_count_ == 0) throw Failure{Error::invalid_context};
  --primary_use_count_;
  reset_unless_used(session);
}

void Contexts::reset_primary(Session& session) { reset_device(session); }

void Contexts::reset_unless_used(Session& session) {
  if (contexts_.empty() && !primary_is_active(session)) reset_device(session);
}

void Contexts::reset_device(Session& session) {
  session.reset();
  for (const Module* const module : modules_) session.modules.remove(*module, nullptr);
  modules_.clear();
}

}  // namespace heddle::cuda::driver
