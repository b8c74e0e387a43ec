#!/usr/bin/env bash
# Prints the flags of a build with the race detector. What SQLite became in Go is left out: its locks are still seen,
# and to watch each of its steps takes two thirds of the time of a test with a database.
echo -race -gcflags=modernc.org/sqlite/lib=-race=false
