#!/bin/sh
# The image built on a base of debootstrap, without a registry; then a coordinator and two workers
# as containers compute a census, and one worker is killed: as root.
#   sh tests/queues/containers.sh MISERE
stop_queue() {
    # A worker whose coordinator has ended waits for it.
    for pid in $(pgrep -f "^[^ ]*misere (worker|coordinator) .*17117"); do kill "$pid" || true; done
    for container in $(buildah containers --quiet 2>/dev/null); do
        case " ${CONTAINERS:-} " in *" $container "*) buildah rm "$container" >/dev/null ;; esac
    done
}
command -v buildah >/dev/null && command -v debootstrap >/dev/null \
    || { echo "error: apt-get install buildah debootstrap" >&2; exit 1; }
. "$(dirname "$0")/common.sh"
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
# An engine store of its own.
export CONTAINERS_STORAGE_CONF=$LAB/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$LAB" "$LAB" >"$LAB/storage.conf"

say "the base, by debootstrap"
debootstrap --variant=minbase bookworm "$LAB/base" >"$LAB/debootstrap.log" 2>&1
base=$(buildah from scratch)
buildah add --quiet "$base" "$LAB/base" / >/dev/null
buildah commit --quiet "$base" localhost/bookworm >/dev/null
buildah rm "$base" >/dev/null
rm -rf "$LAB/base"

say "the image of deploy/Containerfile, on this base, with the program given"
mkdir "$LAB/context"
cp "$MISERE" "$LAB/context/misere"
buildah build --quiet --isolation chroot --file "$(dirname "$0")/../../deploy/Containerfile" --build-arg PROGRAM=given \
    --build-arg BASE=localhost/bookworm --tag localhost/misere-census "$LAB/context" >/dev/null
buildah inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}' localhost/misere-census

"$MISERE" coordinator certs --dir "$LAB/certs" --role coordinator --host localhost >/dev/null
"$MISERE" coordinator certs --dir "$LAB/certs" --count 2 >/dev/null
mkdir "$LAB/data"
chown -R 10001:10001 "$LAB/certs" "$LAB/data"
chmod 755 "$LAB/certs"
container() {
    CONTAINERS="${CONTAINERS:-} $(buildah from localhost/misere-census)"
    container=${CONTAINERS##* }
}
# The data are not at the volume of the image: there buildah 1.28 mounts sometimes the one, sometimes the other.
inside() {
    inside=$1
    shift
    buildah run --isolation chroot --volume "$LAB/certs:/certs:ro" --volume "$LAB/data:/srv/misere" "$inside" -- "$@"
}
tls() { echo "--ca /certs/ca.pem --cert /certs/$1.pem --key /certs/$1.key"; }

say "a coordinator and two workers, each in a container"
container
# shellcheck disable=SC2046,SC2086
start coordinator.log inside "$container" misere coordinator --data /srv/misere/census $PLAN --listen 127.0.0.1:17117 $(tls coordinator)
coordinator=$started
for worker in worker-1 worker-2; do
    container
    # shellcheck disable=SC2046
    start "$worker.log" inside "$container" misere worker --name "$worker" --slots 1 --coordinator https://localhost:17117 $(tls "$worker")
done
await "the first results" sh -c "'$MISERE' census status --data '$LAB/data/census' | grep -q 'solved'"
say "a worker is killed"
for pid in $(pgrep -f "misere worker --name worker-1 .*17117"); do kill -9 "$pid" || true; done
wait "$coordinator" || true
same_digest "$LAB/data/census"
