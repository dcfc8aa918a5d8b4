#!/usr/bin/env bash
# Installs a Debian package in a bare Debian 12 below build/bare-root, and runs it there without this
# tree. Needs root, debootstrap and the network; the bare system is made once.
#   package_in_bare_root.sh PACKAGE.deb
set -euo pipefail
package=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=build/bare-root

if [ ! -f "$root/etc/debian_version" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase bookworm "$root" >/dev/null
fi

# 'heddle cuda' finds its library through /proc.
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }

in_root apt-get remove -y -qq heddle >/dev/null 2>&1 || true
cp "$package" "$root/heddle.deb"
in_root apt-get install -y -qq --no-install-recommends /heddle.deb >/dev/null 2>&1
cp tests/cuda/built/launches "$root/launches"

in_root heddle --version
in_root heddle run vector-add --size tiny --machine warpman | grep -F 'passed' >/dev/null
in_root heddle experiment large-warps/storage -o /results >/dev/null
in_root heddle cuda --machine warpman -- /launches 2>&1 | grep -cF 'kernel' >/dev/null
in_root test -s /usr/share/man/man1/heddle-run.1 -a -s /usr/share/bash-completion/completions/heddle
in_root apt-get remove -y -qq heddle >/dev/null 2>&1
if left=$(find "$root/usr" -path '*heddle*' | grep .); then
  echo "the package leaves files behind: $left" >&2
  exit 1
fi
echo "the package works in a bare Debian $(cat "$root/etc/debian_version")"
