#include "exec/decode.h"

#include <algorithm>

#include "code/operation_properties.h"
#include "exec/memory/address_space.h"
#include "exec/observation/observed_access.h"

namespace heddle::exec {
namespace {

/// Whether the instruction works across the lanes of a warp and has a member mask, an operand that
/// says which lanes take part.
bool names_members(const code::Instruction& instruction) {
  using code::EffectsClass;
  switch (properties_of(instruction.operation).effects) {
    case EffectsClass::across_lanes:
      return instruction.synchronous;
    case EffectsClass::pure:
    case EffectsClass::special:
    case EffectsClass::load:
    case EffectsClass::reads:
    case EffectsClass::store:
    case EffectsClass::updates:
    case EffectsClass::hint:
    case EffectsClass::active_lanes:
    case EffectsClass::ordered:
    case EffectsClass::synchronises:
      return false;
  }
  return false;
}

/// A vector register with the same 32-bit value in every lane.
VectorRegister broadcast(std::uint32_t word) {
  VectorRegister result;
  std::fill(std::begin(result.lane), std::end(result.lane), word);
  return result;
}

PredicateRef predicate_of(const code::Operand& operand) {
  return PredicateRef(operand.index, operand.negated);
}

}  // namespace

OperandRef Decoder::immediate_ref(std::uint64_t bits) {
  const auto [known, inserted] = immediates_.try_emplace(bits);
  if (inserted) {
    known->second = OperandRef(OperandRef::Base::immediates,
                               static_cast<std::uint32_t>(out_.immediates.size()));
    out_.immediates.push_back(broadcast(static_cast<std::uint32_t>(bits)));
    // A 32-bit immediate gets a high word too: a 32-bit address may be read as a 64-bit one.
    out_.immediates.push_back(broadcast(static_cast<std::uint32_t>(bits >> 32)));
  }
  return known->second;
}

OperandRef Decoder::constant_ref(std::uint32_t byte_offset, int width) {
  const auto [known, inserted] = constants_.try_emplace({byte_offset, width});
  if (inserted) {
    known->second = OperandRef(OperandRef::Base::constants,
                               static_cast<std::uint32_t>(out_.constant_words.size()));
    for (int word = 0; word < width; ++word) {
      out_.constant_words.push_back(byte_offset + static_cast<std::uint32_t>(word) * 4);
    }
  }
  return known->second;
}

OperandRef Decoder::operand_ref(const code::Operand& operand) {
  using Kind = code::Operand::Kind;
  switch (operand.kind) {
    case Kind::none:
    case Kind::predicate:
      return OperandRef::none();
    case Kind::reg:
      return OperandRef(OperandRef::Base::registers, operand.index);
    case Kind::immediate:
      return immediate_ref(operand.bits);
    case Kind::constant:
      return constant_ref(operand.index, operand.width);
    case Kind::variable:
      return immediate_ref(symbols_.variables[operand.index] + operand.bits);
    case Kind::generic_variable:
      return immediate_ref(symbols_.generic[operand.index] + operand.bits);
    case Kind::function:
      return immediate_ref(function_address(operand.index));
  }
  return OperandRef::none();
}

void Decoder::append(const code::Instruction& instruction) {
  Decoded decoded;
  decoded.index = static_cast<std::uint32_t>(out_.instructions.size());
  decoded.is_control = code::is_control(instruction.operation);
  decoded.names_members = names_members(instruction);
  decoded.offset = static_cast<std::int32_t>(instruction.offset);
  if (instruction.guard.present()) {
    decoded.guard = PredicateRef(instruction.guard.predicate, instruction.guard.negated);
  }

  std::size_t registers = 0;
  std::size_t predicates = 0;
  for (const code::Operand& operand : instruction.destinations) {
    if (operand.is_predicate()) {
      if (predicates < std::size(decoded.predicate_destination)) {
        decoded.predicate_destination[predicates] = predicate_of(operand);
      }
      ++predicates;
    } else {
      if (registers < std::size(decoded.destination))
        decoded.destination[registers] = operand_ref(operand);
      ++registers;
    }
  }

  // Source predicates have slots of their own; the other sources keep their order.
  std::vector<OperandRef> sources;
  predicates = 0;
  for (const code::Operand& operand : instruction.sources) {
    if (operand.is_predicate()) {
      if (predicates < std::size(decoded.predicate_source)) {
        decoded.predicate_source[predicates] = predicate_of(operand);
      }
      ++predicates;
    } else {
      sources.push_back(operand_ref(operand));
    }
  }
  decoded.source_count = static_cast<std::uint8_t>(sources.size());
  std::copy_n(sources.begin(), std::min(sources.size(), std::size(decoded.source)),
              std::begin(decoded.source));
  if (sources.size() > std::size(decoded.source)) {
    decoded.offset = static_cast<std::int32_t>(out_.more_sources.size());
    out_.more_sources.insert(out_.more_sources.end(), sources.begin(), sources.end());
  }

  if (!decoded.is_control) {
    decoded.handler = unit_.select_handler(instruction);
    if (decoded.handler == nullptr) out_.without_handler.push_back(decoded.index);
  }
  if (observation_ == Observation::accesses) {
    out_.plain_handlers.push_back(decoded.handler);
    if (decoded.handler != nullptr && may_access_global_memory(instruction)) {
      decoded.handler = observe_access;
    }
  }
  out_.instructions.push_back(decoded);
}

DecodedProgram decode(const code::Program& program, const SymbolAddresses& symbols,
                      const VectorUnit& unit, Observation observation) {
  Decoder decoder(symbols, unit, observation);
  for (const code::Instruction& instruction : program.instructions) decoder.append(instruction);
  return decoder.finish();
}

}  // namespace heddle::exec
