#!/usr/bin/env bash
# A demonstration of about a minute. Usage, from the root of the checkout: show.sh BUILD FOLDER. BUILD is
# a build folder; the picture, the results and the report go to FOLDER. './dev demo' builds Heddle and
# runs this script.
set -euo pipefail
heddle=$1/apps/heddle/heddle
folder=$2
mkdir -p "$folder"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

say "1. A CUDA program: a ray tracer, executed on the simulated GPU, and checked"
"$1/apps/demo/heddle_demo" apps/demo/scene.ptx "$folder/picture.png"

say "2. A timed simulation of a workload: heddle run reduction --size small --machine large-warps"
"$heddle" run reduction --size small --machine large-warps

say "3. A figure of a paper, on tiny inputs: heddle experiment large-warps/figure-13 --size tiny"
"$heddle" experiment large-warps/figure-13 --size tiny --store "$folder/results.sqlite" -o "$folder/results"
"$heddle" report "$folder/results" -o "$folder/report.html"

say "What to try next"
cat <<END
  # The figure as the paper draws it, with its claims, in a browser.
  xdg-open $folder/report.html
  # One workload with the scheduler of that figure.
  $heddle run reduction --size small --machine large-warps --set schedule.policy=fetch-groups
  # Lists of workloads, of machines, and of a machine's parameters.
  $heddle list workloads
  $heddle list machines
  $heddle list parameters --machine large-warps
  # Your own program, built with nvcc.
  $heddle cuda --machine large-warps -- ./app
END
