#!/usr/bin/env bash
# Compiles the kernels of the workloads to PTX again:
#
#   tools/workload_ptx.sh [--check] [NAME...]
#
# --check only says which committed PTX differs from what the sources give now.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../workloads"
. ../tools/nvcc.sh
check=false
if [ "${1:-}" = --check ]; then
  check=true
  shift
fi
[ $# -gt 0 ] || set -- */
made=$(mktemp)
trap 'rm -f "$made"' EXIT
failed=0
for folder in "$@"; do
  folder=${folder%/}
  [ -f "$folder/kernel.cu" ] || { echo "there is no workloads/$folder/kernel.cu" >&2; exit 2; }
  compile_ptx "$folder/kernel.cu" "$made"
  # A test compares this with the sources, to find PTX that was not made again.
  sources=("$folder/kernel.cu")
  [ ! -f "$folder/kernel.h" ] || sources+=("$folder/kernel.h")
  sed -i "1i // Made from sources of SHA-256 $(cat "${sources[@]}" | sha256sum | cut -d' ' -f1)" "$made"
  if ! $check; then
    cp "$made" "$folder/kernel.ptx"
  elif ! cmp -s "$made" "$folder/kernel.ptx"; then
    echo "workloads/$folder/kernel.ptx is not what nvcc makes of its source; ./dev ptx renews it"
    failed=1
  fi
done
exit "$failed"
