"""What volumes and devices count in a run: each name with its meaning."""

from collections.abc import Mapping

_BEHIND_PASS = {
    "notes_written": "notes written to members that say which of them are in step, for after a loss of power",
    "passed_sectors": "sectors that the rebuild or the resynchronisation has gone over",
    "rebuild_left_sectors": "sectors of the new device that are still to be filled",
    "resync_left_sectors": "sectors that are still to be brought into step after a loss of power",
}
_METADATA = {
    "requests": "requests to the volume",
    "metadata_requests": "of them those for metadata",
    "metadata_hits": "requests for metadata that needed neither the disk nor an entry in the table",
    "metadata_area_sectors": "sectors that went to or came from the MEMS device",
    "other_sectors": "sectors that went to or came from the disk",
    "moved_sectors": "sectors that came to the MEMS device for the first time, written or fetched",
    "fetched_sectors": "of them those that were read from the disk for a request, and kept",
    "units_without_room": "units of requests for metadata without a slot on the MEMS device: on the disk",
    "table_pages_written": "pages of the table written that says which unit is in which slot",
    "flushes": "flushes of the MEMS device to the disk that began",
    "flushed_sectors": "sectors that they wrote to the disk",
    "unflushed_sectors": "sectors that are newer on the MEMS device than on the disk at the end",
    "metadata_units": "units that have a slot on the MEMS device at the end",
    "metadata_slots": "slots that there are",
}
_WRITE_BUFFER = {
    "reads": "reads of the volume",
    "read_hits": "reads of which the disk had to give nothing",
    "disk_read_sectors": "sectors that reads got from the disk",
    "log_read_sectors": "sectors that reads got from the log",
    "memory_read_sectors": "sectors that reads got from memory, where they waited for their append",
    "writes": "writes of the volume",
    "appended_writes": "writes that went to the log",
    "appends": "requests that wrote the log; one carries all writes that waited for it",
    "writes_per_append": "appended writes over appends",
    "appended_sectors": "sectors of data that they carried",
    "bypassed_writes": "writes that went past the log, because it was too full for them",
    "bypassed_sectors": "sectors of them that went to the disk",
    "overwritten_sectors": "sectors of them that were written over what the log had of them",
    "cleaned_segments": "segments of the log that were read to be written to the disk",
    "cleaned_sectors": "sectors that this wrote to the disk",
    "tail_moves": "times that the beginning of the log was moved up, which frees room",
    "confirmations": "notes that the newest append is whole, written before a write broke its seal",
    "dirty_sectors": "sectors that are newer in the log than on the disk at the end",
    "mapped_sectors": "sectors that are in the log at the end",
    "log_used_share": "share of the log between its beginning and its end",
    "log_dirty_share": "share of the log that is newer than the disk",
}

#: What each kind of volume counts; kinds that are not here count nothing.
VOLUMES: Mapping[str, Mapping[str, str]] = {
    "mirror": {
        "degraded_reads": "reads while a member was missing",
        "writes_waited": "writes that waited for others of the same sectors",
        **_BEHIND_PASS,
    },
    "raid5": {
        "rmw_writes": "rows (blocks that share a parity) written from the old ones and the old parity",
        "reconstruct_writes": "rows written after the data that stay were read (reconstruct-write)",
        "full_writes": "rows of which all data were new, so that nothing was read",
        "everything_writes": "rows of which all members were read, to put together what the missing one held",
        "no_parity_writes": "rows whose parity lay on the missing device, so that none was written",
        "degraded_reads": "reads of which a part had to be put together from all other members",
        "accesses_waited": "accesses that waited for others of the same stripe",
        **_BEHIND_PASS,
    },
    "metadata": _METADATA,
    "write-buffer": _WRITE_BUFFER,
    "metadata+write-buffer": {**_METADATA, **_WRITE_BUFFER},
    "virtual-disk": {
        "hits": "pieces of requests whose segment was on the MEMS device",
        "misses": "pieces whose segment was not",
        "fetched_segments": "segments read from the disk",
        "whole_segment_writes": "segments that a write covered, so that nothing was read",
        "evicted_segments": "segments that gave their place to others",
        "written_back_segments": "segments written to the disk",
        "waits_for_slot": "pieces that waited until a place was free",
        "table_writes": "pages of the table written that says where segments are",
        "direct_pieces": "pieces that went to the disk because the MEMS device was gone",
        "resident_segments": "segments on the MEMS device at the end",
        "dirty_sectors": "sectors of segments that are newer there than on the disk at the end",
    },
    "cache": {
        "read_hits": "reads that the memory answered",
        "read_misses": "reads that needed the device",
        "read_waits": "reads that waited for lines on their way",
        "write_hits": "writes that fell on lines in memory",
        "write_misses": "writes that did not",
        "write_waits": "writes that waited: for a free line, or for another write of the same sectors",
        "evicted_lines": "lines that gave their place to others",
        "written_back_parts": "requests that wrote back",
        "written_back_sectors": "sectors that they wrote",
        "read_ahead_sectors": "sectors read ahead",
        "read_ahead_used_lines": "lines read ahead that a read then wanted",
        "read_ahead_unused_lines": "lines read ahead that were evicted unread",
        "dirty_sectors": "sectors that are newer in memory than on the device at the end",
    },
    "merge": {
        "sent_requests": "requests that went to the device",
        "merged_requests": "requests of the host that went along with another one",
    },
}

#: What a device counts under a plan of faults, what one counts whose medium has to be erased, and what one
#: whose logical blocks are larger than a sector of the host.
FAULTS: Mapping[str, str] = {
    "tip_failures": "tips that failed",
    "media_defects": "defects of the medium",
    "regions_under_spare_tips": "parts of tips' regions that spare tips have taken over",
    "regions_missing": "parts of tips' regions that are lost, with no spare for them",
    "slipped_blocks": "blocks that are passed over in the count",
    "blocks_put_elsewhere": "blocks that lie in the reserve",
    "blocks_not_remapped": "blocks for which the reserve had no room",
    "corrected_tip_sectors": "missing tip sectors of blocks that were read which the code made up for",
    "remapped_blocks": "blocks of requests that were under spares or elsewhere",
    "lost_blocks": "blocks of requests that could not be read or written",
    "lost_requests": "requests with such blocks",
}
ERASING: Mapping[str, str] = {
    "erased_blocks": "erase blocks that were erased",
    "copied_blocks": "logical blocks that were read and written again because their erase block was erased",
    "waited_for_cleaning": "requests that waited until what went on behind was over",
    "cleaned_before_writes": "times that a write found no room in the log, and erased first",
}
PARTIAL_WRITES: Mapping[str, str] = {
    "partial_writes": "writes that covered a logical block only in part",
    "blocks_read_before": "logical blocks that were read before they were written, because of that",
    "rows_read_before": "rows that passed for it, which are in `rows` and `transfer_ns` of the requests",
}
#: By what a heading calls them.
DEVICES: Mapping[str, Mapping[str, str]] = {
    "Faults": FAULTS,
    "Erasing": ERASING,
    "Partial writes": PARTIAL_WRITES,
}
