#!/usr/bin/env bash
# Builds the committed files of tests/cuda with nvcc: fat binaries, and a few programs whose kernels
# are compressed PTX.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../tests/cuda"
. ../../tools/cuda/nvcc.sh

fatbin() { "$nvcc" -fatbin -o "fatbin/made_by_nvcc/$1.fatbin" "${@:2}" fatbin/made_by_nvcc/scale.cu; }
fatbin default -arch=sm_75
fatbin size -arch=sm_75 -compress-mode=size
fatbin speed -arch=sm_75 -compress-mode=speed
fatbin none -arch=sm_75 -compress-mode=none
fatbin several -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=compute_90 \
  -gencode arch=compute_80,code=[sm_80,compute_80]
cp fatbin/made_by_nvcc/*.fatbin ../fuzz/seeds/fatbin/

# Programs with small kernels and host parts, for hosts without nvcc.
for name in echo errors launches libraries managed occupancy printing streams strays textures variables wide_blocks; do
  (cd programs &&
    "$nvcc" -std=c++17 -O2 -cudart shared -gencode arch=compute_75,code=compute_75 \
      -o "../built/$name" "$name.cu" && strip "../built/$name")
done
# Programs that use the driver API, first without and then with the runtime.
for name in driver_errors driver_launches driver_modules driver_textures; do
  (cd programs && "$nvcc" -std=c++17 -O2 -cudart none -o "../built/$name" "$name.cpp" -lcuda &&
    strip "../built/$name")
done
(cd programs &&
  "$nvcc" -std=c++17 -O2 -cudart shared -gencode arch=compute_75,code=compute_75 \
    -o "../built/driver_mixed" driver_mixed.cu -lcuda && strip "../built/driver_mixed")
