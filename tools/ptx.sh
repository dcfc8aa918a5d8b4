#!/usr/bin/env bash
# Compiles the CUDA sources of the demonstration and of the benchmarks to PTX again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/nvcc.sh
for source in demo/scene.cu bench/kernels/kernels.cu; do
  compile_ptx "$source" "$(basename "$source" .cu).ptx"
done
