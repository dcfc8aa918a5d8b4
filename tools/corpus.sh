#!/bin/bash
# Makes the PTX of tests/corpus again from its CUDA sources, and ptxas's figures for its kernels.
#
#   tools/corpus.sh [--check] [PATTERN...]
#
# A PATTERN (as 'kernels/aes*') names sources below tests/corpus, without the ending; without any,
# everything is made. --check only compares what would be made with what is there.
# Needs CUDA 13's nvcc and ptxas (in PATH, or in /usr/local/cuda/bin, or in $CUDA_HOME/bin); the
# variants that clang makes need clang-14.
set -euo pipefail

corpus=$(cd "$(dirname "$0")/../tests/corpus" && pwd)
tools=$(cd "$(dirname "$0")" && pwd)
PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin:/usr/local/cuda/bin"
for needed in nvcc ptxas python3; do
  if ! command -v "$needed" > /dev/null; then
    echo "corpus.sh: $needed is neither in PATH nor in ${CUDA_HOME:-/usr/local/cuda}/bin." \
      "The PTX under tests/corpus is kept as it is." >&2
    exit 2
  fi
done

check=0
if [[ "${1:-}" == --check ]]; then
  check=1
  shift
fi
patterns=("${@:-*}")

wanted() {  # wanted kernels/aes
  local pattern
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053
    [[ "$1" == $pattern ]] && return 0
  done
  return 1
}

# Compilers write down where their sources lie. They work in a place of one fixed name, and what
# remains of it in .file lines is made relative.
place=/tmp/heddle-corpus
made=$(mktemp -d)
trap 'rm -rf "$made" "$place"' EXIT
rm -rf "$place"
mkdir -p "$place"
cp -r "$corpus/." "$place"
mkdir -p "$made/kernels" "$made/language/variants" "$made/link/variants"

neutral() {
  sed -E -i -e '/^[[:space:]]*\.file/ { s|"'"$place"'/([^/"]*/)*|"|
    s|"[^"]*/include/([^"]*")|"cuda/\1| }' "$1"
}

clang=$(command -v clang++-14 || command -v clang++ || true)

# nvcc or clang, with the flags of a line of settings.txt.
compile() {  # compile SOURCE OUTPUT FLAGS...
  local source=$1 output=$2
  shift 2
  (
    cd "$place/$(dirname "$source")"
    if [[ "$1" == clang ]]; then
      shift
      if [[ -z "$clang" ]]; then
        echo "corpus.sh: no clang++, $output is kept as it is" >&2
        exit 0
      fi
      "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib -S \
        -include clang_builtins.h -Wno-unknown-cuda-version "$@" "$(basename "$source")" \
        -o "$made/$output"
    else
      nvcc -ptx "$@" "$(basename "$source")" -o "$made/$output"
    fi
  ) || { echo "corpus.sh: $source does not compile with $*" >&2; exit 1; }
  if [[ -f "$made/$output" ]]; then neutral "$made/$output"; fi
}

failed=0
run() {  # As many at a time as there are processors.
  while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || failed=1; done
  compile "$@" &
}

for source in "$corpus"/kernels/*.cu; do
  name=kernels/$(basename "$source" .cu)
  wanted "$name" && run "$name.cu" "$name.ptx" -O3 -arch=sm_75 -lineinfo
done
for folder in language link; do
  [[ -f "$corpus/$folder/settings.txt" ]] || continue
  while read -r program variant flags; do
    [[ -z "$program" || "$program" == \#* ]] && continue
    wanted "$folder/$program" || continue
    if [[ "$variant" == - ]]; then
      output=$folder/$program.ptx
    else
      output=$folder/variants/$program.$variant.ptx
    fi
    # shellcheck disable=SC2086
    run "$folder/$program.cu" "$output" $flags
  done < "$corpus/$folder/settings.txt"
done
while (($(jobs -rp | wc -l) > 0)); do wait -n || failed=1; done
if ((failed)); then exit 1; fi

if ((check)); then
  changed=0
  while read -r file; do
    if ! cmp -s "$made/$file" "$corpus/$file"; then
      echo "differs: tests/corpus/$file"
      changed=1
    fi
  done < <(cd "$made" && find . -name '*.ptx' -printf '%P\n' | sort)
  exit "$changed"
fi
cp -r "$made/." "$corpus"

# What ptxas needs for each kernel: the figures our own register allocation is held against.
for ptx in "$corpus"/kernels/*.ptx; do
  echo "file: kernels/$(basename "$ptx" .ptx).cu"
  ptxas -v -arch=sm_75 "$ptx" -o /dev/null 2>&1
done | python3 "$tools/corpus_figures.py" > "$made/figures"
cp "$made/figures" "$corpus/ptxas_sm75.json"
