#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cuda/graphs/abi.h"

namespace heddle::cuda::graphs {

/// An object of the program that graphs keep alive (cudaUserObject_t). When the last reference is
/// released, the program's function destroys it.
struct UserObject {
  void* data = nullptr;
  abi::HostFunction destroy = nullptr;
  std::uint64_t own_references = 0;    ///< Of the program.
  std::uint64_t graph_references = 0;  ///< Of all graphs.
};

/// The references that one graph has.
class UserObjectReferences {
 public:
  UserObjectReferences() = default;
  UserObjectReferences(const UserObjectReferences&) = delete;
  UserObjectReferences& operator=(const UserObjectReferences&) = delete;
  ~UserObjectReferences();

  void add(const std::shared_ptr<UserObject>& object, std::uint64_t count);
  /// Throws Failure if the graph has fewer references.
  void release(UserObject& object, std::uint64_t count);
  /// The objects that the graph refers to.
  std::vector<std::shared_ptr<UserObject>> objects() const;

 private:
  struct Reference {
    std::shared_ptr<UserObject> object;
    std::uint64_t count = 0;
  };
  std::map<const UserObject*, Reference> references_;
};

/// Calls the program's function if no reference is left.
void destroy_if_unreferenced(const UserObject& object);

}  // namespace heddle::cuda::graphs
