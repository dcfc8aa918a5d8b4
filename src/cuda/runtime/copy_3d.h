#pragma once

// Copies as cudaMemcpy3DParms describes them. Nodes of graphs keep copies in this form.

#include "cuda/runtime/abi.h"
#include "cuda/runtime/row_copies.h"

namespace heddle::cuda {

void copy_3d(Session& session, const abi::Copy3D& copy);
/// Throws Failure if copy_3d() would reject the copy.
void check_copy_3d(Session& session, const abi::Copy3D& copy);
/// The description of a copy. Throws Failure if a position or size in an array is not a multiple of
/// the texel's size.
abi::Copy3D description_of(const CopyPlace& to, const CopyPlace& from, const CopyVolume& volume,
                           abi::CopyKind kind);
/// True if two copies are between the same types of memory: the host's, the device's or arrays.
bool have_same_memory(Session& session, const abi::Copy3D& one, const abi::Copy3D& other);

}  // namespace heddle::cuda
