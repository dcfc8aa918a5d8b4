# For scripts that compile CUDA sources to the PTX that is committed: finds CUDA's nvcc (in PATH, or
# where CUDA installs it), or ends the script.
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
[ -x "$nvcc" ] || { echo "there is no nvcc here: the committed PTX stays" >&2; exit 2; }

# compile_ptx SOURCE.cu OUTPUT.ptx; the output's path is absolute, or seen from the source's folder.
compile_ptx() (
  cd "$(dirname "$1")"
  "$nvcc" -O3 -arch=sm_75 -lineinfo -ptx "$(basename "$1")" -o "$2"
  # Folders of the machine it was made on are nobody's business.
  sed -i -E 's|(\.file[[:space:]]+[0-9]+ ")[^"]*/|\1|' "$2"
)
