# The served device as a loop device by way of FUSE, for the scripts here: a place for its mount, and all of it is
# left when they end.
set -euo pipefail
mkdir -p fuse mounted
nbdfuse fuse "$uri" &
for _ in $(seq 100); do [ -e fuse/nbd ] && break; sleep 0.1; done
leave() {
    mountpoint -q mounted && umount mounted
    [ -n "${device:-}" ] && losetup -d "$device"
    umount fuse
    wait
}
trap leave EXIT
