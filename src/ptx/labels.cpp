#include "ptx/labels.h"

namespace heddle::ptx {

void Labels::define(const Token& name) {
  Function& function = context_.current_function();
  const auto index = static_cast<LabelIndex>(function.labels.size());
  if (!declare(context_, name, {.kind = Symbol::Kind::label, .index = index})) return;
  function.labels.push_back(
      {std::string(context_.text_of(name)), static_cast<std::uint32_t>(function.body.size())});
}

void Labels::keep_loop_rolled() {
  Function& function = context_.current_function();
  if (function.labels.empty() || function.labels.back().instruction != function.body.size()) return;
  function.labels.back().nounroll = true;
}

void Labels::use_as_operand(const Token& name, std::size_t operand) {
  uses_.push_back({name, false, static_cast<std::uint32_t>(context_.current_function().body.size()),
                   static_cast<std::uint32_t>(operand)});
}

void Labels::use_as_target(const Token& name, std::uint32_t branch_table) {
  std::vector<LabelIndex>& targets =
      context_.current_function().branch_tables[branch_table].targets;
  uses_.push_back({name, true, branch_table, static_cast<std::uint32_t>(targets.size())});
  targets.push_back(kNoIndex);
}

void Labels::resolve(const Use& use, LabelIndex label) {
  Function& function = context_.current_function();
  if (use.is_in_table) {
    function.branch_tables[use.owner].targets[use.position] = label;
  } else {
    function.body[use.owner].operands[use.position].index = label;
  }
}

void Labels::leave_scope() {
  const std::size_t first = scopes_.back();
  scopes_.pop_back();
  std::size_t kept = first;  // Uses before this index stay for the outer scope.
  for (std::size_t i = first; i < uses_.size(); ++i) {
    const Use& use = uses_[i];
    const Symbol* symbol = context_.symbols.find(context_.text_of(use.name));
    if (symbol != nullptr && symbol->kind == Symbol::Kind::label &&
        context_.symbols.is_in_current_scope(*symbol)) {
      resolve(use, symbol->index);
    } else if (!scopes_.empty()) {
      uses_[kept++] = use;
    } else if (symbol != nullptr && symbol->kind != Symbol::Kind::label) {
      context_.tokens.error(use.name, "'{}' is not a label", printable(context_.text_of(use.name)));
    } else {
      report_unknown(context_, use.name, "label");
    }
  }
  uses_.resize(kept);
}

}  // namespace heddle::ptx
