#pragma once

// Which functions a function can reach, and what follows from it.

#include <cstdint>
#include <vector>

#include "code/program.h"
#include "code/unit.h"

namespace heddle::code {

/// Functions are nodes, and so is the call through an address, which leads to every function whose
/// address is taken: edges from every caller to each of those would be too many.
class CallGraph {
 public:
  /// From the callees that FunctionInfo names, and the functions whose addresses are taken.
  explicit CallGraph(const Unit& unit);
  /// Of a finished program.
  explicit CallGraph(const Program& program);

  std::size_t nodes() const { return callees_.size(); }
  bool is_function(std::uint32_t node) const { return node + 1 < nodes(); }
  const std::vector<std::uint32_t>& callees(std::uint32_t node) const { return callees_[node]; }
  /// Every function that running `function` can run, itself first; then in ascending order.
  std::vector<std::uint32_t> reachable_from(std::uint32_t function) const;

  /// Nodes that lead to each other in a circle form one component, all others one each. A component
  /// stands after all that it leads to.
  const std::vector<std::vector<std::uint32_t>>& components() const { return components_; }
  /// The function can be running twice at once.
  bool is_recursive(std::uint32_t function) const { return recursive_[function]; }

 private:
  void connect(const Program& program, std::vector<bool> address_taken);
  void find_components();

  std::vector<std::vector<std::uint32_t>> callees_;  ///< By node.
  std::vector<std::vector<std::uint32_t>> components_;
  std::vector<bool> recursive_;
};

/// Fills the fields of FunctionInfo that count a function with everything it can reach: registers
/// and predicates per thread, local memory, and what is unsupported. Called once, when each
/// function's own figures are known.
void summarise(Program& program);

}  // namespace heddle::code
