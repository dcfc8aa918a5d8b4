#include "exec/system/chip_wide.h"

#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

// Chip-wide instructions touch state that all multiprocessors share. A timed run executes them
// between epochs, when no multiprocessor is simulated.

code::Instruction instruction_of(code::Operation operation, std::uint8_t elements = 1) {
  code::Instruction instruction;
  instruction.operation = operation;
  instruction.vector_count = elements;
  return instruction;
}

TEST(ChipWide, IncludesInstructionsOnSharedDeviceState) {
  using code::Operation;
  for (const Operation operation : {Operation::system_call, Operation::surface_store,
                                    Operation::surface_reduce, Operation::copy_async}) {
    EXPECT_TRUE(is_chip_wide(instruction_of(operation))) << code::name_of(operation);
  }
  for (const Operation operation :
       {Operation::load, Operation::store, Operation::atomic, Operation::texture,
        Operation::surface_load, Operation::barrier, Operation::branch, Operation::fence}) {
    EXPECT_FALSE(is_chip_wide(instruction_of(operation))) << code::name_of(operation);
  }
}

TEST(ChipWide, IncludesVectorAtomicsButNotVectorAccesses) {
  EXPECT_TRUE(is_chip_wide(instruction_of(code::Operation::atomic, 2)));
  EXPECT_FALSE(is_chip_wide(instruction_of(code::Operation::load, 4)));
  EXPECT_FALSE(is_chip_wide(instruction_of(code::Operation::store, 4)));
}

}  // namespace
}  // namespace heddle::exec
