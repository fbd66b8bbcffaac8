# One step of a test of ext4 under a power failure, on the served device by way of FUSE and a loop device:
# make, write (until the device is gone) or check. Then: the Python to run, and the file of notes.
here=$(dirname "$(realpath "$0")")
source "$here/attached.sh"
# The device may be gone at any time.
[ "$1" = write ] && set +e
device=$(losetup -f --show fuse/nbd)
case $1 in
    make) mkfs.ext4 -q -b 4096 -J size=4 "$device" ;;
    write)
        mount "$device" mounted && "$2" "$here/fsyncing.py" write mounted "$3"
        exit 0
        ;;
    check)
        mount "$device" mounted
        "$2" "$here/fsyncing.py" check mounted "$3"
        umount mounted
        e2fsck -fn "$device"
        ;;
esac
