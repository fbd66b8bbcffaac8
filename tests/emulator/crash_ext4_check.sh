# Checks as at the boot of a machine: e2fsck replays the journal, and a fault that needs a person is bad. Then nothing is
# left to repair, and a file that was renamed after it was synced is whole.
e2fsck -fp "$image"
status=$?
[ "$status" -le 1 ] || exit "$status"
e2fsck -fn "$image" >/dev/null 2>&1 || exit 3
for number in $(debugfs -R "ls -p /kept" "$image" 2>/dev/null | cut -d / -f 6 | grep -x '[0-9]*'); do
    debugfs -R "cat /kept/$number" "$image" 2>/dev/null >"$image.file"
    seq $((number * 300)) | cmp - "$image.file" || { echo "kept/$number was synced"; exit 5; }
done
