# Makes an ext4 file system on the served device by way of FUSE and a loop device, writes to it, and checks both.
set -euo pipefail
mkdir fuse mounted
nbdfuse fuse "$uri" &
for _ in $(seq 100); do [ -e fuse/nbd ] && break; sleep 0.1; done
leave() {
    mountpoint -q mounted && umount mounted
    [ -n "${device:-}" ] && losetup -d "$device"
    umount fuse
    wait
}
trap leave EXIT
device=$(losetup -f --show fuse/nbd)
mkfs.ext4 -q "$device"
mount "$device" mounted
seq 300000 > mounted/numbers
sync
umount mounted
mount "$device" mounted
seq 300000 | cmp - mounted/numbers
umount mounted
e2fsck -fn "$device"
