# Writes a number of files to the ext4 file system on the served device, by way of FUSE and a loop device.
: "${1:?expected the number of files to write}"
here=$(dirname "$(realpath "$0")")
source "$here/attached.sh"
device=$(losetup -f --show fuse/nbd)
mount "$device" mounted
mkdir mounted/kept
for number in $(seq "$1"); do
    mkdir "mounted/folder$number"
    for file in 1 2 3; do seq $((number * 300)) > "mounted/folder$number/$file"; done
    cp "mounted/folder$number/1" mounted/new
    sync mounted/new
    mv mounted/new "mounted/kept/$number"
    sync mounted/kept
    [ "$number" -lt 3 ] || rm -r "mounted/folder$((number - 2))"
done
umount mounted
