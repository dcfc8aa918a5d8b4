#include "code/call_graph.h"

#include <algorithm>

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

CallGraph::CallGraph(const Unit& unit) {
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
  std::vector<std::uint32_t> addressed;
  for (std::uint32_t f = 0; f < address_taken.size(); ++f) {
    if (address_taken[f] && !program.functions[f].is_kernel) addressed.push_back(f);
  }
  for (const FunctionInfo& function : program.functions) {
    std::vector<std::uint32_t> all = function.callees;
    if (function.calls_indirectly) all.insert(all.end(), addressed.begin(), addressed.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    callees_.push_back(std::move(all));
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
  return reached;
}

/// Tarjan's strongly connected components, with a stack of our own: a chain of calls may be long.
void CallGraph::find_components() {
  const std::size_t count = callees_.size();
  constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> order(count, kUnseen);
  std::vector<std::uint32_t> lowest(count, 0);
  std::vector<bool> open(count, false);
  std::vector<std::uint32_t> open_functions;
  struct Visit {
    std::uint32_t function;
    std::size_t next_callee;
  };
  std::vector<Visit> visits;
  std::uint32_t next_order = 0;
  recursive_.assign(count, false);

  const auto enter = [&](std::uint32_t f) {
    order[f] = lowest[f] = next_order++;
    open[f] = true;
    open_functions.push_back(f);
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
        } else if (open[callee]) {
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
        member = open_functions.back();
        open_functions.pop_back();
        open[member] = false;
        component.push_back(member);
      } while (member != f);
      std::sort(component.begin(), component.end());
      if (component.size() > 1) {
        for (const std::uint32_t m : component) recursive_[m] = true;
      }
    }
  }
}

void summarise(Program& program) {
  const CallGraph graph(program);
  auto& functions = program.functions;
  // Components come callees first. In a circle of calls each member counts once.
  for (const auto& component : graph.components()) {
    std::uint32_t registers = 0;
    std::uint32_t predicates = 0;
    std::uint64_t own_frames = 0;
    std::uint64_t deepest = 0;
    bool unbounded = false;
    for (const std::uint32_t f : component) {
      const FunctionInfo& info = functions[f];
      registers = std::max(registers, info.registers);
      predicates = std::max(predicates, info.predicates);
      own_frames += info.frame_bytes;
      unbounded |= graph.is_recursive(f) || info.calls_indirectly;
      for (std::uint32_t pc = info.entry; pc < info.end; ++pc) {
        unbounded |= program.instructions[pc].operation == Operation::alloca;
      }
      for (const std::uint32_t callee : graph.callees(f)) {
        if (std::binary_search(component.begin(), component.end(), callee)) continue;
        const FunctionInfo& called = functions[callee];
        registers = std::max(registers, called.registers_per_thread);
        predicates = std::max(predicates, called.predicates_per_thread);
        deepest = std::max<std::uint64_t>(deepest, called.local_bytes);
        unbounded |= called.stack_unbounded;
      }
    }
    const std::uint64_t local = std::min<std::uint64_t>(
        own_frames + deepest, ~std::uint32_t{0} / kFrameAlignment * kFrameAlignment);
    for (const std::uint32_t f : component) {
      functions[f].registers_per_thread = registers;
      functions[f].predicates_per_thread = predicates;
      functions[f].local_bytes = static_cast<std::uint32_t>(local);
      functions[f].stack_unbounded = unbounded;
    }
  }

  // Only then, since each list is made of the others as they were.
  std::vector<std::vector<Unsupported>> own;
  own.reserve(functions.size());
  for (const FunctionInfo& info : functions) own.push_back(info.unsupported);
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    if (graph.callees(f).empty()) continue;
    for (const std::uint32_t g : graph.reachable_from(f)) {
      if (g == f) continue;
      auto& all = functions[f].unsupported;
      all.insert(all.end(), own[g].begin(), own[g].end());
    }
  }
}

}  // namespace heddle::code
