#!/bin/sh
# Makes what docker-compose.yml mounts as secrets, in ./secrets. What is there already is kept.
#
#   sh deploy/secrets.sh            one EventStoreDB
#   sh deploy/secrets.sh cluster    the cluster profile: only the two addresses change
#
# The folder is closed to everybody else on this machine. The files are readable, because a container reads
# them under its own user and Compose mounts them as they lie here.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-single}
case $mode in
  single | cluster) ;;
  *) echo "usage: sh deploy/secrets.sh [single|cluster]" >&2; exit 2 ;;
esac

umask 077
mkdir -p secrets
chmod 700 secrets

# make NAME COMMAND…: the output of the command, unless the secret is there. Written whole or not at all.
make() {
  name=$1
  shift
  [ -s "secrets/$name" ] || put "$name" "$("$@")"
}
put() {
  [ -n "$2" ] || { echo "secrets/$1 could not be made" >&2; exit 1; }
  printf '%s\n' "$2" >"secrets/.$1"
  chmod 444 "secrets/.$1"
  mv -f "secrets/.$1" "secrets/$1"
}

make master-key openssl rand -base64 32
# The next master key, until it is rotated; then the one before it.
make master-key-previous openssl rand -base64 32
make mongodb-key openssl rand -hex 256
# The catcher of docker-compose.yml, until somebody writes the address of a mail server there.
make smtp-url echo 'smtp://mail:1025'
for name in mongodb-root-password mongodb-password eventstore-admin-password eventstore-ops-password \
  admin-password metrics-token; do
  make "$name" openssl rand -hex 24
done

# With which the audit log is signed where AUDIT_PUSH is set; the receiver gets a copy.
make audit-push-key sh -c 'echo "whsec_$(openssl rand -base64 32)"'

mongodb_user="commonweal:$(cat secrets/mongodb-password)"
case $mode in
  single)
    put eventstore-url 'esdb://eventstore:2113?tls=false'
    put mongodb-url "mongodb://$mongodb_user@mongodb:27017/commonweal?replicaSet=rs0"
    ;;
  cluster)
    put eventstore-url "esdb://admin:$(cat secrets/eventstore-admin-password)@eventstore-1:2113,eventstore-2:2113,eventstore-3:2113?tls=true&tlsCaFile=/authority/ca.crt"
    put mongodb-url "mongodb://$mongodb_user@mongodb:27017,mongodb-2:27017,mongodb-3:27017/commonweal?replicaSet=rs0"
    ;;
esac
echo "secrets/ is ready for: $mode. Keep a copy of secrets/master-key apart from every backup."
