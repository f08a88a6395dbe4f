#!/bin/sh
# Runs the tests of the packages named as an ordinary user, when root starts it: root passes every permission, so a test by
# root alone proves little. Anybody else has run them as such a user already.
set -eu
[ "$(id -u)" = 0 ] || exit 0
user=65534
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir "$top/home" "$top/tmp"
chown $user:$user "$top/home" "$top/tmp"
chmod 755 "$top"
go build -o "$top/agy" ./host/agytest/agy
for package in "$@"; do
	folder="$top/src/$package"
	mkdir -p "$folder"
	cp -R "$package/." "$folder"
	chmod -R a+rX "$top/src"
	go test -c -o "$folder/run.test" "$package"
	(cd "$folder" && env HOME="$top/home" TMPDIR="$top/tmp" XDG_CACHE_HOME="$top/home/.cache" AGYTEST_PROGRAM="$top/agy" \
		setpriv --reuid $user --regid $user --clear-groups ./run.test -test.timeout 5m >"$top/log" 2>&1) || { cat "$top/log"; echo "as user $user: FAIL $package"; exit 1; }
	echo "as user $user: ok $package"
done
