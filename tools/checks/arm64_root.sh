#!/usr/bin/env bash
# Downloads Debian's arm64 packages of the libraries that Heddle uses, and unpacks them into build/arm64-root.
# The packages that are installed on the host stay unchanged, and no root privileges are needed.
#   arm64_root.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages=(libc6 libgcc-s1 libstdc++6 libfmt9 libfmt-dev libpng16-16 libpng-dev zlib1g zlib1g-dev
  libsqlite3-0 libsqlite3-dev libnettle8 nettle-dev libzstd1 libzstd-dev liblz4-1 liblz4-dev libtomlplusplus-dev libgtest-dev
  libgmock-dev libcli11-dev nlohmann-json3-dev)

root=$PWD/build/arm64-root
[ ! -e "$root/complete" ] || exit 0
rm -rf "$root"
mkdir -p "$root"/apt/{state/lists/partial,cache/archives/partial,packages}
options=(-qq -o Dir::State="$root/apt/state" -o Dir::State::status=/dev/null
  -o Dir::Cache="$root/apt/cache" -o APT::Architecture=arm64 -o APT::Architectures::=arm64
  -o APT::Sandbox::User="$(id -un)")
apt-get "${options[@]}" update
(cd "$root/apt/packages" && apt-get "${options[@]}" download "${packages[@]}")
for package in "$root"/apt/packages/*.deb; do dpkg-deb --extract "$package" "$root"; done
rm -r "$root/apt"
touch "$root/complete"
