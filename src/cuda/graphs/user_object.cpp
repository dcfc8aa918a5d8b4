#include "cuda/graphs/user_object.h"

#include "cuda/runtime/error.h"

namespace heddle::cuda::graphs {

UserObjectReferences::~UserObjectReferences() {
  for (const auto& [object, reference] : references_) {
    reference.object->graph_references -= reference.count;
    destroy_if_unreferenced(*reference.object);
  }
}

void UserObjectReferences::add(const std::shared_ptr<UserObject>& object, std::uint64_t count) {
  Reference& reference = references_[object.get()];
  reference.object = object;
  reference.count += count;
  object->graph_references += count;
}

void UserObjectReferences::release(UserObject& object, std::uint64_t count) {
  const auto found = references_.find(&object);
  if (found == references_.end() || found->second.count < count) {
    throw Failure{Error::invalid_value};
  }
  const std::shared_ptr<UserObject> kept = found->second.object;
  kept->graph_references -= count;
  found->second.count -= count;
  if (found->second.count == 0) references_.erase(found);
  destroy_if_unreferenced(*kept);
}

std::vector<std::shared_ptr<UserObject>> UserObjectReferences::objects() const {
  std::vector<std::shared_ptr<UserObject>> objects;
  for (const auto& [object, reference] : references_) objects.push_back(reference.object);
  return objects;
}

void destroy_if_unreferenced(const UserObject& object) {
  if (object.own_references + object.graph_references == 0) object.destroy(object.data);
}

}  // namespace heddle::cuda::graphs
