#pragma once

// The work of a graph's nodes. A node keeps copies of all parameters, so that a program may change
// its variables after it has created the node.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "cuda/graphs/abi.h"

namespace heddle::cuda {
class Session;
}

namespace heddle::cuda::graphs {

class Graph;

/// A launch of a kernel.
struct KernelWork {
  const void* function = nullptr;  ///< As the program passed it: a key of Modules::function().
  abi::Dim3 grid{}, block{};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> arguments{};                ///< In the layout of the kernel's parameters.
  std::vector<std::size_t> offsets{};                ///< Of the parameters in `arguments`.
  std::map<int, abi::LaunchAttribute> attributes{};  ///< By LaunchAttribute::id.
  std::vector<void*> pointers{};  ///< Pointers to the arguments, which a query has returned.

  bool is_cooperative() const;
};

struct CopyWork {
  abi::Copy3D copy{};
};
struct FillWork {
  abi::Fill fill{};
};
struct HostWork {
  abi::HostNode host{};
};
/// Executes a graph that the node owns.
struct ChildWork {
  std::unique_ptr<Graph> graph;
};
struct EmptyWork {};
/// Has no effect on the order: all earlier work of other streams has completed.
struct WaitWork {
  abi::EventHandle event = nullptr;
};
struct RecordWork {
  abi::EventHandle event = nullptr;
};

/// Memory that a graph allocates. It has the same address in every launch, so the device's memory
/// is reserved as long as a graph may allocate it or the program has not freed it.
struct GraphMemory {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool is_allocated = false;  ///< By a launch, and not freed since.
};
struct AllocateWork {
  abi::AllocationNode parameters{};
  std::vector<abi::MemoryAccess> accesses{};
  std::shared_ptr<GraphMemory> memory{};
};
struct FreeWork {
  void* pointer = nullptr;
};

/// The value of a conditional handle. It is in device memory, where kernels write it; the handle
/// is its address.
struct Condition {
  abi::ConditionHandle address = 0;
  std::uint32_t default_value = 0;
  bool has_default = false;  ///< Every launch begins with the default value.
  bool has_node = false;
};
struct ConditionalWork {
  std::shared_ptr<Condition> condition{};
  abi::ConditionalKind kind = abi::ConditionalKind::if_else;
  std::vector<std::unique_ptr<Graph>> bodies{};
  std::vector<abi::GraphHandle> handles{};  ///< Of the bodies, as the program sees them.
};

using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, ChildWork, EmptyWork, WaitWork,
                          RecordWork, AllocateWork, FreeWork, ConditionalWork>;

abi::NodeType type_of(const Work& work);

// The following create work from a program's parameters. They throw Failure for invalid ones.
Work kernel_work(Session& session, const abi::KernelNode& parameters);
Work copy_work(Session& session, const abi::Copy3D& copy);
Work fill_work(const abi::Fill& fill);
Work host_work(const abi::HostNode& host);
Work wait_work(Session& session, abi::EventHandle event);
Work record_work(Session& session, abi::EventHandle event);
/// Reserves the memory. Sets the result in `parameters`.
Work allocate_work(Session& session, abi::AllocationNode& parameters);
Work free_work(Session& session, void* pointer);

/// Creates the condition of a handle.
std::shared_ptr<Condition> make_condition(Session& session, std::uint32_t default_value,
                                          bool has_default);

/// The parameters of a kernel's node. The pointers to arguments are valid until the node changes.
abi::KernelNode parameters_of(KernelWork& work);

}  // namespace heddle::cuda::graphs
