#!/usr/bin/env bash
# Compiles the CUDA sources of the demonstration and of the benchmarks to PTX again, with CUDA's nvcc
# (from PATH, or where CUDA installs it).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo "there is no nvcc here: the committed PTX stays" >&2; exit 2; }
for source in demo/scene.cu bench/kernels/kernels.cu; do
  (
    cd "$(dirname "$source")"
    name=$(basename "$source" .cu)
    "$nvcc" -O3 -arch=sm_75 -lineinfo -ptx "$name.cu" -o "$name.ptx"
    # Folders of the machine it was made on are nobody's business.
    sed -i -E 's|(\.file[[:space:]]+[0-9]+ ")[^"]*/|\1|' "$name.ptx"
  )
done
