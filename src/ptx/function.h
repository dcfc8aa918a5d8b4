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

/// Parses `.entry` and `.func`, declarations and definitions.
class FunctionParser {
 public:
  FunctionParser(Context& context, SourceLines& source_lines)
      : context_(context),
        tokens_(context.tokens),
        source_lines_(source_lines),
        registers_(context),
        labels_(context),
        instructions_(context, registers_, labels_) {}

  /// Parses a function after its `.entry` or `.func`.
  void parse(bool is_kernel, Linkage linkage);

 private:
  using Declarators = std::vector<Declarator>;

  bool parse_head(Function& head, Token& name, Declarators& returns, Declarators& parameters);
  bool parse_parameters(Declarators& parameters);
  bool parse_function_directives(Function& head);
  bool parse_extents(std::uint32_t (&extents)[3]);
  bool parse_amount(std::uint32_t* amount);
  /// Adds the function to the module, or finds its earlier declaration. False if there is nothing
  /// further to parse: after an error, or in a repeated declaration.
  bool enter(Function&& head, const Token& name, const Declarators& returns,
             const Declarators& parameters, bool has_body);
  bool same_parameters(const std::vector<VariableIndex>& before, const Declarators& now) const;
  std::vector<VariableIndex> add_parameters(Declarators&& parameters, bool named);

  void parse_body();
  void parse_statement();
  void parse_body_directive(const Token& directive);
  void parse_named(const Token& name);
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
  bool body_done_ = false;
};

/// The requests of a `.pragma` to the compiler that Heddle honours.
struct Pragmas {
  bool nounroll = false;  ///< Loops must not be unrolled.
};

/// Parses a `.pragma` after the directive itself. Unknown pragmas are ignored.
Pragmas parse_pragma(Context& context);

}  // namespace heddle::ptx
