#!/bin/sh
# debian-base.sh FILE: the base of the image as a tarball. Debian's C and C++ libraries; no shell, no package manager.
set -e
libraries=base-files,libc6,libgcc-s1,libstdc++6,libatomic1
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-0}"
# The user of the image, and the folder that it may write to. Conversions of other character sets are left out, which Node does itself;
# so are change logs, what is for debuggers, and libraries that no program of the image needs. Copyright files stay.
exec mmdebstrap --quiet --variant=extract --include="$libraries" \
  --extract-hook='rm -r "$1"/usr/lib/*/gconv "$1"/usr/bin/* "$1"/usr/share/perl5 2>/dev/null || true' \
  --extract-hook='rm -rf "$1"/usr/share/gcc "$1"/usr/share/doc/*/NEWS* "$1"/usr/share/doc/*/changelog*' \
  --extract-hook='rm -f "$1"/lib/*/libmvec.so.* "$1"/lib/*/libnsl.so.* "$1"/lib/*/libc_malloc_debug.so.*' \
  --extract-hook='echo "ringfence:x:10001:10001::/var/lib/ringfence:/usr/sbin/nologin" > "$1/etc/passwd"' \
  --extract-hook='echo "ringfence:x:10001:" > "$1/etc/group"' \
  --extract-hook='install -d -m 700 -o 10001 -g 10001 "$1/var/lib/ringfence"' \
  bookworm "$1"
