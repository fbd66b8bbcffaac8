//! Slabs: tables that give each object a number. The number of a removed object is given to a new object.

const THERE: &str = "the slab must contain an object with this number";

/// A table of objects with numbers. Removing and adding objects allocates memory only when the table needs more
/// places than ever before.
#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    things: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { things: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Adds an object, and returns its number.
    #[inline]
    pub fn insert(&mut self, thing: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.things[number as usize] = Some(thing);
            return number;
        }
        self.things.push(Some(thing));
        self.things.len() as u32 - 1
    }

    /// The number that the next object will get.
    #[inline]
    pub fn next(&self) -> u32 {
        self.free.last().copied().unwrap_or(self.things.len() as u32)
    }

    #[inline]
    pub fn remove(&mut self, number: u32) -> T {
        let thing = self.things[number as usize].take().expect(THERE);
        self.free.push(number);
        thing
    }

    #[inline]
    pub fn get(&self, number: u32) -> &T {
        self.things[number as usize].as_ref().expect(THERE)
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut T {
        self.things[number as usize].as_mut().expect(THERE)
    }

    /// All objects, mutable, with their numbers.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        (0..).zip(&mut self.things).filter_map(|(number, thing)| Some((number, thing.as_mut()?)))
    }

    /// All objects with their numbers, in the order of the numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.things).filter_map(|(number, thing)| Some((number, thing.as_ref()?)))
    }
}
