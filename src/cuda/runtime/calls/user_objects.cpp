// The runtime's calls for user objects: objects of the program that graphs keep alive.

#include "cuda/runtime/call.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda {

HEDDLE_CUDA_EXPORT Error cudaUserObjectCreate(abi::UserObjectHandle* object, void* data,
                                              abi::HostFunction destroy, unsigned count,
                                              unsigned flags) {
  return call("cudaUserObjectCreate", [&](Session& session) {
    constexpr unsigned kNoDestructorSync = 1;  // CUDA requires this flag.
    if (destroy == nullptr || count == 0 || flags != kNoDestructorSync) {
      throw Failure{Error::invalid_value};
    }
    auto created = std::make_shared<graphs::UserObject>();
    created->data = data;
    created->destroy = destroy;
    created->own_references = count;
    abi::UserObjectHandle& result = result_at(object);
    result = reinterpret_cast<abi::UserObjectHandle>(created.get());
    session.graphs.user_objects[created.get()] = created;
  });
}

HEDDLE_CUDA_EXPORT Error cudaUserObjectRetain(abi::UserObjectHandle object, unsigned count) {
  return call("cudaUserObjectRetain", [&](Session& session) {
    session.graphs.user_object(object)->own_references += count;
  });
}

HEDDLE_CUDA_EXPORT Error cudaUserObjectRelease(abi::UserObjectHandle object, unsigned count) {
  return call("cudaUserObjectRelease", [&](Session& session) {
    graphs::UserObject& released = *session.graphs.user_object(object);
    if (count > released.own_references) throw Failure{Error::invalid_value};
    released.own_references -= count;
    graphs::destroy_if_unreferenced(released);
    session.graphs.forget_user_objects();
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphRetainUserObject(abi::GraphHandle graph,
                                                   abi::UserObjectHandle object, unsigned count,
                                                   unsigned flags) {
  return call("cudaGraphRetainUserObject", [&](Session& session) {
    constexpr unsigned kMove = 1;  // The program's references become the graph's.
    graphs::Graph& owner = session.graphs.registry.graph(graph);
    const std::shared_ptr<graphs::UserObject> retained = session.graphs.user_object(object);
    const bool is_moved = flags == kMove;
    if (count == 0 || flags > kMove || (is_moved && retained->own_references < count)) {
      throw Failure{Error::invalid_value};
    }
    owner.user_objects.add(retained, count);
    if (is_moved) retained->own_references -= count;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphReleaseUserObject(abi::GraphHandle graph,
                                                    abi::UserObjectHandle object, unsigned count) {
  return call("cudaGraphReleaseUserObject", [&](Session& session) {
    session.graphs.registry.graph(graph).user_objects.release(*session.graphs.user_object(object),
                                                              count);
    session.graphs.forget_user_objects();
  });
}

}  // namespace heddle::cuda
