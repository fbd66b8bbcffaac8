# Makes an ext4 file system on the served device by way of FUSE and a loop device, writes to it, and checks both.
here=$(dirname "$(realpath "$0")")
source "$here/attached.sh"
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
