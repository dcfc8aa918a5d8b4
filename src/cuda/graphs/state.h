#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "cuda/graphs/captures.h"
#include "cuda/graphs/executable.h"
#include "cuda/graphs/graph.h"

namespace heddle::cuda::graphs {

/// The graphs of a process, and all objects that belong to them.
struct State {
  Registry registry;
  std::unordered_map<const Graph*, std::unique_ptr<Graph>> graphs;  ///< Those that programs own.
  std::unordered_map<const void*, std::shared_ptr<Executable>> executables;  ///< By handle.
  std::map<abi::ConditionHandle, std::weak_ptr<Condition>> conditions;
  std::unordered_map<const void*, std::shared_ptr<UserObject>> user_objects;  ///< By handle.
  /// The memory that graphs allocate, by address. While it is allocated, `kept` holds it.
  std::map<std::uint64_t, std::weak_ptr<GraphMemory>> memory;
  std::map<std::uint64_t, std::shared_ptr<GraphMemory>> kept_memory;
  std::uint64_t used_bytes = 0, most_used_bytes = 0;  ///< Of the memory of graphs.
  std::uint64_t reserved_bytes = 0, most_reserved_bytes = 0;
  Captures captures;

  /// Takes over a graph and returns its handle.
  abi::GraphHandle add(std::unique_ptr<Graph> graph);
  /// The executable graph of a handle. Throws Failure for an invalid handle.
  const std::shared_ptr<Executable>& executable(abi::ExecutableHandle handle) const;
  /// The user object of a handle. Throws Failure for an invalid handle.
  const std::shared_ptr<UserObject>& user_object(abi::UserObjectHandle handle) const;
  /// Forgets the user objects that are no longer referenced, and so have been destroyed.
  void forget_user_objects();
  /// Destroys everything. Called before the device is destroyed.
  void clear();
};

// Memory of graphs. The following throw Failure if the memory is allocated already, or is not
// allocated.
void allocate_memory(Session& session, const std::shared_ptr<GraphMemory>& memory);
void free_memory(Session& session, GraphMemory& memory);
/// The memory that a graph may allocate at an address; null if there is none.
std::shared_ptr<GraphMemory> memory_at(Session& session, const void* pointer);

}  // namespace heddle::cuda::graphs
