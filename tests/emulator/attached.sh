# The served device as a loop device by way of FUSE, for the scripts here: makes a mount point, and releases everything
# when they end.
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
