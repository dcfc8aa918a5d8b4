#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/value_type.h"

namespace heddle::ptx {

/// The meaning of a declared name.
struct Symbol {
  enum class Kind : std::uint8_t {
    reg,           ///< index: RegisterIndex of the first of `vector` registers
    family,        ///< registers `%r<count>`; index: the family's number in its function
    variable,      ///< index: VariableIndex
    function,      ///< index: FunctionIndex
    label,         ///< index: LabelIndex
    prototype,     ///< index: into Function::prototypes
    branch_table,  ///< index: into Function::branch_tables
  };
  Kind kind = Kind::reg;
  std::uint8_t vector = 1;           ///< Of a register or family: the number of elements.
  ValueType type = ValueType::none;  ///< Of a register or family.
  std::uint32_t index = 0;
  std::uint32_t count = 0;  ///< Of a family: the number of its registers.
  std::uint32_t depth = 0;  ///< The depth of its scope; set by the table.
  TextLocation location = {};
};

/// The names that are visible at the current point of the text. A name of an inner scope hides the
/// same name of an outer scope. A register family, declared as `%r<n>`, has the name `%r`. The
/// table keeps views of the names, so the text must outlive the table.
class SymbolTable {
 public:
  SymbolTable() { scopes_.push_back({}); }

  void enter_scope();
  void leave_scope();
  /// The number of open scopes, including that of the module.
  std::size_t depth() const { return scopes_.size(); }

  /// Declares a name and returns null. If the current scope already has the name, nothing changes
  /// and the existing symbol is returned.
  const Symbol* declare(std::string_view name, const Symbol& symbol);
  /// The innermost symbol with this name, except families; null if there is none.
  const Symbol* find(std::string_view name) const;
  /// True if a symbol returned by find() or find_member() was declared in the current scope.
  bool is_in_current_scope(const Symbol& symbol) const;

  /// A register of a family.
  struct Member {
    const Symbol* family = nullptr;
    std::uint32_t number = 0;
    bool is_in_range() const { return family != nullptr && number < family->count; }
  };
  /// The register that a name such as `%r12` denotes. The family is null if no family has such a
  /// name, or if another symbol hides it. The number can be out of the family's range.
  Member find_member(std::string_view name) const;

  /// The visible name that is most similar to an undeclared name; empty if none is similar.
  std::string_view nearest(std::string_view name) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::string_view name;
    Symbol symbol;
    std::uint32_t hidden_entry = kNone;  ///< The index of the entry with the same name in an outer
                                         ///< scope, which this entry hides.
  };
  /// The index of the visible entry of each name.
  using Names = std::unordered_map<std::string_view, std::uint32_t>;

  Names& names_of(const Symbol& s) { return s.kind == Symbol::Kind::family ? families_ : names_; }
  /// Null if there is none.
  const Entry* find_entry(const Names& names, std::string_view name) const;

  std::vector<Entry> entries_;
  Names names_;
  Names families_;
  std::vector<std::uint32_t> scopes_;  ///< For each open scope: the number of entries before it.
};

}  // namespace heddle::ptx
