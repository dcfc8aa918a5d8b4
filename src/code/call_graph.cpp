#include "code/call_graph.h"

#include <algorithm>
#include <utility>

namespace heddle::code {
namespace {

constexpr std::uint64_t kFrameAlignment = 16;

void note_addresses(const Instruction& instruction, std::vector<bool>& taken) {
  for (const Operand& operand : instruction.sources) {
    if (operand.kind == Operand::Kind::function) taken[operand.index] = true;
  }
}

void note_addresses(const std::vector<Variable>& variables, std::vector<bool>& taken) {
  for (const Variable& variable : variables) {
    for (const AddressInitialiser& address : variable.addresses) {
      if (address.is_function) taken[address.symbol] = true;
    }
  }
}

}  // namespace

CallGraph::CallGraph(const CompilationUnit& unit) {
  std::vector<bool> taken(unit.program.functions.size(), false);
  for (const Function& body : unit.bodies) {
    for (const BasicBlock& block : body.blocks) {
      for (const Instruction& instruction : block.instructions) note_addresses(instruction, taken);
    }
  }
  connect(unit.program, std::move(taken));
}

CallGraph::CallGraph(const Program& program) {
  std::vector<bool> taken(program.functions.size(), false);
  for (const Instruction& instruction : program.instructions) note_addresses(instruction, taken);
  connect(program, std::move(taken));
}

void CallGraph::connect(const Program& program, std::vector<bool> address_taken) {
  note_addresses(program.variables, address_taken);
  const auto indirect = static_cast<std::uint32_t>(program.functions.size());
  for (const FunctionInfo& function : program.functions) {
    std::vector<std::uint32_t> all = function.callees;
    if (function.calls_indirectly) all.push_back(indirect);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    callees_.push_back(std::move(all));
  }
  std::vector<std::uint32_t>& addressed = callees_.emplace_back();
  for (std::uint32_t f = 0; f < indirect; ++f) {
    if (address_taken[f] && !program.functions[f].is_kernel) addressed.push_back(f);
  }
  find_components();
}

std::vector<std::uint32_t> CallGraph::reachable_from(std::uint32_t function) const {
  std::vector<std::uint32_t> reached{function};
  if (callees_[function].empty()) return reached;
  std::vector<bool> seen(callees_.size(), false);
  seen[function] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t callee : callees_[reached[i]]) {
      if (!seen[callee]) {
        seen[callee] = true;
        reached.push_back(callee);
      }
    }
  }
  std::sort(reached.begin() + 1, reached.end());
  if (!is_function(reached.back())) reached.pop_back();
  return reached;
}

/// Tarjan's algorithm for strongly connected components, with an explicit stack since call chains
/// may be long. A node is open from its visit until its component is complete.
void CallGraph::find_components() {
  const std::size_t count = callees_.size();
  constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> order(count, kUnseen);
  std::vector<std::uint32_t> lowest(count, 0);
  std::vector<bool> is_open(count, false);
  std::vector<std::uint32_t> open_nodes;
  struct Visit {
    std::uint32_t function;
    std::size_t next_callee;
  };
  std::vector<Visit> visits;
  std::uint32_t next_order = 0;
  recursive_.assign(count, false);

  const auto enter = [&](std::uint32_t f) {
    order[f] = lowest[f] = next_order++;
    is_open[f] = true;
    open_nodes.push_back(f);
    visits.push_back({f, 0});
  };
  for (std::uint32_t root = 0; root < count; ++root) {
    if (order[root] != kUnseen) continue;
    enter(root);
    while (!visits.empty()) {
      const std::uint32_t f = visits.back().function;
      if (visits.back().next_callee < callees_[f].size()) {
        const std::uint32_t callee = callees_[f][visits.back().next_callee++];
        if (callee == f) recursive_[f] = true;
        if (order[callee] == kUnseen) {
          enter(callee);
        } else if (is_open[callee]) {
          lowest[f] = std::min(lowest[f], order[callee]);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) {
        const std::uint32_t caller = visits.back().function;
        lowest[caller] = std::min(lowest[caller], lowest[f]);
      }
      if (lowest[f] != order[f]) continue;
      std::vector<std::uint32_t>& component = components_.emplace_back();
      std::uint32_t member;
      do {
        member = open_nodes.back();
        open_nodes.pop_back();
        is_open[member] = false;
        component.push_back(member);
      } while (member != f);
      std::sort(component.begin(), component.end());
      if (component.size() > 1) {
        for (const std::uint32_t m : component) recursive_[m] = true;
      }
    }
  }
}

namespace {

/// The resources that a thread needs for a node of the graph and all nodes that it leads to.
struct Needs {
  std::uint32_t registers = 0;
  std::uint32_t predicates = 0;
  std::uint64_t local_bytes = 0;
  bool unbounded = false;  ///< Whether the size of the stack is unbounded.

  /// Raises all but local_bytes to what `called` needs.
  void raise_to(const Needs& called) {
    registers = std::max(registers, called.registers);
    predicates = std::max(predicates, called.predicates);
    unbounded |= called.unbounded;
  }
};

/// The resources of one node alone; none for the extra node.
Needs own_needs(const Program& program, const CallGraph& graph, std::uint32_t node) {
  if (!graph.is_function(node)) return {};
  const FunctionInfo& info = program.functions[node];
  Needs own{.registers = info.registers,
            .predicates = info.predicates,
            .local_bytes = info.frame_bytes,
            .unbounded = graph.is_recursive(node) || info.calls_indirectly};
  for (std::uint32_t pc = info.entry; pc < info.end; ++pc) {
    own.unbounded |= program.instructions[pc].operation == Operation::alloca;
  }
  return own;
}

/// The resources of a strongly connected component. `known` has those of the components that it
/// calls. In a recursive cycle, each function's frame counts once.
Needs needs_of(const Program& program, const CallGraph& graph,
               const std::vector<std::uint32_t>& component, const std::vector<Needs>& known) {
  Needs all;
  std::uint64_t deepest_callee = 0;
  for (const std::uint32_t node : component) {
    const Needs own = own_needs(program, graph, node);
    all.raise_to(own);
    all.local_bytes += own.local_bytes;
    for (const std::uint32_t callee : graph.callees(node)) {
      if (std::binary_search(component.begin(), component.end(), callee)) continue;
      all.raise_to(known[callee]);
      deepest_callee = std::max(deepest_callee, known[callee].local_bytes);
    }
  }
  all.local_bytes = std::min<std::uint64_t>(all.local_bytes + deepest_callee,
                                            ~std::uint32_t{0} / kFrameAlignment * kFrameAlignment);
  return all;
}

/// Adds the unsupported instructions of all functions that a kernel can call to the kernel's list.
void gather_unsupported(Program& program, const CallGraph& graph) {
  auto& functions = program.functions;
  const auto is_refused = [](const FunctionInfo& info) { return !info.unsupported.empty(); };
  if (std::none_of(functions.begin(), functions.end(), is_refused)) return;
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    if (!functions[f].is_kernel) continue;
    // No function calls a kernel, so the other functions' lists have only their own entries.
    for (const std::uint32_t g : graph.reachable_from(f)) {
      if (g == f) continue;
      for (const Unsupported& what : functions[g].unsupported) {
        add_unsupported(functions[f].unsupported, what);
      }
    }
  }
}

}  // namespace

void summarise(Program& program) {
  const CallGraph graph(program);
  std::vector<Needs> needs(graph.nodes());
  // Callees come before their callers.
  for (const std::vector<std::uint32_t>& component : graph.components()) {
    const Needs all = needs_of(program, graph, component, needs);
    for (const std::uint32_t node : component) {
      needs[node] = all;
      if (!graph.is_function(node)) continue;
      FunctionInfo& info = program.functions[node];
      info.registers_per_thread = all.registers;
      info.predicates_per_thread = all.predicates;
      info.local_bytes = static_cast<std::uint32_t>(all.local_bytes);
      info.stack_unbounded = all.unbounded;
    }
  }
  gather_unsupported(program, graph);
}

}  // namespace heddle::code
