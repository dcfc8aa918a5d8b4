#include "code/listing.h"

#include <fmt/format.h>

#include "code/effects.h"
#include "code/placement/place_text.h"

namespace heddle::code {
namespace {

std::string_view name_of(Space space) {
  constexpr std::string_view kNames[] = {"generic", "global",   "shared",
                                         "local",   "constant", "parameter"};
  return kNames[static_cast<std::size_t>(space)];
}

std::string_view name_of(Comparison comparison) {
  constexpr std::string_view kNames[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                         "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  return kNames[static_cast<std::size_t>(comparison)];
}

std::string_view name_of(Reduction reduction) {
  constexpr std::string_view kNames[] = {"and", "or",  "xor", "add",  "min",
                                         "max", "inc", "dec", "exch", "cas"};
  return kNames[static_cast<std::size_t>(reduction)];
}

std::string_view name_of(Special special) {
  constexpr std::string_view kNames[] = {"thread_x",
                                         "thread_y",
                                         "thread_z",
                                         "block_x",
                                         "block_y",
                                         "block_z",
                                         "lane",
                                         "warp",
                                         "warps_per_block",
                                         "sm",
                                         "sm_count",
                                         "grid_id",
                                         "mask_equal",
                                         "mask_less_equal",
                                         "mask_less",
                                         "mask_greater_equal",
                                         "mask_greater",
                                         "clock",
                                         "clock_high",
                                         "clock64",
                                         "global_timer",
                                         "global_timer_low",
                                         "global_timer_high",
                                         "dynamic_shared_bytes",
                                         "total_shared_bytes",
                                         "stack_pointer",
                                         "dynamic_shared_offset",
                                         "aggregate_shared_bytes"};
  const auto index = static_cast<std::size_t>(special);
  return index < std::size(kNames) ? kNames[index] : "special";
}

bool is_memory(Operation operation) {
  switch (operation) {
    case Operation::load:
    case Operation::store:
    case Operation::atomic:
    case Operation::prefetch:
    case Operation::copy_async:
    case Operation::load_local_slot:
    case Operation::store_local_slot:
      return true;
    default:
      return false;
  }
}

std::string mnemonic_of(const Instruction& instruction) {
  std::string text{code::name_of(instruction.operation)};
  const auto add = [&](std::string_view part) { text.append(".").append(part); };
  if (instruction.operation == Operation::setp || instruction.operation == Operation::set) {
    add(name_of(instruction.comparison));
  }
  if (instruction.operation == Operation::atomic) add(name_of(instruction.reduction));
  if (is_memory(instruction.operation) || instruction.operation == Operation::convert_address ||
      instruction.operation == Operation::is_space) {
    add(name_of(instruction.space));
  }
  if (instruction.high) add("high");
  if (instruction.wrap) add("wrap");
  if (instruction.approximate) add("approx");
  if (instruction.flush_subnormals) add("ftz");
  if (instruction.saturate) add("sat");
  if (instruction.vector_count > 1) text += fmt::format(".v{}", instruction.vector_count);
  if (instruction.type != ValueType::none) add(heddle::name_of(instruction.type));
  if (instruction.source_type != ValueType::none) add(heddle::name_of(instruction.source_type));
  return text;
}

/// Texts of an instruction's operands, with their places if there is a placement.
struct OperandTexts {
  const Program& program;
  const InstructionPlacement* placement;

  std::string of_source(const Operand& operand) const {
    const std::string text = text_of(program, operand);
    return placement == nullptr ? text : text + text_of_read(operand, *placement);
  }
  std::string of_destination(const Operand& operand) const {
    const std::string text = text_of(program, operand);
    return placement == nullptr ? text : text + text_of_write(operand, *placement);
  }
};

std::string address_text(const OperandTexts& texts, const Instruction& instruction,
                         const Operand* base) {
  std::string text = "[";
  if (base != nullptr && base->present()) {
    text += texts.of_source(*base);
    if (instruction.offset != 0) text += fmt::format("{:+}", instruction.offset);
  } else {
    text += instruction.outgoing ? "outgoing" : "frame";
    text += fmt::format("{:+}", instruction.offset);
  }
  return text + "]";
}

}  // namespace

std::string text_of(const Program& program, const Operand& operand) {
  const std::string_view last = operand.last_use ? "'" : "";
  switch (operand.kind) {
    case Operand::Kind::none:
      return "_";
    case Operand::Kind::reg:
      if (operand.width == 1) return fmt::format("R{}{}", operand.index, last);
      return fmt::format("R{}:{}{}", operand.index, operand.index + operand.width - 1, last);
    case Operand::Kind::predicate:
      return fmt::format("{}P{}", operand.negated ? "!" : "", operand.index);
    case Operand::Kind::immediate:
      return fmt::format("{:#x}", operand.bits);
    case Operand::Kind::constant:
      return fmt::format("c[{:#x}]", operand.index);
    case Operand::Kind::variable:
    case Operand::Kind::generic_variable: {
      const std::string name = operand.index < program.variables.size()
                                   ? program.variables[operand.index].name
                                   : fmt::format("variable {}", operand.index);
      const auto addend = static_cast<std::int64_t>(operand.bits);
      const std::string_view generic =
          operand.kind == Operand::Kind::generic_variable ? "generic " : "";
      return addend == 0 ? fmt::format("{}{}", generic, name)
                         : fmt::format("{}{}{:+}", generic, name, addend);
    }
    case Operand::Kind::function:
      return operand.index < program.functions.size() ? program.functions[operand.index].name
                                                      : fmt::format("function {}", operand.index);
  }
  return "?";
}

std::string text_of(const Program& program, const Instruction& instruction,
                    const InstructionPlacement* placement) {
  const OperandTexts texts{program, placement};
  std::string text;
  if (instruction.guard.present()) {
    text +=
        fmt::format("@{}P{} ", instruction.guard.negated ? "!" : "", instruction.guard.predicate);
  }
  text += mnemonic_of(instruction);
  std::string_view separator = " ";
  const auto add = [&](const std::string& operand) {
    text.append(separator).append(operand);
    separator = ", ";
  };
  for (const Operand& destination : instruction.destinations) {
    add(texts.of_destination(destination));
  }
  if (instruction.operation == Operation::read_special) {
    add(std::string(name_of(instruction.special)));
  }
  std::size_t first = 0;
  if (is_memory(instruction.operation)) {
    const bool is_slot = instruction.operation == Operation::load_local_slot ||
                         instruction.operation == Operation::store_local_slot;
    const bool has_base = !is_slot && !instruction.sources.empty();
    add(address_text(texts, instruction, has_base ? &instruction.sources[0] : nullptr));
    first = has_base ? 1 : 0;
  }
  for (std::size_t i = first; i < instruction.sources.size(); ++i) {
    add(texts.of_source(instruction.sources[i]));
  }
  if (instruction.target != kNone) {
    if (is_call(instruction)) {
      add(instruction.target < program.functions.size() ? program.functions[instruction.target].name
                                                        : "?");
    } else if (instruction.operation == Operation::branch) {
      add(fmt::format("{}", instruction.target));
    } else if (instruction.target < program.branch_tables.size()) {
      std::string table;
      for (const std::uint32_t target : program.branch_tables[instruction.target]) {
        table += fmt::format("{}{}", table.empty() ? "{" : ", ", target);
      }
      add(table + "}");
    }
  }
  if (instruction.operation == Operation::branch ||
      instruction.operation == Operation::branch_indexed) {
    text += instruction.reconvergence == kNone
                ? std::string(" (no reconvergence)")
                : fmt::format(" (reconverges at {})", instruction.reconvergence);
  }
  return text;
}

std::string listing_of(const Program& program, const FunctionInfo& function) {
  std::string text =
      fmt::format("{} {}: {} registers, {} predicates, {} bytes of stack, {} blocks\n",
                  function.is_kernel ? "kernel" : "function", function.name, function.registers,
                  function.predicates, function.frame_bytes, function.blocks);
  for (std::uint32_t counter = function.entry; counter < function.end; ++counter) {
    const Instruction& instruction = program.instructions[counter];
    const InstructionPlacement* placement =
        program.placement.empty() ? nullptr : &program.placement[counter];
    if (placement != nullptr) {
      const std::string strand = text_of_strand(*placement);
      if (!strand.empty()) text += fmt::format("        -- {}\n", strand);
    }
    std::string line = fmt::format("{:6}  {}", counter, text_of(program, instruction, placement));
    if (instruction.ptx_line != 0) line = fmt::format("{:<72} // {}", line, instruction.ptx_line);
    text.append(line).append("\n");
  }
  return text;
}

std::vector<KernelSummary> summaries_of(const Program& program) {
  std::vector<KernelSummary> summaries;
  for (const FunctionInfo& function : program.functions) {
    if (!function.is_kernel || function.is_extern) continue;
    KernelSummary& summary = summaries.emplace_back();
    summary.name = function.name;
    summary.registers = function.registers_per_thread;
    summary.predicates = function.predicates_per_thread;
    summary.spill_stores = function.spill_stores;
    summary.spill_loads = function.spill_loads;
    summary.shared_bytes = function.shared_bytes;
    summary.local_bytes = function.local_bytes;
    summary.stack_unbounded = function.stack_unbounded;
    summary.constant_bytes = function.constant_bytes;
    summary.instructions = function.end - function.entry;
    summary.blocks = function.blocks;
    constexpr std::size_t kMaxShown = 20;
    summary.unsupported = describe_unsupported(program, function.unsupported, kMaxShown);
  }
  return summaries;
}

}  // namespace heddle::code
