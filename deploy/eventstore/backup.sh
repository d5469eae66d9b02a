#!/bin/sh
# Writes a tar of a running EventStoreDB node's files to stdout, in the order in which they may be copied: what
# points into a file comes before the file. Not while a scavenge runs.
#
#   docker compose exec -T eventstore sh -s <deploy/eventstore/backup.sh >eventstore.tar
#
# A file that has gone meanwhile (the index is merged now and then) ends it with an error: run it again.
set -eu
cd "${1:-/var/lib/eventstore}"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
{
  find index -type f -name '*.chk'
  find index -type f ! -name '*.chk'
  find . -maxdepth 1 -type f -name '*.chk'
  find . -maxdepth 1 -type f -name 'chunk-*'
} >"$list"
# 1: a file grew while it was read, as the newest chunk does.
tar --create --no-recursion --files-from="$list" || [ $? -eq 1 ]
