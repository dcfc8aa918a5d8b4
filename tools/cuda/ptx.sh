#!/usr/bin/env bash
# Compiles the CUDA sources of the demonstration, of the benchmarks and of the validation to the committed PTX.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tools/cuda/nvcc.sh
for source in apps/demo/scene.cu bench/kernels/kernels.cu tools/pages/kernels/block_allocation.cu; do
  compile_ptx "$source" "$(basename "$source" .cu).ptx"
done
