#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/value_type.h"

namespace heddle::ptx {

struct Symbol {
  enum class Kind : std::uint8_t {
    reg,           ///< index: RegisterIndex of the first of `vector` registers
    family,        ///< `%r<count>`; index: the family's number in its function
    variable,      ///< index: VariableIndex
    function,      ///< index: FunctionIndex
    label,         ///< index: LabelIndex
    prototype,     ///< index: into Function::prototypes
    branch_table,  ///< index: into Function::branch_tables
  };
  Kind kind = Kind::reg;
  std::uint8_t vector = 1;
  ValueType type = ValueType::none;
  std::uint32_t index = 0;
  std::uint32_t count = 0;
  std::uint32_t depth = 0;  ///< The depth of its scope; set by the table.
  TextLocation location = {};
};

/// The names that are visible at the current point of the text. A name of an inner scope hides the
/// same name of an outer one. A register family `%r<n>` is stored under `%r`. The table keeps views
/// of the names, so their text must outlive it.
class SymbolTable {
 public:
  SymbolTable() { scopes_.push_back({}); }

  void enter_scope();
  void leave_scope();
  std::size_t depth() const { return scopes_.size(); }

  /// Declares a name and returns null. If the current scope already has the name, nothing changes
  /// and the existing symbol is returned.
  const Symbol* declare(std::string_view name, const Symbol& symbol);
  /// The innermost symbol of a name; null if there is none.
  const Symbol* find(std::string_view name) const;
  /// True if a symbol returned by find() or find_member() was declared in the current scope.
  bool declared_here(const Symbol& symbol) const;

  struct Member {
    const Symbol* family = nullptr;
    std::uint32_t number = 0;
    bool in_range() const { return family != nullptr && number < family->count; }
  };
  /// The family that a name such as `%r12` belongs to, unless another symbol hides it. The family
  /// is null if there is none; the number can be out of the family's range.
  Member find_member(std::string_view name) const;

  /// The visible name that is most similar to an undeclared one; empty if none is near.
  std::string_view nearest(std::string_view name) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::string_view name;
    Symbol symbol;
    std::uint32_t hidden = kNone;  ///< The index of the entry of the same name that this hides.
  };
  using Names = std::unordered_map<std::string_view, std::uint32_t>;

  Names& names_of(const Symbol& s) { return s.kind == Symbol::Kind::family ? families_ : names_; }
  const Entry* entry(const Names& names, std::string_view name) const;

  std::vector<Entry> entries_;
  Names names_;
  Names families_;
  std::vector<std::uint32_t> scopes_;  ///< The number of entries when each scope was entered.
};

}  // namespace heddle::ptx
