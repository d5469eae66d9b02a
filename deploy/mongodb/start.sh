#!/bin/sh
# MongoDB wants the key of its replica set readable by itself alone; a secret is mounted as it lies on the host.
set -eu
install -m 400 /run/secrets/mongodb_key /tmp/mongodb.key
exec docker-entrypoint.sh mongod --replSet rs0 --bind_ip_all --keyFile /tmp/mongodb.key "$@"
