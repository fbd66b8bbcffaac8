//! The function `schedule_bounds`. It bounds the time in which any order of service can serve a batch of
//! requests.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sledsim::bounds::{bound, serve, Bounds, Certificate, Effort};
use sledsim::device::mems::Mems;
use sledsim::device::{DeviceSpec, Hops};
use sledsim::error::{Error, Result};
use sledsim::params::{DeviceParams, Mechanism};
use sledsim::request::{Op, Request};
use sledsim::sched::Policy;
use sledsim::time::Time;
use sledsim::volume::{HostRequest, Single};

use crate::convert::{fault, Progress};
use crate::device::Device;
use crate::raised::raised_by_python;
use crate::text::Text;

/// Progress at the end of the work, in percent; the observer gets numbers from 0 to this one.
const WHOLE: f64 = 100.0;

/// The result of the search: for each policy, the order in which it serves the batch of requests; the times
/// between any two requests; and bounds on the time of every possible order.
struct Found {
    orders: Vec<(String, Vec<u32>)>,
    hops: Hops,
    bounds: Bounds,
}

#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn schedule_bounds<'py>(
    py: Python<'py>,
    device: &Device,
    lbn: PyReadonlyArray1<'py, i64>,
    blocks: PyReadonlyArray1<'py, i32>,
    write: PyReadonlyArray1<'py, bool>,
    schedulers: Vec<Text>,
    steps: usize,
    changes: u64,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let batch_device = raised_by_python(|| BatchDevice::of(&device.spec))?.map_err(fault)?;
    let sectors = lbn.as_slice()?.iter().zip(blocks.as_slice()?);
    check_end(sectors, device.capacity_sectors()).map_err(fault)?;
    let requests =
        requests(batch_device.block_bytes(), lbn.as_slice()?, blocks.as_slice()?, write.as_slice()?);
    let effort = Effort { steps, changes, seed };
    let mut progress = Progress::new(py, progress)?;
    let result = py
        .detach(|| raised_by_python(|| find(&batch_device, &requests, &schedulers, effort, &mut progress)))?;
    let Found { orders, hops, bounds } = progress.outcome(result)?;
    let schedules = PyDict::new(py);
    for (name, order) in orders {
        let total_ns = hops.total_ns(&order);
        schedules.set_item(name, (order.into_pyarray(py), total_ns))?;
    }
    let all = PyDict::new(py);
    all.set_item("schedules", schedules)?;
    all.set_item("best_ns", hops.total_ns(&bounds.order))?;
    all.set_item("order", bounds.order.into_pyarray(py))?;
    all.set_item("exact", bounds.exact)?;
    set_certificate(py, &all, bounds.certificate)?;
    Ok(all)
}

/// A device for which the time to serve a batch of requests can be bounded.
enum BatchDevice {
    Sled(Box<Mems>),
    Own(Box<dyn sledsim::device::Device>),
}

impl BatchDevice {
    fn of(spec: &DeviceSpec) -> Result<Self> {
        if let DeviceParams::Own(_) = spec.parameters() {
            return Ok(Self::Own(spec.build(1)?.remove(0)));
        }
        let params = spec.parameters().as_mems("the bound of a batch")?;
        if params.mechanism != Mechanism::Sled {
            return Err(Error::Parameter(
                "mechanism: schedule bounds require \"sled\", found \"cantilevers\", on which the positions of the tips depend on more than the last request"
                    .into(),
            ));
        }
        if params.erase_block_kib.is_some() {
            return Err(Error::Parameter(
                "erase_block_kib: schedule bounds require a medium without erase blocks, because these make the place of a block depend on earlier writes"
                    .into(),
            ));
        }
        Ok(Self::Sled(Box::new(Mems::new(params)?)))
    }

    fn device(&self) -> &dyn sledsim::device::Device {
        match self {
            Self::Sled(mems) => &**mems,
            Self::Own(device) => &**device,
        }
    }

    fn block_bytes(&self) -> u64 {
        self.device().block_bytes()
    }

    /// Time at which the service of a batch of requests starts: the time at which all requests of the batch
    /// have entered the queue.
    fn begins(&self, requests: &[Request]) -> Time {
        match self {
            Self::Sled(mems) => mems.all_there(requests),
            Self::Own(_) => Time::ZERO,
        }
    }

    fn hops(&self, requests: &[Request]) -> Result<Hops> {
        match self {
            Self::Sled(mems) => mems.hops(requests),
            Self::Own(device) => Hops::of(&**device, Time::ZERO, requests),
        }
    }
}

fn set_certificate(py: Python<'_>, all: &Bound<'_, PyDict>, certificate: Certificate) -> PyResult<()> {
    all.set_item("lower_bound_ns", certificate.bound_ns())?;
    all.set_item("toll_ns", certificate.toll_ns.into_pyarray(py))?;
    all.set_item("price_ns", certificate.price_ns.into_pyarray(py))?;
    let sets: Vec<_> = certificate.sets.into_iter().map(|set| (set.members, set.price_ns)).collect();
    all.set_item("sets", sets)
}

fn check_end<'a>(requests: impl Iterator<Item = (&'a i64, &'a i32)>, capacity: u64) -> Result<()> {
    for (at, (lbn, blocks)) in requests.enumerate() {
        if *lbn as u64 + *blocks as u64 > capacity {
            return Err(Error::Trace(format!(
                "request {at}: expected a request that ends by block {capacity}, the end of the device, found {blocks} blocks from LBN {lbn} on"
            )));
        }
    }
    Ok(())
}

/// Convert requests in sectors of the host to blocks of a device whose blocks have `block_bytes` bytes.
fn requests(block_bytes: u64, lbn: &[i64], blocks: &[i32], write: &[bool]) -> Vec<Request> {
    let one = |at: usize| {
        let host = HostRequest { traced_device: 0, sector: lbn[at] as u64, sectors: blocks[at] as u32 };
        let part = Single::place(&host, block_bytes);
        let op = if write[at] { Op::Write } else { Op::Read };
        Request { partial: part.partial, ..Request::new(at as u32, part.lbn, part.blocks, op) }
    };
    (0..lbn.len()).map(one).collect()
}

fn find(
    device: &BatchDevice,
    requests: &[Request],
    schedulers: &[Text],
    effort: Effort,
    progress: &mut Progress,
) -> Result<Found> {
    let policies = schedulers.iter().map(|name| Policy::parse(name)).collect::<Result<Vec<_>>>()?;
    let (hops, now) = (device.hops(requests)?, device.begins(requests));
    let order = |policy: &Policy| Ok((policy.name(), serve(device.device(), now, requests, policy)?.0));
    let orders = policies.iter().map(order).collect::<Result<Vec<_>>>()?;
    let best = orders.iter().map(|(_, order)| order).min_by_key(|order| hops.total_ns(order));
    let arrivals: Vec<u32> = (0..requests.len() as u32).collect();
    let known = best.unwrap_or(&arrivals);
    let bounds = bound(&hops, known, effort, &mut |share| progress.report((share * WHOLE) as u64))?;
    Ok(Found { orders, hops, bounds })
}
