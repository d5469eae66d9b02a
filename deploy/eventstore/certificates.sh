#!/bin/sh
# Makes, once, an authority and a certificate for each node of the cluster.
#   /authority/ca.crt                 for everybody who connects
#   /certificates/<node>/node.{crt,key}   for the nodes, which run as user 1000
#   /certificates/ca                  the authority's key: for root alone
# `renew` makes the nodes' certificates anew, under the same authority.
set -eu
umask 022
days=1825
nodes='eventstore-1 eventstore-2 eventstore-3'
cd /certificates

if [ "${1:-}" = renew ]; then
  for node in $nodes; do rm -rf "$node"; done
fi
# The tool answers 0 even when it fails, so what counts is whether the file is there.
[ -s ca/ca.key ] || es-gencert-cli create-ca -days "$days" -out ca
chmod 700 ca
for node in $nodes; do
  [ -s "$node/node.key" ] || es-gencert-cli create-node -days "$days" -ca-certificate ca/ca.crt -ca-key ca/ca.key \
    -dns-names "$node,localhost" -ip-addresses 127.0.0.1 -out "$node"
  test -s "$node/node.crt"
  chown 1000:1000 "$node/node.key"
done
cp -f ca/ca.crt /authority/ca.crt
echo 'The certificates are there.'
