//! The moments of a branch in their order, and the runs that are kept at some of them.
//!
//! A moment holds all that is drawn: World, lanes, script. The driver with its Python machine, session and queries is
//! larger and is kept at keyframes only; between two of them it is made again by replay.

use std::ops::Deref;
use std::rc::Rc;

use imbl::OrdMap;

use super::aside::Aside;
use super::{Goal, Pause};
use crate::driver::Driver;
use crate::moment::Moment;

/// A moment in its branch.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(super) moment: Rc<Moment>,
    /// How many acts had been done, the one that led here included.
    pub(crate) acts: usize,
    /// How many moments the act that led here had made before this one.
    pub(crate) step: usize,
}

impl Deref for Entry {
    type Target = Moment;

    fn deref(&self) -> &Moment {
        &self.moment
    }
}

/// What a run is made of that no picture shows: enough to go on from a moment.
#[derive(Clone, Debug)]
pub(crate) struct Keyframe {
    pub(super) driver: Option<Driver>,
    pub(super) aside: Option<Aside>,
    pub(super) goal: Option<Goal>,
    pub(super) pause: Option<Pause>,
    pub(super) again: bool,
    pub(super) rows: u64,
}

/// The keyframes of a branch, by their moments.
#[derive(Clone, Debug)]
pub(crate) struct Keyframes {
    kept: OrdMap<usize, Rc<Keyframe>>,
    every: usize,
}

impl Default for Keyframes {
    fn default() -> Self {
        Keyframes { kept: OrdMap::new(), every: Keyframes::EVERY }
    }
}

impl Keyframes {
    /// Moments from one keyframe to the next in a short branch.
    pub(crate) const EVERY: usize = 8;
    /// Keyframes of a branch at most: when there are more, every second one goes and the distance doubles.
    pub(crate) const MAX: usize = 64;

    /// Whether a run is to be kept at a moment.
    pub(super) fn wants(&self, index: usize) -> bool {
        index.is_multiple_of(self.every) && !self.kept.contains_key(&index)
    }

    /// Keeps a run at a moment.
    pub(super) fn keep(&mut self, index: usize, keyframe: Keyframe) {
        self.kept.insert(index, Rc::new(keyframe));
        while self.kept.len() > Keyframes::MAX {
            self.every *= 2;
            let every = self.every;
            self.kept = self.filtered(|index| index.is_multiple_of(every));
        }
    }

    /// The newest one that is not behind a moment.
    pub(super) fn nearest(&self, index: usize) -> Option<(usize, &Keyframe)> {
        self.kept.range(..=index).next_back().map(|(at, keyframe)| (*at, keyframe.as_ref()))
    }

    /// Those up to a moment.
    pub(super) fn up_to(&self, index: usize) -> Keyframes {
        Keyframes { kept: self.filtered(|at| at <= index), every: self.every }
    }

    fn filtered(&self, holds: impl Fn(usize) -> bool) -> OrdMap<usize, Rc<Keyframe>> {
        self.kept.iter().filter(|(at, _)| holds(**at)).map(|(at, kept)| (*at, kept.clone())).collect()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}
