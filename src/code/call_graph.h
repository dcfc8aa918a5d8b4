#pragma once

// The call graph of a program, and the resources that a function needs together with all functions
// that it can call.

#include <cstdint>
#include <vector>

#include "code/compilation_unit.h"
#include "code/program.h"

namespace heddle::code {

/// The nodes are the functions and, last, one extra node for indirect calls. Functions that call
/// indirectly have an edge to the extra node, which has edges to every device function whose
/// address is taken. Edges from each indirect caller to each such function would be too many.
class CallGraph {
 public:
  /// The call graph of a unit whose code is still in its bodies.
  explicit CallGraph(const CompilationUnit& unit);
  /// The call graph of a finished program.
  explicit CallGraph(const Program& program);

  std::size_t nodes() const { return callees_.size(); }
  bool is_function(std::uint32_t node) const { return node + 1 < nodes(); }
  const std::vector<std::uint32_t>& callees(std::uint32_t node) const { return callees_[node]; }
  /// `function` itself, then every function that it can reach, in ascending order.
  std::vector<std::uint32_t> reachable_from(std::uint32_t function) const;

  /// The strongly connected components, callees before callers.
  const std::vector<std::vector<std::uint32_t>>& components() const { return components_; }
  /// Whether two activations of the function can exist at once.
  bool is_recursive(std::uint32_t function) const { return recursive_[function]; }

 private:
  void connect(const Program& program, std::vector<bool> address_taken);
  void find_components();

  std::vector<std::vector<std::uint32_t>> callees_;  ///< By node.
  std::vector<std::vector<std::uint32_t>> components_;
  std::vector<bool> recursive_;
};

/// Sets the fields of FunctionInfo that describe a function together with all functions that it can
/// call: registers and predicates per thread, local memory, and unsupported instructions. Call it
/// only once: a second call would count unsupported instructions again.
void summarise(Program& program);

}  // namespace heddle::code
