//! Methods that a wrapper around a device forwards to this device.

/// Implements methods of the trait `Device` by calls of the same methods of a field: `pass_on!(device:
/// extent, idle);` forwards `extent` and `idle` to the field `device`.
macro_rules! pass_on {
    ($held:ident: $($method:ident),+) => {
        $( $crate::device::pass_on!(@$method $held); )+
    };
    (@blocks $held:ident) => { fn blocks(&self) -> u64 { self.$held.blocks() } };
    (@block_bytes $held:ident) => { fn block_bytes(&self) -> u64 { self.$held.block_bytes() } };
    (@begin $held:ident) => { fn begin(&mut self, now: Time) { self.$held.begin(now); } };
    (@coordinates $held:ident) => { fn coordinates(&self, lbn: u64) -> Coordinates { self.$held.coordinates(lbn) } };
    (@extent $held:ident) => { fn extent(&self) -> Extent { self.$held.extent() } };
    (@queue_depth $held:ident) => { fn queue_depth(&self) -> Option<usize> { self.$held.queue_depth() } };
    (@accept $held:ident) => { fn accept(&mut self, now: Time, request: &Request) -> Time { self.$held.accept(now, request) } };
    (@admit $held:ident) => { fn admit(&mut self, now: Time, request: &mut Request) { self.$held.admit(now, request); } };
    (@has_write_cache $held:ident) => { fn has_write_cache(&self) -> bool { self.$held.has_write_cache() } };
    (@flush $held:ident) => { fn flush(&mut self, now: Time, request: &Request) -> Service { self.$held.flush(now, request) } };
    (@go_on $held:ident) => { fn go_on(&mut self, request: &Request, lasts: Span) -> ServiceEnergy { self.$held.go_on(request, lasts) } };
    (@complete $held:ident) => { fn complete(&mut self, now: Time, request: &Request) -> Time { self.$held.complete(now, request) } };
    (@waited_for_bus $held:ident) => { fn waited_for_bus(&self, request: &Request) -> Span { self.$held.waited_for_bus(request) } };
    (@certain $held:ident) => { fn certain(&self, end: Time, request: &Request) -> Option<Time> { self.$held.certain(end, request) } };
    (@location $held:ident) => { fn location(&self) -> Vec<(&'static str, f64)> { self.$held.location() } };
    (@lower_ends $held:ident) => { fn lower_ends(&self) -> Vec<f64> { self.$held.lower_ends() } };
    (@idle_location $held:ident) => { fn idle_location(&self, now: Time) -> Vec<(&'static str, f64)> { self.$held.idle_location(now) } };
    (@idle $held:ident) => { fn idle(&self, lasts: Span) -> IdleTime { self.$held.idle(lasts) } };
    (@counts $held:ident) => { fn counts(&self) -> Vec<(&'static str, f64)> { self.$held.counts() } };
}

pub(crate) use pass_on;
