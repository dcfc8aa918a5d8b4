#!/bin/bash
# Compiles the CUDA sources of tests/corpus to PTX, and stores ptxas's register counts of its kernels.
#
#   tools/cuda/corpus.sh [--check] [PATTERN...]
#
# A PATTERN such as 'kernels/aes*' selects sources in tests/corpus, without their extension; without a
# PATTERN, all are compiled. --check writes nothing; it names the committed files that are not current.
# Needs CUDA 13's nvcc and ptxas (in PATH, /usr/local/cuda/bin or $CUDA_HOME/bin). The variants
# compiled by clang need clang-14.
set -euo pipefail

corpus=$(cd "$(dirname "$0")/../../tests/corpus" && pwd)
tools=$(cd "$(dirname "$0")" && pwd)
PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin:/usr/local/cuda/bin"
for needed in nvcc ptxas python3; do
  if ! command -v "$needed" > /dev/null; then
    echo "corpus.sh: $needed is neither in PATH nor in ${CUDA_HOME:-/usr/local/cuda}/bin." \
      "The PTX in tests/corpus is unchanged; install CUDA 13, or set CUDA_HOME." >&2
    exit 2
  fi
done

check=0
if [[ "${1:-}" == --check ]]; then
  check=1
  shift
fi
patterns=("${@:-*}")

is_selected() {  # is_selected kernels/aes
  local pattern
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053
    [[ "$1" == $pattern ]] && return 0
  done
  return 1
}

# Compilers write the folders of sources into the PTX. The sources are therefore copied to a folder
# with a fixed name; remove_folders() removes that name from the PTX.
copied_sources=/tmp/heddle-corpus
output_folder=$(mktemp -d)
trap 'rm -rf "$output_folder" "$copied_sources"' EXIT
rm -rf "$copied_sources"
mkdir -p "$copied_sources"
cp -r "$corpus/." "$copied_sources"
mkdir -p "$output_folder/kernels" "$output_folder/language/variants" "$output_folder/link/variants"

# Removes the folders of the sources and of CUDA from the .file lines of a PTX file.
remove_folders() {
  sed -E -i -e '/^[[:space:]]*\.file/ { s|"'"$copied_sources"'/([^/"]*/)*|"|
    s|"[^"]*/include/([^"]*")|"cuda/\1| }' "$1"
}

clang=$(command -v clang++-14 || command -v clang++ || true)

# Runs nvcc or clang with the flags of a line in settings.txt.
compile() {  # compile SOURCE OUTPUT FLAGS...
  local source=$1 output=$2
  shift 2
  (
    cd "$copied_sources/$(dirname "$source")"
    if [[ "$1" == clang ]]; then
      shift
      if [[ -z "$clang" ]]; then
        echo "corpus.sh: clang++ was not found: $output is unchanged" >&2
        exit 0
      fi
      "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib -S \
        -include clang_builtins.h -Wno-unknown-cuda-version "$@" "$(basename "$source")" \
        -o "$output_folder/$output"
    else
      nvcc -ptx "$@" "$(basename "$source")" -o "$output_folder/$output"
    fi
  ) || { echo "corpus.sh: $source does not compile with $*" >&2; exit 1; }
  if [[ -f "$output_folder/$output" ]]; then remove_folders "$output_folder/$output"; fi
}

failed=0
run() {  # Compiles in the background, at most one per processor at a time.
  while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || failed=1; done
  compile "$@" &
}

for source in "$corpus"/kernels/*.cu; do
  name=kernels/$(basename "$source" .cu)
  is_selected "$name" && run "$name.cu" "$name.ptx" -O3 -arch=sm_75 -lineinfo
done
for folder in language link; do
  [[ -f "$corpus/$folder/settings.txt" ]] || continue
  while read -r program variant flags; do
    [[ -z "$program" || "$program" == \#* ]] && continue
    is_selected "$folder/$program" || continue
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
    if ! cmp -s "$output_folder/$file" "$corpus/$file"; then
      echo "differs: tests/corpus/$file"
      changed=1
    fi
  done < <(cd "$output_folder" && find . -name '*.ptx' -printf '%P\n' | sort)
  exit "$changed"
fi
cp -r "$output_folder/." "$corpus"

# Stores the number of registers that ptxas allocates for each kernel; tests compare Heddle's
# numbers with them.
for ptx in "$corpus"/kernels/*.ptx; do
  echo "file: kernels/$(basename "$ptx" .ptx).cu"
  ptxas -v -arch=sm_75 "$ptx" -o /dev/null 2>&1
done | python3 "$tools/corpus_figures.py" > "$output_folder/figures"
cp "$output_folder/figures" "$corpus/ptxas_sm75.json"
