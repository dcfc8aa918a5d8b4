// A warp is 32 threads from beginning to end; what a branch parts is executed one side after the
// other (exec/reconvergence_stack.h).

#include "sm/divergence/divergence.h"

namespace heddle::sm {
namespace {

const DivergenceRegistry::Entry entry{
    "stack", "a warp's own 32, with a stack that brings them together again",
    [] { return Travel::warps; }};

}  // namespace
}  // namespace heddle::sm
