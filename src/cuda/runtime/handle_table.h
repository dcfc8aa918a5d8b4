#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "cuda/runtime/error.h"

namespace heddle::cuda {

/// The objects that a program refers to by handles. A handle is the object's address.
template <class Object, class Handle>
class HandleTable {
 public:
  /// Adds an object and returns its handle.
  Handle add(std::unique_ptr<Object> object) {
    Object* const key = object.get();
    objects_.emplace(key, std::move(object));
    return reinterpret_cast<Handle>(key);
  }
  /// The object of a handle. Throws Failure for an invalid handle, or the handle of a removed
  /// object.
  Object& get(Handle handle) const {
    const auto found = objects_.find(handle);
    if (found == objects_.end()) throw Failure{Error::invalid_resource_handle};
    return *found->second;
  }
  /// Destroys the object of a handle. Throws Failure as get() does.
  void remove(Handle handle) {
    if (objects_.erase(handle) == 0) throw Failure{Error::invalid_resource_handle};
  }
  void clear() { objects_.clear(); }

 private:
  std::unordered_map<const void*, std::unique_ptr<Object>> objects_;
};

}  // namespace heddle::cuda
