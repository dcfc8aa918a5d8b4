#include <unordered_map>
#include <utility>

#include "code/effects.h"
#include "code/launch_constants.h"
#include "code/optimise/definitions.h"
#include "code/optimise/fold.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

class Propagation {
 public:
  explicit Propagation(Function& function)
      : function_(function),
        control_flow_(control_flow_of(function)),
        dominators_(control_flow_, 0),
        definitions_(function, dominators_),
        origin_(definitions_.values().count()),
        last_written_(definitions_.values().count()) {}

  bool run() {
    // A single definition dominates all reads of its value, so this order visits it first.
    for (const std::uint32_t block : dominators_.preorder()) {
      auto& instructions = function_.blocks[block].instructions;
      for (std::uint32_t i = 0; i < instructions.size(); ++i) {
        replace_sources(instructions[i]);
        replace_guard(instructions[i]);
        simplify(instructions[i]);
        record_results(instructions[i], block, i);
        for_each_written(instructions[i], [&](const Operand& operand) {
          last_written_[values().number_of(operand)] = {block, i};
        });
      }
    }
    drop_after_exits();
    return changed_;
  }

 private:
  const ValueNumbering& values() const { return definitions_.values(); }

  /// Drops instructions after an exit that has lost its guard.
  void drop_after_exits() {
    for (BasicBlock& block : function_.blocks) {
      for (std::size_t i = 0; i + 1 < block.instructions.size(); ++i) {
        if (ends_path(block.instructions[i])) block.instructions.resize(i + 1);
      }
    }
  }

  /// Replaces sources by their origins, where the instruction can name these.
  void replace_sources(Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
      Operand& source = instruction.sources[i];
      if (!source.is_register() && !source.is_predicate()) continue;
      const Operand& origin = origin_[values().number_of(source)];
      if (!origin.present()) continue;
      if (origin.is_register()) {
        source.index = origin.index;
      } else if (origin.is_predicate()) {
        source.index = origin.index;
        source.negated = source.negated != origin.negated;
      } else if (source.is_predicate()) {
        const bool takes_constant = instruction.operation == Operation::select ||
                                    instruction.operation == Operation::predicate_move;
        if (!takes_constant) continue;
        const bool negated = source.negated;
        source = origin;
        source.bits = (source.bits & 1) ^ (negated ? 1U : 0U);
      } else if (takes_any_operand(instruction, i) || is_constant_address(instruction, i, origin)) {
        source = origin;
      } else {
        continue;
      }
      changed_ = true;
    }
  }

  /// Whether `origin` can be the constant address of an access to shared memory.
  static bool is_constant_address(const Instruction& instruction, std::size_t index,
                                  const Operand& origin) {
    const bool is_access = instruction.operation == Operation::load ||
                           instruction.operation == Operation::store ||
                           instruction.operation == Operation::atomic;
    return is_access && index == 0 && instruction.space == Space::shared &&
           origin.kind == Kind::immediate;
  }

  /// Replaces a guard that is a copy. Drops a guard that is always true.
  void replace_guard(Instruction& instruction) {
    if (!instruction.guard.present()) return;
    const Operand& origin = origin_[values().number_of(instruction.guard)];
    if (origin.is_predicate()) {
      instruction.guard.predicate = origin.index;
      instruction.guard.negated = instruction.guard.negated != origin.negated;
      changed_ = true;
    } else if (origin.kind == Kind::immediate &&
               ((origin.bits & 1) != 0) != instruction.guard.negated) {
      instruction.guard = {};
      changed_ = true;
    }
  }

  /// Replaces the instruction by a move of `source` to its destinations.
  void replace_by_move(Instruction& instruction, const Operand& source) {
    Instruction move;
    move.operation = Operation::move;
    const int width = instruction.destinations[0].width;
    move.type = width == 1 ? ValueType::b32 : width == 2 ? ValueType::b64 : ValueType::b128;
    move.guard = instruction.guard;
    move.destinations = instruction.destinations;
    move.sources.push_back(source);
    move.ptx_line = instruction.ptx_line;
    move.source = instruction.source;
    instruction = move;
    changed_ = true;
  }

  /// Turns a load of an aligned 4- or 8-byte parameter at a known address into a launch constant.
  void read_constant_bank(Instruction& instruction) {
    const int bytes = size_of(instruction.type);
    if (instruction.space != Space::parameter || instruction.vector_count != 1 ||
        (bytes != 4 && bytes != 8) || !instruction.destinations[0].is_register() ||
        instruction.destinations[0].width != bytes / 4) {
      return;
    }
    std::int64_t place = instruction.offset;
    if (!instruction.sources.empty() && instruction.sources[0].present()) {
      const Operand& address = instruction.sources[0];
      const Operand& known =
          address.is_register() ? origin_[values().number_of(address)] : instruction.sources[0];
      if (known.kind != Kind::immediate) return;
      place += static_cast<std::int64_t>(known.bits);
    }
    // An access beyond the parameters is a fault, which the load must raise at run time.
    if (place < 0 || place % bytes != 0 || place + bytes > function_.parameter_bytes) return;
    replace_by_move(instruction, Operand::constant(launch_constants::kParameters +
                                                       static_cast<std::uint32_t>(place),
                                                   bytes / 4));
  }

  void simplify(Instruction& instruction) {
    switch (instruction.operation) {
      case Operation::select:
        if (instruction.sources[2].kind == Kind::immediate) {
          replace_by_move(instruction,
                          instruction.sources[(instruction.sources[2].bits & 1) ? 0 : 1]);
        }
        return;
      case Operation::load:
        read_constant_bank(instruction);
        return;
      case Operation::convert_address:
        simplify_address(instruction);
        return;
      case Operation::pack:
        simplify_pack(instruction);
        return;
      case Operation::convert:
        simplify_convert(instruction);
        return;
      case Operation::sub: {
        // Make a sum of it, since other passes handle only sums of a register and an immediate.
        Operand& right = instruction.sources[1];
        if (right.kind == Kind::immediate && is_integer_or_bits(instruction.type) &&
            !instruction.saturate && !instruction.carry_in && !instruction.carry_out) {
          instruction.operation = Operation::add;
          right.bits = truncated_to(instruction.type, ~right.bits + 1);
          changed_ = true;
        }
        break;
      }
      case Operation::add:
      case Operation::mul_lo:
      case Operation::mul_wide:
      case Operation::and_:
      case Operation::or_:
      case Operation::xor_:
        if (instruction.sources[0].kind == Kind::immediate &&
            instruction.sources[1].kind != Kind::immediate &&
            is_integer_or_bits(instruction.type)) {
          std::swap(instruction.sources[0], instruction.sources[1]);
        }
        break;
      default:
        break;
    }
    if (const auto bits = constant_result(instruction)) {
      replace_by_move(instruction, Operand::immediate(*bits, instruction.destinations[0].width));
    } else if (const auto source = forwarded_source(instruction)) {
      if (source->width == instruction.destinations[0].width) replace_by_move(instruction, *source);
    }
  }

  /// Removes conversions of global addresses, which equal generic addresses. Turns the address of a
  /// variable into its generic address.
  void simplify_address(Instruction& instruction) {
    Operand source = instruction.sources[0];
    if (instruction.space == Space::generic || source.width != instruction.destinations[0].width) {
      return;
    }
    if (source.kind == Kind::variable && !instruction.to_space) {
      source.kind = Kind::generic_variable;
      replace_by_move(instruction, source);
    } else if (instruction.space == Space::global) {
      replace_by_move(instruction, source);
    }
  }

  /// Turns a pack of all parts of an unpacked value, in order, into a copy of that value.
  void simplify_pack(Instruction& instruction) {
    const Instruction* writer = nullptr;
    for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
      const Instruction* part = definitions_.writer(function_, instruction.sources[i]);
      if (part == nullptr || (writer != nullptr && part != writer)) return;
      writer = part;
      if (part->operation != Operation::unpack || part->guard.present() ||
          part->destinations.size() != instruction.sources.size() ||
          part->sources[0].width != instruction.destinations[0].width ||
          part->destinations[i].index != instruction.sources[i].index) {
        return;
      }
    }
    if (writer != nullptr && is_invariant(writer->sources[0])) {
      replace_by_move(instruction, writer->sources[0]);
    }
  }

  /// Simplifies a conversion between integer types.
  void simplify_convert(Instruction& instruction) {
    if (instruction.saturate || instruction.relu || instruction.saturate_finite ||
        instruction.sources.size() != 1 || !is_integer_or_bits(instruction.type) ||
        !is_integer_or_bits(instruction.source_type)) {
      return;
    }
    const Operand source = instruction.sources[0];
    const int to = size_of(instruction.type);
    const int from = size_of(instruction.source_type);
    if (source.kind == Kind::immediate) {
      if (const auto bits = constant_result(instruction)) {
        replace_by_move(instruction, Operand::immediate(*bits, instruction.destinations[0].width));
      }
      return;
    }
    if (to == from && to >= 4 && source.width == instruction.destinations[0].width) {
      replace_by_move(instruction, source);
      return;
    }
    // The low word of a wide value.
    if (from == 8 && to == 4 && instruction.destinations[0].width == 1 && source.width == 2) {
      if (source.kind == Kind::constant) {
        replace_by_move(instruction, Operand::constant(source.index, 1));
        return;
      }
      if (!source.is_register()) return;
      const Instruction* writer = definitions_.writer(function_, source);
      if (writer != nullptr && writer->operation == Operation::convert && !writer->saturate &&
          is_integer_or_bits(writer->type) && is_integer_or_bits(writer->source_type) &&
          size_of(writer->source_type) == 4 && size_of(writer->type) == 8 &&
          is_invariant(writer->sources[0])) {
        replace_by_move(instruction, writer->sources[0]);
        return;
      }
      Instruction unpack;
      unpack.operation = Operation::unpack;
      unpack.type = ValueType::b64;
      unpack.guard = instruction.guard;
      unpack.destinations.push_back(instruction.destinations[0]);
      unpack.destinations.push_back(Operand::none());
      unpack.sources.push_back(source);
      unpack.ptx_line = instruction.ptx_line;
      unpack.source = instruction.source;
      instruction = unpack;
      changed_ = true;
    }
  }

  /// Whether the operand has the same value at each read: it is a constant, or has a single
  /// definition.
  bool is_invariant(const Operand& operand) const {
    if (operand.is_register() || operand.is_predicate()) {
      return definitions_.has_single_definition(values().number_of(operand));
    }
    return operand.present();
  }

  /// Records that `origin` can replace `destination`, if that has a single definition.
  void record_origin(const Operand& destination, const Operand& origin) {
    if (!destination.present() ||
        !definitions_.has_single_definition(values().number_of(destination)))
      return;
    if (destination.is_register() && destination.width != origin.width) return;
    if (destination.is_predicate() != origin.is_predicate() &&
        !(destination.is_predicate() && origin.kind == Kind::immediate)) {
      return;
    }
    origin_[values().number_of(destination)] = origin;
  }

  /// Records which operands the instruction's results equal.
  void record_results(const Instruction& instruction, BlockIndex block, std::uint32_t index) {
    if (instruction.guard.present()) return;
    switch (instruction.operation) {
      case Operation::move:
      case Operation::predicate_move:
        if (is_invariant(instruction.sources[0])) {
          record_origin(instruction.destinations[0], instruction.sources[0]);
        }
        return;
      case Operation::predicate_not:
        if (instruction.sources[0].is_predicate() && is_invariant(instruction.sources[0])) {
          Operand origin = instruction.sources[0];
          origin.negated = !origin.negated;
          record_origin(instruction.destinations[0], origin);
        }
        return;
      case Operation::unpack:
        record_parts(instruction);
        break;
      default:
        break;
    }
    if (effects_of(instruction).repeatable) find_repeated(instruction, block, index);
  }

  /// Records which operands the parts of an unpacked value equal.
  void record_parts(const Instruction& instruction) {
    const Operand& whole = instruction.sources[0];
    if (instruction.destinations.size() == 2 && whole.width == 2) {
      if (whole.kind == Kind::constant) {
        record_origin(instruction.destinations[0], Operand::constant(whole.index));
        record_origin(instruction.destinations[1], Operand::constant(whole.index + 4));
        return;
      }
      if (whole.kind == Kind::immediate) {
        record_origin(instruction.destinations[0], Operand::immediate(whole.bits & 0xffff'ffff));
        record_origin(instruction.destinations[1], Operand::immediate(whole.bits >> 32));
        return;
      }
    }
    const Instruction* writer = definitions_.writer(function_, whole);
    if (writer == nullptr || writer->operation != Operation::pack ||
        writer->sources.size() != instruction.destinations.size() ||
        writer->destinations[0].width != whole.width) {
      return;
    }
    for (std::size_t i = 0; i < instruction.destinations.size(); ++i) {
      if (is_invariant(writer->sources[i]))
        record_origin(instruction.destinations[i], writer->sources[i]);
    }
  }

  static std::size_t hash_of(const Instruction& instruction) {
    std::size_t hash = static_cast<std::size_t>(instruction.operation) * 31 +
                       static_cast<std::size_t>(instruction.type);
    for (const Operand& source : instruction.sources) {
      hash = hash * 1'000'003 + static_cast<std::size_t>(source.kind);
      hash = hash * 1'000'003 + source.index + (source.negated ? 7U : 0U);
      hash = hash * 1'000'003 + static_cast<std::size_t>(source.bits);
    }
    hash = hash * 1'000'003 + static_cast<std::size_t>(instruction.offset);
    return hash * 31 + static_cast<std::size_t>(instruction.special);
  }

  /// Whether two instructions differ at most in their destinations and source locations.
  static bool same_computation(const Instruction& a, const Instruction& b) {
    if (a.operation != b.operation || a.type != b.type ||
        a.destinations.size() != b.destinations.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.destinations.size(); ++i) {
      if (a.destinations[i].kind != b.destinations[i].kind ||
          a.destinations[i].width != b.destinations[i].width) {
        return false;
      }
    }
    Instruction copy = a;
    copy.destinations = b.destinations;
    copy.ptx_line = b.ptx_line;
    copy.source = b.source;
    return copy == b;
  }

  /// Whether all sources of the current instruction, in `block`, still have the values that they
  /// had at an earlier instruction.
  bool are_sources_unchanged(const Instruction& instruction, const Definitions::Place& earlier,
                             BlockIndex block) const {
    for (const Operand& source : instruction.sources) {
      if (!source.present() || is_invariant(source)) continue;
      if (earlier.block != block) return false;
      const Definitions::Place written = last_written_[values().number_of(source)];
      if (written.block == block && written.index >= earlier.index) return false;
    }
    return true;
  }

  /// Looks for an earlier instruction that computes the same results, and records its destinations
  /// as origins.
  void find_repeated(const Instruction& instruction, BlockIndex block, std::uint32_t index) {
    for (const Operand& destination : instruction.destinations) {
      if (destination.present() &&
          !definitions_.has_single_definition(values().number_of(destination)))
        return;
    }
    std::vector<Definitions::Place>& candidates = computed_[hash_of(instruction)];
    constexpr std::size_t kMaxCompared = 8;
    std::size_t compared = 0;
    for (auto at = candidates.rbegin(); at != candidates.rend() && compared < kMaxCompared;
         ++at, ++compared) {
      const Instruction& earlier = function_.blocks[at->block].instructions[at->index];
      if (!dominators_.dominates(at->block, block) || !same_computation(earlier, instruction) ||
          !are_sources_unchanged(instruction, *at, block)) {
        continue;
      }
      for (std::size_t i = 0; i < instruction.destinations.size(); ++i) {
        record_origin(instruction.destinations[i], earlier.destinations[i]);
      }
      return;
    }
    candidates.push_back({block, index});
  }

  Function& function_;
  Graph control_flow_;
  DominatorTree dominators_;
  Definitions definitions_;
  std::vector<Operand> origin_;  ///< By value: an equal operand that can replace it, if any.
  std::vector<Definitions::Place> last_written_;  ///< By value: its last write so far.
  /// By hash_of(): the instructions whose results can replace those of a later equal instruction.
  std::unordered_map<std::size_t, std::vector<Definitions::Place>> computed_;
  bool changed_ = false;
};

}  // namespace

bool propagate_values(Function& function) {
  return !function.blocks.empty() && Propagation(function).run();
}

}  // namespace heddle::code
