//! Numbers of the fields of Perfetto's messages that the writer needs.

/// Number of the field of the message `Trace` that holds a packet.
pub(super) const PACKET: u32 = 1;

/// Field numbers of the message `TracePacket`.
pub(super) mod packet {
    pub(in super::super) const CLOCK_SNAPSHOT: u32 = 6;
    pub(in super::super) const TIMESTAMP: u32 = 8;
    pub(in super::super) const SEQUENCE_ID: u32 = 10;
    pub(in super::super) const TRACK_EVENT: u32 = 11;
    pub(in super::super) const INTERNED_DATA: u32 = 12;
    pub(in super::super) const SEQUENCE_FLAGS: u32 = 13;
    pub(in super::super) const DEFAULTS: u32 = 59;
    pub(in super::super) const TRACK_DESCRIPTOR: u32 = 60;
}

/// Field numbers of the message `ClockSnapshot`, and of the message `Clock` inside it.
pub(super) mod clock {
    pub(in super::super) const CLOCKS: u32 = 1;
    pub(in super::super) const ID: u32 = 1;
    pub(in super::super) const TIMESTAMP: u32 = 2;
    pub(in super::super) const IS_INCREMENTAL: u32 = 3;
}

/// Field numbers of the message `TracePacketDefaults`.
pub(super) mod defaults {
    pub(in super::super) const TRACK_EVENT: u32 = 11;
    pub(in super::super) const TIMESTAMP_CLOCK_ID: u32 = 58;
}

/// Field numbers of the message `TrackEvent`; some also belong to `TrackEventDefaults`.
pub(super) mod event {
    pub(in super::super) const ANNOTATIONS: u32 = 4;
    pub(in super::super) const TYPE: u32 = 9;
    pub(in super::super) const NAME_IID: u32 = 10;
    pub(in super::super) const TRACK: u32 = 11;
    pub(in super::super) const EXTRA_VALUES: u32 = 12;
    pub(in super::super) const COUNTER_VALUE: u32 = 30;
    pub(in super::super) const EXTRA_TRACKS: u32 = 31;
}

/// Field numbers of the message `DebugAnnotation`.
pub(super) mod annotation {
    pub(in super::super) const NAME_IID: u32 = 1;
    pub(in super::super) const UINT: u32 = 3;
}

/// Field numbers of the message `InternedData`, and of the messages for names inside it.
pub(super) mod interned {
    pub(in super::super) const EVENT_NAMES: u32 = 2;
    pub(in super::super) const ANNOTATION_NAMES: u32 = 3;
    pub(in super::super) const IID: u32 = 1;
    pub(in super::super) const NAME: u32 = 2;
}

/// Field numbers of the message `TrackDescriptor`.
pub(super) mod track {
    pub(in super::super) const UUID: u32 = 1;
    pub(in super::super) const NAME: u32 = 2;
    pub(in super::super) const PARENT: u32 = 5;
    pub(in super::super) const COUNTER: u32 = 8;
    pub(in super::super) const CHILD_ORDERING: u32 = 11;
    pub(in super::super) const RANK: u32 = 12;
}

/// Field numbers of the message `CounterDescriptor`.
pub(super) mod counter {
    pub(in super::super) const MULTIPLIER: u32 = 4;
    pub(in super::super) const UNIT_NAME: u32 = 6;
}
