#!/usr/bin/env bash
# How does a Debian machine get Swift? Swift 6.0.3 of Debian trixie, unpacked into a folder of its own; the host is not changed.
#
#   swift-toolchain.sh setup                  download and unpack, once
#   swift-toolchain.sh root                   print the folder
#   swift-toolchain.sh run [FOLDER] -- CMD…   run CMD in FOLDER (this one by default), with the toolchain as its root folder
#
# RINGFENCE_SWIFT: where everything lies (~/.cache/ringfence-swift by default).
# RINGFENCE_PASS:  names of environment variables that CMD sees; it sees no others.
# Needs apt-get, dpkg-deb, unshare, flock, and root or unprivileged user namespaces. 1.1 GB of disk, 450 MB of download, about 70 s.
set -euo pipefail

home=${RINGFENCE_SWIFT:-$HOME/.cache/ringfence-swift}
root=$home/root
suite=trixie
# Raise it when a list below changes: the toolchain is then unpacked anew.
ready=$root/.ready-2

# The compiler brings clang, lld and llvm-ar; to link it needs the C and C++ libraries, and at run time what Foundation is linked with.
# SwiftPM reads dependencies with git.
packages=(
  swiftlang
  libc6-dev libgcc-14-dev libstdc++-14-dev binutils binutils-gold
  libedit2 libncurses6 libtinfo6 libsqlite3-0 libuuid1 libxml2 libzstd1 zlib1g libcurl4t64
  dash tzdata netbase
  git
)
# Debuggers, editors' servers, other linkage: 1.6 GB that neither building nor testing reads.
left_out=(
  ./usr/libexec/swift/bin/{lldb*,clangd,sourcekit-lsp,repl_swift}
  ./usr/libexec/swift/lib/{liblldb*,libsourcekitdInProc*,libLTO*,swift_static}
  ./usr/libexec/swift/lib/swift/{embedded,FrameworkABIBaseline}
  ./usr/share/{doc,man,locale,info}
)
devices=(null zero full random urandom tty)

# The mirror that this machine's own apt reads.
mirror() {
  local url
  url=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
    awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }')
  [ -n "$url" ] || { echo "swift-toolchain.sh: no Debian mirror in the apt sources of this machine" >&2; exit 1; }
  echo "$url"
}

# Downloads with an apt whose lists and state are its own, so that the host's suite does not matter.
download() {
  local apt=$1
  mkdir -p "$apt"/{etc/apt.conf.d,etc/preferences.d,lists/partial,archives/partial}
  : >"$apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main" >"$apt/etc/sources.list"
  cat >"$apt/apt.conf" <<CONF
Dir::Etc "$apt/etc";
Dir::Etc::sourcelist "$apt/etc/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
APT::Architecture "$(dpkg --print-architecture)";
APT::Architectures { "$(dpkg --print-architecture)"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
  APT_CONFIG=$apt/apt.conf apt-get -q update >&2
  # libswiftlang depends on what runs; swiftlang itself would draw in gcc and more, so it is fetched alone.
  APT_CONFIG=$apt/apt.conf apt-get -q -y --download-only install libswiftlang "${packages[@]:1}" >&2
  (cd "$apt/archives" && APT_CONFIG=$apt/apt.conf apt-get -q download "${packages[0]}" >&2)
}

unpack() {
  local archives=$1 to=$2 folder package name excluded=()
  # The links of a merged /usr, which base-files would make.
  mkdir -p "$to"/usr/{bin,sbin,lib,lib64} "$to"/{etc,proc,dev,tmp,home}
  for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$to/$folder"; done
  for name in "${left_out[@]}"; do excluded+=(--exclude="$name"); done
  for package in "$archives"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$to" --keep-directory-symlink --no-same-owner --wildcards "${excluded[@]}"
  done
  for name in swift swift-test swift-package swift-format clang docc; do
    [ -e "$to/usr/bin/$name" ] || ln -s "../libexec/swift/bin/$name" "$to/usr/bin/$name"
  done
  echo 'root:x:0:0:root:/home:/bin/sh' >"$to/etc/passwd"
  echo 'root:x:0:' >"$to/etc/group"
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$to/etc/hosts"
  echo 'hosts: files dns' >"$to/etc/nsswitch.conf"
  for name in "${devices[@]}"; do : >"$to/dev/$name"; done
}

setup() {
  [ -e "$ready" ] && return
  local tool
  for tool in apt-get dpkg-deb unshare flock; do
    command -v $tool >/dev/null || { echo "swift-toolchain.sh: needs $tool; it works on Debian and its kin" >&2; exit 1; }
  done
  mkdir -p "$home/home"
  exec 9>"$home/lock"
  flock 9 # two at a time: the second finds it ready
  if [ ! -e "$ready" ]; then
    rm -rf "$root" "$root.new" "$home/apt"
    download "$home/apt"
    unpack "$home/apt/archives" "$root.new"
    rm -rf "$home/apt"
    mv "$root.new" "$root"
    (inside / swift --version) >&2
    : >"$ready"
  fi
  exec 9>&-
}

# inside FOLDER CMD…: mounts live in a namespace of their own and end with the command.
inside() {
  local namespaces=(--mount --propagation private) name seen=()
  [ "$(id -u)" = 0 ] || namespaces=(--user --map-root-user "${namespaces[@]}")
  for name in ${RINGFENCE_PASS:-}; do [ -n "${!name+x}" ] && seen+=("$name=${!name}"); done
  exec unshare "${namespaces[@]}" bash -euc '
    root=$1 folder=$2 home=$3 devices=$4
    shift 4
    mount --rbind /proc "$root/proc"
    for name in $devices; do [ ! -e "/dev/$name" ] || mount --bind "/dev/$name" "$root/dev/$name"; done
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind "$home" "$root/home"
    if [ "$folder" != / ]; then mkdir -p "$root$folder"; mount --bind "$folder" "$root$folder"; fi
    seen=()
    while [ "$1" != -- ]; do seen+=("$1"); shift; done
    shift
    exec env -i HOME=/home PATH=/usr/bin:/usr/libexec/swift/bin LANG=C.UTF-8 "${seen[@]}" \
      /usr/sbin/chroot "$root" /bin/sh -c '\''cd "$0" && exec "$@"'\'' "$folder" "$@"
  ' bash "$root" "$1" "$home/home" "${devices[*]}" "${seen[@]}" -- "${@:2}"
}

case "${1:-}" in
  setup) setup ;;
  root) echo "$root" ;;
  run)
    shift
    folder=$PWD
    if [ "${1:-}" != -- ]; then folder=$(cd "$1" && pwd -P); shift; fi
    shift
    setup
    inside "$folder" "$@"
    ;;
  *)
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
