#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "cuda/runtime/error.h"

namespace heddle::cuda {

/// Objects that a program holds by handles, which are their addresses.
template <class Object, class Handle>
class HandleTable {
 public:
  Handle add(std::unique_ptr<Object> object) {
    Object* const key = object.get();
    objects_.emplace(key, std::move(object));
    return reinterpret_cast<Handle>(key);
  }
  /// Throws Failure for what is no handle, or one no longer.
  Object& get(Handle handle) const {
    const auto found = objects_.find(handle);
    if (found == objects_.end()) throw Failure{Error::invalid_resource_handle};
    return *found->second;
  }
  void remove(Handle handle) {
    if (objects_.erase(handle) == 0) throw Failure{Error::invalid_resource_handle};
  }
  void clear() { objects_.clear(); }

 private:
  std::unordered_map<const void*, std::unique_ptr<Object>> objects_;
};

}  // namespace heddle::cuda
