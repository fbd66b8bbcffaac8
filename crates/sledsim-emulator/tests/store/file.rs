//! Image files of a device.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sledsim_emulator::store::{ImageFile, OpenError, Store};
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image");
    (folder, path)
}

/// Return true if the file system of `path` supports holes.
#[cfg(target_os = "linux")]
fn knows_holes(beside: &Path) -> bool {
    use rustix::fs::{fallocate, FallocateFlags};

    let file = fs::File::create(beside.with_extension("probe")).unwrap();
    fallocate(&file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, 0, 4096).is_ok()
}

/// Return true if the file system of `path` supports holes.
#[cfg(not(target_os = "linux"))]
fn knows_holes(_: &Path) -> bool {
    false
}

#[test]
fn an_image_comes_back_with_its_contents() {
    let (_folder, path) = place();
    let mut image = ImageFile::open(&path, MIB).unwrap();
    image.write(4096, &[7; 512]).unwrap();
    drop(image);
    let mut found = [0; 512];
    ImageFile::open(&path, MIB).unwrap().read(4096, &mut found).unwrap();
    assert_eq!(found, [7; 512]);
    ImageFile::open_read_only(&path, MIB).unwrap().read(4096, &mut found).unwrap();
    assert_eq!(found, [7; 512]);
}

#[test]
fn an_image_is_sparse() {
    let (_folder, path) = place();
    let mut image = ImageFile::open(&path, 1 << 36).unwrap();
    image.write(1 << 35, &[7; 4096]).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 1 << 36);
    assert!(fs::metadata(&path).unwrap().blocks() * 512 < MIB);
}

#[test]
fn zeros_are_holes_where_the_file_system_can() {
    let (_folder, path) = place();
    let mut image = ImageFile::open(&path, 4 * MIB).unwrap();
    image.write(0, &vec![7; 4 << 20]).unwrap();
    image.sync().unwrap();
    let full = fs::metadata(&path).unwrap().blocks();
    image.zero(100, 4 * MIB - 200).unwrap();
    image.sync().unwrap();
    let mut found = vec![9; 4 << 20];
    image.read(0, &mut found).unwrap();
    let (ends, middle) = (100, &found[100..found.len() - 100]);
    assert!(middle.iter().all(|&byte| byte == 0));
    assert!(found[..ends].iter().chain(&found[found.len() - ends..]).all(|&byte| byte == 7));
    assert_eq!(fs::metadata(&path).unwrap().len(), 4 * MIB);
    let left = fs::metadata(&path).unwrap().blocks();
    assert!(left <= if knows_holes(&path) { full / 2 } else { full });
}

#[test]
fn data_are_found_among_holes_where_the_file_system_can() {
    let (_folder, path) = place();
    let mut image = ImageFile::open(&path, 1 << 36).unwrap();
    image.write(1 << 35, &[7; 4096]).unwrap();
    let all = 0..1 << 36;
    let data = image.next_data(all.clone()).unwrap().unwrap();
    assert!(data.contains(&(1 << 35)) && data.contains(&((1 << 35) + 4095)));
    if knows_holes(&path) {
        assert!(data.start > (1 << 35) - MIB && data.end < (1 << 35) + MIB, "{data:?}");
        assert_eq!(image.next_data(data.end..all.end).unwrap(), None);
        assert_eq!(image.next_data(0..data.start).unwrap(), None);
    }
}

#[test]
fn another_size_is_an_error_and_changes_nothing() {
    let (_folder, path) = place();
    fs::write(&path, "not an image").unwrap();
    for opened in [ImageFile::open(&path, MIB), ImageFile::open_read_only(&path, MIB)] {
        let text = opened.unwrap_err().to_string();
        assert_eq!(
            text,
            format!(
                "{}: expected a file of 1048576 bytes, the size of the device, found 12 bytes",
                path.display()
            )
        );
    }
    assert_eq!(fs::read(&path).unwrap(), b"not an image");
}

#[test]
fn an_image_has_one_server() {
    let (_folder, path) = place();
    let first = ImageFile::open(&path, MIB).unwrap();
    for opened in [ImageFile::open(&path, MIB), ImageFile::open_read_only(&path, MIB)] {
        let text = opened.unwrap_err().to_string();
        assert_eq!(
            text,
            format!(
                "{}: expected a file that no other server has open, found one that another server has open",
                path.display()
            )
        );
    }
    drop(first);
    let reader = ImageFile::open_read_only(&path, MIB).unwrap();
    let other = ImageFile::open_read_only(&path, MIB).unwrap();
    assert!(matches!(ImageFile::open(&path, MIB), Err(OpenError::Locked { .. })));
    drop((reader, other));
    ImageFile::open(&path, MIB).unwrap();
}

#[test]
fn an_image_that_is_only_read_cannot_be_changed() {
    let (_folder, path) = place();
    drop(ImageFile::open(&path, MIB).unwrap());
    let mut image = ImageFile::open_read_only(&path, MIB).unwrap();
    image.write(0, &[1; 512]).unwrap_err();
    image.zero(0, 512).unwrap_err();
}

#[test]
fn what_is_no_file_is_an_error() {
    let (folder, path) = place();
    let missing = ImageFile::open_read_only(&path, MIB).unwrap_err();
    assert!(matches!(&missing, OpenError::Io { source, .. } if source.kind() == ErrorKind::NotFound));
    assert!(missing.to_string().starts_with(&format!("{}: ", path.display())));
    let text = ImageFile::open(folder.path(), MIB).unwrap_err().to_string();
    assert_eq!(
        text,
        format!("{}: expected a regular file, found a folder, a pipe or a device", folder.path().display())
    );
    // An empty file opened read-only is not an image, and stays empty.
    fs::write(&path, "").unwrap();
    assert!(matches!(ImageFile::open_read_only(&path, MIB), Err(OpenError::Size { found: 0, .. })));
}
