#include "cuda/graphs/work.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/error.h"
#include "cuda/driver/launch_arguments.h"
#include "cuda/graphs/graph.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/copy_3d.h"
#include "cuda/runtime/fills.h"

namespace heddle::cuda::graphs {
namespace {

/// Frees device memory that belongs to a graph, unless the device no longer exists.
void free_reserved(std::uint64_t address) noexcept {
  Session& session = Session::instance();
  device::Device* const device = session.device_if_created();
  if (device == nullptr) return;
  try {
    device->free(address);
  } catch (const std::exception&) {
    return;  // A kernel has failed. A reset will free all memory.
  }
}

struct FreeMemory {
  void operator()(GraphMemory* memory) const noexcept {
    Session::instance().graphs.reserved_bytes -= memory->bytes;
    free_reserved(memory->address);
    delete memory;
  }
};

struct FreeCondition {
  void operator()(Condition* condition) const noexcept {
    free_reserved(condition->address);
    delete condition;
  }
};

std::uint64_t reserve(Session& session, std::uint64_t bytes) {
  try {
    return session.device().allocate(bytes);
  } catch (const InputError&) {
    throw Failure{Error::memory_allocation};
  }
}

}  // namespace

bool KernelWork::is_cooperative() const {
  const auto found = attributes.find(abi::kCooperativeAttribute);
  return found != attributes.end() && found->second.value.flag != 0;
}

abi::NodeType type_of(const Work& work) {
  using abi::NodeType;
  // In the order of the alternatives of Work.
  constexpr NodeType kTypes[] = {NodeType::kernel,     NodeType::copy,         NodeType::fill,
                                 NodeType::host,       NodeType::child,        NodeType::empty,
                                 NodeType::wait_event, NodeType::record_event, NodeType::allocate,
                                 NodeType::free,       NodeType::conditional};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  return kTypes[work.index()];
}

Work kernel_work(Session& session, const abi::KernelNode& parameters) {
  KernelWork work{.function = parameters.function,
                  .grid = parameters.grid,
                  .block = parameters.block,
                  .dynamic_shared_bytes = parameters.dynamic_shared_bytes};
  Function& function = session.modules.function(parameters.function);
  const std::vector<void*> arguments =
      driver::arguments_of(session, function, parameters.arguments, parameters.extra);
  const std::vector<code::Parameter>& expected = info_of(function, session.device()).parameters;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t end = expected[i].offset + expected[i].size;
    if (work.arguments.size() < end) work.arguments.resize(end);
    std::memcpy(work.arguments.data() + expected[i].offset, arguments[i], expected[i].size);
    work.offsets.push_back(expected[i].offset);
  }
  session.check_launch({.function = &function,
                        .grid = work.grid,
                        .block = work.block,
                        .dynamic_shared_bytes = work.dynamic_shared_bytes});
  return work;
}

abi::KernelNode parameters_of(KernelWork& work) {
  work.pointers.clear();
  for (const std::size_t offset : work.offsets) {
    work.pointers.push_back(work.arguments.data() + offset);
  }
  return {.function = work.function,
          .grid = work.grid,
          .block = work.block,
          .dynamic_shared_bytes = work.dynamic_shared_bytes,
          .arguments = work.pointers.data(),
          .extra = nullptr};
}

Work copy_work(Session& session, const abi::Copy3D& copy) {
  if (copy.extent.width == 0 || copy.extent.height == 0 || copy.extent.depth == 0) {
    throw Failure{Error::invalid_value};
  }
  check_copy_3d(session, copy);
  return CopyWork{copy};
}

Work fill_work(const abi::Fill& fill) {
  if (fill.width == 0 || fill.height == 0) throw Failure{Error::invalid_value};
  check_fill(fill);
  return FillWork{fill};
}

Work host_work(const abi::HostNode& host) {
  if (host.function == nullptr) throw Failure{Error::invalid_value};
  return HostWork{host};
}

Work wait_work(Session& session, abi::EventHandle event) {
  session.events.get(event);
  return WaitWork{event};
}

Work record_work(Session& session, abi::EventHandle event) {
  session.events.get(event);
  return RecordWork{event};
}

Work allocate_work(Session& session, abi::AllocationNode& parameters) {
  constexpr int kOnDevice = 1;  // cudaMemLocationTypeDevice
  if (parameters.bytes == 0 || parameters.pool.location.kind != kOnDevice ||
      parameters.pool.handle_kinds != 0) {
    throw Failure{Error::invalid_value};
  }
  check_device(parameters.pool.location.id);
  AllocateWork work{.parameters = parameters};
  for (std::size_t i = 0; i < parameters.access_count; ++i) {
    check_device(parameters.accesses[i].location.id);
    work.accesses.push_back(parameters.accesses[i]);
  }
  State& state = session.graphs;
  work.memory.reset(
      new GraphMemory{.address = reserve(session, parameters.bytes), .bytes = parameters.bytes},
      FreeMemory{});
  state.reserved_bytes += parameters.bytes;
  state.most_reserved_bytes = std::max(state.most_reserved_bytes, state.reserved_bytes);
  state.memory[work.memory->address] = work.memory;
  parameters.pointer = session.device().memory().host(work.memory->address);
  work.parameters.pointer = parameters.pointer;
  return work;
}

Work free_work(Session& session, void* pointer) {
  if (memory_at(session, pointer) == nullptr) throw Failure{Error::invalid_value};
  return FreeWork{pointer};
}

std::shared_ptr<Condition> make_condition(Session& session, std::uint32_t default_value,
                                          bool has_default) {
  std::shared_ptr<Condition> condition(
      new Condition{.address = reserve(session, sizeof(std::uint32_t)),
                    .default_value = default_value,
                    .has_default = has_default},
      FreeCondition{});
  session.device().set(condition->address, 0, sizeof(std::uint32_t));
  session.graphs.conditions[condition->address] = condition;
  return condition;
}

}  // namespace heddle::cuda::graphs
