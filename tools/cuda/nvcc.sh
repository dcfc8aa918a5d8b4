# Sourced by scripts that compile CUDA sources to committed PTX. Finds nvcc in PATH or where CUDA
# installs it; ends the script if there is none.
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
[ -x "$nvcc" ] || {
  echo "nvcc was not found: the committed PTX is unchanged; install CUDA 13, or set CUDA_HOME" >&2
  exit 2
}

# compile_ptx SOURCE.cu OUTPUT.ptx [OPTION...]; OUTPUT is absolute or relative to the source's folder.
compile_ptx() (
  source=$1 output=$2
  shift 2
  cd "$(dirname "$source")"
  "$nvcc" -O3 -arch=sm_75 -lineinfo "$@" -ptx "$(basename "$source")" -o "$output"
  # Removes the folders of this host, so that the PTX is the same on every host.
  sed -i -E 's|(\.file[[:space:]]+[0-9]+ ")[^"]*/|\1|' "$output"
)
