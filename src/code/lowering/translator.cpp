#include "code/lowering/translator.h"

#include <algorithm>
#include <utility>

#include "code/launch_constants.h"
#include "code/register_limits.h"

namespace heddle::code::lowering {
namespace {

/// The size of a multiprocessor's register file, which .minnctapersm refers to.
constexpr std::uint32_t kRegistersPerSm = 65536;
/// Hardware allocates registers to warps in multiples of this number per thread.
constexpr std::uint32_t kAllocationUnit = 8;

bool ends_block(Operation operation) {
  return operation == Operation::branch || operation == Operation::branch_indexed ||
         operation == Operation::ret || operation == Operation::exit ||
         operation == Operation::trap;
}

}  // namespace

void refuse(std::string reason) { throw Refusal{std::move(reason)}; }

Translator::Translator(const std::vector<ptx::Module>& modules, const Linked& linked,
                       FunctionInfo& info, SymbolPlace place)
    : modules_(modules),
      linked_(linked),
      info_(info),
      place_(place),
      module_(modules[place.module]),
      function_(module_.functions[place.index]),
      plan_(plan_frame(modules, linked, place.module, function_)) {}

Function Translator::run() {
  body_.name = info_.name;
  body_.is_kernel = function_.is_kernel;
  if (body_.is_kernel) body_.parameter_bytes = info_.parameter_bytes;
  body_.max_registers = register_limit();
  for (const ptx::Register& reg : function_.registers) {
    registers_.push_back(reg.type == ValueType::pred
                             ? new_predicate()
                             : new_register(std::max(registers_of(reg.type), 1)));
  }
  for (const ptx::VariableIndex v : function_.variables) {
    const auto placed = plan_.places.find(v);
    if (placed == plan_.places.end() || placed->second.where != VariablePlace::Where::value) {
      continue;
    }
    variable_registers_[v] = body_.new_register(variable(v).size > 4 ? 2 : 1);
  }
  block_of_label_.assign(function_.labels.size(), kNone);
  start_block();
  if (module_.address_size != 64) {
    note_unsupported("the module uses 32-bit addresses; Heddle supports 64-bit addresses only");
  } else if (plan_.frame_bytes > std::uint32_t{1} << 30) {
    note_unsupported("the local variables take more than 1 GiB per thread");
  } else if (function_.is_kernel && plan_.own_layout.bytes > launch_constants::kMaxParameterBytes) {
    note_unsupported("the parameters take more than " +
                     std::to_string(launch_constants::kMaxParameterBytes) + " bytes");
  } else {
    body_.frame_bytes = static_cast<std::uint32_t>(plan_.frame_bytes);
    translate_body();
  }
  finish();
  return std::move(body_);
}

void Translator::translate_body() {
  if (!function_.is_kernel) load_register_parameters();

  std::vector<std::pair<std::uint32_t, ptx::LabelIndex>> labels;
  for (std::uint32_t i = 0; i < function_.labels.size(); ++i) {
    labels.emplace_back(function_.labels[i].instruction, i);
  }
  std::sort(labels.begin(), labels.end());
  std::size_t next = 0;
  for (std::uint32_t i = 0; i <= function_.body.size(); ++i) {
    for (; next < labels.size() && labels[next].first == i; ++next) {
      if (block_ended_ || !block().instructions.empty()) start_block();
      block_of_label_[labels[next].second] = static_cast<BlockIndex>(body_.blocks.size() - 1);
      block().nounroll |=
          module_.nounroll || function_.nounroll || function_.labels[labels[next].second].nounroll;
    }
    if (i < function_.body.size()) translate(function_.body[i]);
  }
}

void Translator::translate(const ptx::Instruction& instruction) {
  current_ = &instruction;
  const std::size_t blocks_before = body_.blocks.size();
  const std::size_t before = block().instructions.size();
  const bool ended_before = block_ended_;
  try {
    const Translation translation = translation_of(instruction.opcode);
    if (translation == nullptr) refuse("Heddle does not execute it");
    for (const ValueType t : instruction.types) {
      if (t == ValueType::b128) refuse("128-bit values are not supported");
    }
    translation(*this);
  } catch (const Refusal& refusal) {
    // Drop the machine instructions that were emitted before the refusal.
    body_.blocks.resize(blocks_before);
    block().instructions.resize(before);
    block_ended_ = ended_before;
    note_unsupported("'" + std::string(instruction.spelling) + "': " + refusal.reason);
    emit(Operation::trap, ValueType::none, {}, {});
  }
}

void Translator::note_unsupported(std::string message) {
  UnsupportedPlace place{.module = place_.module, .ptx_line = function_.location.line};
  if (current_ != nullptr) {
    place.ptx_line = current_->location.line;
    if (current_->source != ptx::kNoIndex) {
      place.source_line = linked_.first_source_line[place_.module] + current_->source;
    }
  }
  add_unsupported(info_.unsupported, std::move(message), place);
}

// -- blocks and instructions ----------------------------------------------------------------------

void Translator::start_block() {
  body_.blocks.emplace_back();
  block_ended_ = false;
}

Instruction& Translator::append(Operation operation, ValueType type,
                                std::initializer_list<Operand> destinations,
                                std::initializer_list<Operand> sources) {
  if (block_ended_) start_block();
  Instruction& out = block().instructions.emplace_back();
  out.operation = operation;
  out.type = type;
  for (const Operand& operand : destinations) out.destinations.push_back(operand);
  for (const Operand& operand : sources) out.sources.push_back(operand);
  if (current_ != nullptr) {
    out.ptx_line = current_->location.line;
    if (current_->source != ptx::kNoIndex) {
      out.source = linked_.first_source_line[place_.module] + current_->source;
    }
  }
  block_ended_ = ends_block(operation);
  return out;
}

Instruction& Translator::emit(Operation operation, ValueType type,
                              std::initializer_list<Operand> destinations,
                              std::initializer_list<Operand> sources) {
  Instruction& out = append(operation, type, destinations, sources);
  if (current_ != nullptr && current_->guard.present()) {
    out.guard.predicate = registers_[current_->guard.reg].index;
    out.guard.negated = current_->guard.negated;
  }
  return out;
}

Instruction& Translator::compute(Operation operation, ValueType type,
                                 std::initializer_list<Operand> destinations,
                                 std::initializer_list<Operand> sources) {
  return append(operation, type, destinations, sources);
}

void Translator::emit_branch(ptx::LabelIndex label) {
  if (label >= function_.labels.size() ||
      function_.labels[label].instruction > function_.body.size()) {
    refuse("the label is not defined in the function");
  }
  emit(Operation::branch, ValueType::none, {}, {}).target = label;
}

void Translator::emit_indexed_branch(const Operand& index, const ptx::BranchTable& table) {
  for (const ptx::LabelIndex label : table.targets) {
    if (label >= function_.labels.size() ||
        function_.labels[label].instruction > function_.body.size()) {
      refuse("a label of the table is not defined in the function");
    }
  }
  if (table.targets.empty()) refuse("the table is empty");
  emit(Operation::branch_indexed, ValueType::u32, {}, {index}).target =
      static_cast<std::uint32_t>(tables_.size());
  tables_.push_back(table.targets);
}

void Translator::finish() {
  const bool falls_off = !block_ended_ || block().instructions.back().guard.present();
  if (falls_off) {
    current_ = nullptr;
    emit_return();
  }
  for (BasicBlock& b : body_.blocks) {
    if (b.instructions.empty()) continue;
    Instruction& last = b.instructions.back();
    if (last.operation == Operation::branch) last.target = block_of_label_[last.target];
  }
  for (const auto& table : tables_) {
    std::vector<BlockIndex>& blocks = body_.branch_tables.emplace_back();
    for (const ptx::LabelIndex label : table) blocks.push_back(block_of_label_[label]);
  }
}

// -- the function's ends --------------------------------------------------------------------------

void Translator::emit_return() {
  if (function_.is_kernel) {
    emit(Operation::exit, ValueType::none, {}, {});
    return;
  }
  store_register_results();
  emit(Operation::ret, ValueType::none, {}, {});
}

std::uint32_t Translator::register_limit() const {
  if (function_.max_registers != 0) return std::min(function_.max_registers, kMaxRegisters);
  if (function_.min_blocks_per_sm == 0) return 0;
  const auto threads_of = [](const std::uint32_t(&extent)[3]) {
    return std::uint64_t{extent[0]} * std::max<std::uint32_t>(extent[1], 1) *
           std::max<std::uint32_t>(extent[2], 1);
  };
  std::uint64_t threads = threads_of(function_.required_threads);
  if (threads == 0) threads = threads_of(function_.max_threads);
  if (threads == 0) return 0;
  threads = align_up(threads, 32) * function_.min_blocks_per_sm;
  const std::uint64_t limit = kRegistersPerSm / threads / kAllocationUnit * kAllocationUnit;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(limit, kMinRegisters, kMaxRegisters));
}

CallTarget Translator::target_of_call() const {
  return call_target(modules_, linked_, place_.module, function_, *current_);
}

std::uint32_t Translator::program_function(std::uint32_t ptx_function) const {
  return linked_.functions[place_.module][ptx_function];
}

Operand Translator::function_address(std::uint32_t ptx_function) {
  Operand out;
  out.kind = Operand::Kind::function;
  out.width = 2;
  out.index = program_function(ptx_function);
  return out;
}

}  // namespace heddle::code::lowering
