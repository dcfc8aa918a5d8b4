#pragma once

#include <string_view>
#include <vector>

#include "ptx/context.h"
#include "ptx/instruction.h"
#include "ptx/labels.h"
#include "ptx/registers.h"
#include "ptx/source_lines.h"
#include "ptx/variables.h"

namespace heddle::ptx {

/// Parses kernels (`.entry`) and device functions (`.func`), both declarations and definitions.
class FunctionParser {
 public:
  FunctionParser(Context& context, SourceLines& source_lines)
      : context_(context),
        tokens_(context.tokens),
        source_lines_(source_lines),
        registers_(context),
        labels_(context),
        instructions_(context, registers_, labels_) {}

  /// Parses a function after the `.entry` or `.func`.
  void parse(bool is_kernel, Linkage linkage);

 private:
  using Declarators = std::vector<Declarator>;

  // Functions that return bool return false after an error, which they have reported.
  bool parse_head(Function& head, Token& name, Declarators& returns, Declarators& parameters);
  bool parse_parameters(Declarators& parameters);
  bool parse_function_directives(Function& head);
  /// Parses up to three extents of a block; those that the text leaves out are 1.
  bool parse_extents(std::uint32_t (&extents)[3]);
  /// Parses the number of a directive. `amount` may be null.
  bool parse_amount(std::uint32_t* amount);
  /// Adds the function to the module or, if it is declared already, replaces the declaration.
  /// Returns false if the function needs no further parsing: after an error, or if this is another
  /// declaration.
  bool declare_function(Function&& head, const Token& name, const Declarators& returns,
                        const Declarators& parameters, bool has_body);
  bool has_same_parameters(const std::vector<VariableIndex>& before, const Declarators& now) const;
  /// Adds parameters to the module's variables and, if `declares_names`, their names to the scope.
  std::vector<VariableIndex> add_parameters(Declarators&& parameters, bool declares_names);

  void parse_body();
  void parse_statement();
  void parse_body_directive(const Token& directive);
  /// Parses a statement after its first name: a label, a list of targets, a prototype or an
  /// instruction.
  void parse_after_name(const Token& name);
  void parse_branch_targets(const Token& name);
  void parse_call_targets(const Token& name);
  void parse_call_prototype(const Token& name);
  void enter_scope();
  void leave_scope();

  Context& context_;
  TokenStream& tokens_;
  SourceLines& source_lines_;
  Registers registers_;
  Labels labels_;
  InstructionParser instructions_;
  bool is_body_done_ = false;  ///< Set if the body must end although its '}' is missing.
};

/// The pragmas that Heddle obeys.
struct Pragmas {
  bool nounroll = false;  ///< Loops must not be unrolled.
};

/// Parses the rest of a `.pragma` directive. Unknown pragmas are ignored.
Pragmas parse_pragma(Context& context);

}  // namespace heddle::ptx
