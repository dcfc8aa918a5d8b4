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
    family,        ///< `%r<count>`; index: numbers the families of a function
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
  std::uint32_t depth = 0;  ///< Of the scope; the table sets it.
  TextLocation location = {};
};

/// The names that can be used at one place of the text. A name of an inner scope hides that of an
/// outer one; `%r<n>` is found by the `%r` of its members' names. The table keeps views of the
/// names: they must outlive it.
class SymbolTable {
 public:
  SymbolTable() { scopes_.push_back({}); }

  void enter_scope();
  void leave_scope();
  std::size_t depth() const { return scopes_.size(); }

  /// Nothing is declared, and what has the name already is returned, where the current scope has
  /// one of that name.
  const Symbol* declare(std::string_view name, const Symbol& symbol);
  /// The innermost symbol of a name; null where there is none.
  const Symbol* find(std::string_view name) const;
  /// True for what find() or find_member() found in the current scope.
  bool declared_here(const Symbol& symbol) const;

  struct Member {
    const Symbol* family = nullptr;
    std::uint32_t number = 0;
    bool in_range() const { return family != nullptr && number < family->count; }
  };
  /// The family that a name such as `%r12` belongs to, if no other symbol hides it: family is null
  /// where there is none, and the number can be out of the family's range.
  Member find_member(std::string_view name) const;

  /// The visible name that was meant by one that is not there; empty where none is near.
  std::string_view nearest(std::string_view name) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::string_view name;
    Symbol symbol;
    std::uint32_t hidden = kNone;  ///< The entry of the same name that this one hides.
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
