#include <fmt/format.h>

#include "cuda/graphs/edit.h"

namespace heddle::cuda::graphs {
namespace {

/// Describes a node's work, and its parameters if `with_parameters`.
class Label {
 public:
  explicit Label(bool with_parameters) : with_parameters_(with_parameters) {}

  std::string operator()(const KernelWork& work) const {
    std::string name = "kernel";
    try {
      name = Session::instance().modules.function(work.function).name;
    } catch (const Failure&) {
      name += " of an unloaded module";
    }
    if (!with_parameters_) return name;
    return fmt::format("{}\\ngrid {} {} {}, block {} {} {}, {} bytes of shared memory", name,
                       work.grid.x, work.grid.y, work.grid.z, work.block.x, work.block.y,
                       work.block.z, work.dynamic_shared_bytes);
  }
  std::string operator()(const CopyWork& work) const {
    if (!with_parameters_) return "copy";
    const abi::Extent& extent = work.copy.extent;
    return fmt::format("copy\\n{} x {} x {} from {} to {}", extent.width, extent.height,
                       extent.depth, place(work.copy.from_array, work.copy.from_pointer),
                       place(work.copy.to_array, work.copy.to_pointer));
  }
  std::string operator()(const FillWork& work) const {
    if (!with_parameters_) return "fill";
    const abi::Fill& fill = work.fill;
    return fmt::format("fill\\n{} x {} elements of {} bytes at {} with {}", fill.width, fill.height,
                       fill.element_bytes, fill.to, fill.value);
  }
  std::string operator()(const HostWork& work) const {
    if (!with_parameters_) return "host function";
    return fmt::format("host function\\n{} with data {}",
                       reinterpret_cast<const void*>(work.host.function),
                       static_cast<const void*>(work.host.data));
  }
  std::string operator()(const ChildWork&) const { return "child graph"; }
  std::string operator()(const EmptyWork&) const { return "empty"; }
  std::string operator()(const WaitWork&) const { return "wait for event"; }
  std::string operator()(const RecordWork&) const { return "record event"; }
  std::string operator()(const AllocateWork& work) const {
    return with_parameters_ ? fmt::format("allocate\\n{} bytes", work.parameters.bytes)
                            : "allocate";
  }
  std::string operator()(const FreeWork& work) const {
    return with_parameters_ ? fmt::format("free\\n{}", work.pointer) : "free";
  }
  std::string operator()(const ConditionalWork& work) const {
    constexpr const char* kKinds[] = {"if", "while", "switch"};
    return kKinds[static_cast<int>(work.kind)];
  }

 private:
  static const void* place(abi::ArrayHandle array, const abi::PitchedPointer& pointer) {
    return array == nullptr ? static_cast<const void*>(pointer.pointer)
                            : static_cast<const void*>(array);
  }

  bool with_parameters_;
};

void add_graph(const Graph& graph, const Label& label, std::string& text);

/// Adds a graph that a node owns, as a cluster.
void add_part(const Graph& part, const Node& owner, std::size_t number, const Label& label,
              std::string& text) {
  text += fmt::format("  subgraph cluster_{}_{} {{\n  label=\"part {} of node {}\";\n", owner.id,
                      number, number, owner.id);
  add_graph(part, label, text);
  text += "  }\n";
}

void add_graph(const Graph& graph, const Label& label, std::string& text) {
  for (const std::unique_ptr<Node>& node : graph.nodes()) {
    text += fmt::format("  node_{} [shape=box, label=\"{}: {}\"];\n", node->id, node->id,
                        std::visit(label, node->work));
    for (const Dependency& dependency : node->dependencies) {
      text += fmt::format("  node_{} -> node_{};\n", dependency.on->id, node->id);
    }
    if (const auto* const child = std::get_if<ChildWork>(&node->work)) {
      add_part(*child->graph, *node, 0, label, text);
    } else if (const auto* const conditional = std::get_if<ConditionalWork>(&node->work)) {
      for (std::size_t i = 0; i < conditional->bodies.size(); ++i) {
        add_part(*conditional->bodies[i], *node, i, label, text);
      }
    }
  }
}

}  // namespace

std::string to_dot(const Graph& graph, bool with_parameters) {
  std::string text = "digraph graph_of_cuda {\n";
  add_graph(graph, Label(with_parameters), text);
  return text + "}\n";
}

}  // namespace heddle::cuda::graphs
