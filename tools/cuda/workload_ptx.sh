#!/usr/bin/env bash
# Compiles the kernels of all workloads, or of the named ones, to the PTX that is committed:
#
#   tools/cuda/workload_ptx.sh [--check] [NAME...]
#
# --check writes nothing; it names the workloads whose committed PTX is not current.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../workloads"
. ../tools/cuda/nvcc.sh
check=false
if [ "${1:-}" = --check ]; then
  check=true
  shift
fi
[ $# -gt 0 ] || set -- */
new_ptx=$(mktemp)
trap 'rm -f "$new_ptx"' EXIT
failed=0
# make_ptx FOLDER FILE [OPTION...] compiles the folder's kernels with these options of nvcc.
make_ptx() {
  local folder=$1 file=$2
  shift 2
  compile_ptx "$folder/kernel.cu" "$new_ptx" "$@"
  # A test compares this digest with the sources, to find PTX that is not current.
  local sources=("$folder/kernel.cu")
  [ ! -f "$folder/kernel.h" ] || sources+=("$folder/kernel.h")
  local header
  for header in $(sed -n 's/^#include "\(.*\)"$/\1/p' "$folder/kernel.cu"); do
    [ "$header" = kernel.h ] || sources+=("$folder/$header")
  done
  sed -i "1i // Made from sources of SHA-256 $(cat "${sources[@]}" | sha256sum | cut -d' ' -f1)" "$new_ptx"
  if ! $check; then
    cp "$new_ptx" "$folder/$file"
  elif ! cmp -s "$new_ptx" "$folder/$file"; then
    echo "workloads/$folder/$file is not current: run tools/cuda/workload_ptx.sh $folder"
    failed=1
  fi
}
for folder in "$@"; do
  folder=${folder%/}
  [ -f "$folder/kernel.cu" ] || { echo "workloads/$folder/kernel.cu does not exist" >&2; exit 2; }
  make_ptx "$folder" kernel.ptx
  # The same kernels without fused multiply-adds, for machines with isa.fused_multiply_add=no.
  make_ptx "$folder" kernel-unfused.ptx -fmad=false
done
exit "$failed"
