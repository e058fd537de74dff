#!/bin/sh
# Puts a PostgreSQL cluster back to a point in time: a base backup, and the write-ahead log that was archived since.
#
#   point-in-time.sh settings ARCHIVE               the lines of postgresql.conf that archive the log; then restart
#   point-in-time.sh base BACKUP [OPTION…]          a base backup; OPTIONs go to pg_basebackup (--host, --username)
#   point-in-time.sh recover BACKUP ARCHIVE DATA 'YYYY-MM-DD HH:MM:SS.ssssss+00'
#                                                   makes the new data directory DATA; start PostgreSQL on it
#
# Run it as the user of PostgreSQL. BACKUP and ARCHIVE are folders, best on another machine.
set -eu
PATH="${PG_PROGRAMS:+$PG_PROGRAMS:}$PATH"

usage() {
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

case "${1:-}" in
  settings)
    [ $# -eq 2 ] || usage
    mkdir -p "$2"
    # A file is never overwritten, and appears complete: another cluster may write to the same folder by mistake.
    cat <<EOF
wal_level = replica
archive_mode = on
archive_timeout = 60
archive_command = 'test ! -f "$2/%f" && cp "%p" "$2/%f.partial" && mv "$2/%f.partial" "$2/%f"'
EOF
    ;;
  base)
    [ $# -ge 2 ] || usage
    backup=$2
    shift 2
    pg_basebackup --pgdata="$backup" --format=plain --wal-method=stream --checkpoint=fast "$@"
    pg_verifybackup "$backup"
    ;;
  recover)
    [ $# -eq 5 ] || usage
    backup=$2 archive=$3 data=$4 target=$5
    [ ! -e "$data" ] || { echo "$data exists: name a new data directory" >&2; exit 1; }
    pg_verifybackup "$backup"
    cp -a "$backup" "$data.partial"
    cat >>"$data.partial/postgresql.auto.conf" <<EOF
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$target'
recovery_target_action = 'promote'
archive_mode = off
EOF
    touch "$data.partial/recovery.signal"
    chmod 700 "$data.partial"
    mv "$data.partial" "$data"
    echo "Start PostgreSQL on $data. It stops reading the log at $target, then accepts writes."
    echo "When the data are right, remove the last four lines of postgresql.auto.conf and archive into a new folder."
    ;;
  *) usage ;;
esac
