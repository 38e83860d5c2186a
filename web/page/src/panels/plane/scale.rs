//! Where things lie on the plane: shares of the width for event time, pixels for the bands.

use tidemark_protocol::{PlaneView, PlaneWindow};

/// The height of a band that has run, and where one of them has much to say.
const BAND: (i64, i64) = (48, 64);
/// A sentence of more letters takes more than three lines.
const SENTENCE: usize = 120;
/// The height of the band that comes next.
const NEXT: i64 = 34;

/// The scale of one picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    from: i64,
    to: i64,
    /// Upper edge and height of each band, in the order of the view.
    bands: Vec<(i64, i64)>,
    /// The height of all.
    pub(super) height: i64,
    /// The ticks of the axis.
    pub(super) ticks: Vec<i64>,
}

impl Scale {
    /// The scale that holds all rows, lines and windows.
    pub(super) fn of(plane: &PlaneView) -> Scale {
        let rows = plane.rows.iter().filter_map(|row| row.event);
        let lines = plane.bands.iter().flat_map(|band| [band.filter, band.evict]).flatten();
        let windows = plane.windows.iter().flat_map(|window| [window.start, window.end]);
        let times: Vec<i64> = rows.chain(lines).chain(windows).collect();
        let (low, high) = match (times.iter().min(), times.iter().max()) {
            (Some(low), Some(high)) => (*low, *high),
            _ => (0, 60_000),
        };
        let every = step(plane, high - low);
        let pad = (every / 2).max((high - low) / 20).max(1);
        let (from, to) = (low - pad, high + pad);
        let first = from.div_euclid(every) * every + if from.rem_euclid(every) == 0 { 0 } else { every };
        let count = if first > to { 0 } else { (to - first) / every.max(1) + 1 };
        let ticks = (0..count).map(|n| first + n * every).collect();
        let is_long = plane.bands.iter().any(|band| band.sentence.len() > SENTENCE);
        let of_band = if is_long { BAND.1 } else { BAND.0 };
        let heights: Vec<i64> =
            plane.bands.iter().map(|band| if band.next { NEXT } else { of_band }).collect();
        let height = heights.iter().sum();
        let mut below = height;
        let bands = heights
            .into_iter()
            .map(|high| {
                below -= high;
                (below, high)
            })
            .collect();
        Scale { from, to, bands, height, ticks }
    }

    /// How far across a time lies, in per cent.
    pub(super) fn x(&self, time: i64) -> f64 {
        let share = (time - self.from) as f64 / (self.to - self.from).max(1) as f64;
        (share * 10_000.0).round() / 100.0
    }

    /// How many milliseconds a share of the width is.
    pub(super) fn span(&self, share: f64) -> i64 {
        ((self.to - self.from) as f64 * share) as i64
    }

    /// Upper edge and height of a band, in pixels.
    pub(super) fn band(&self, at: usize) -> (i64, i64) {
        self.bands.get(at).copied().unwrap_or((0, 0))
    }
}

/// The distance of two ticks: the windows' own grid if there is one, else a round time, at most nine to a picture.
fn step(plane: &PlaneView, span: i64) -> i64 {
    const ROUND: [i64; 15] = [
        1_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
        7_200_000, 21_600_000, 43_200_000, 86_400_000,
    ];
    let grid = match plane.windows.first() {
        Some(PlaneWindow { start, end, key, .. }) if key.is_empty() => end - start,
        _ => 1,
    };
    if grid > 1 && span / grid <= 9 {
        return grid;
    }
    ROUND.into_iter().find(|every| span / every <= 9).unwrap_or(86_400_000 * (span / 86_400_000 / 9 + 1))
}

/// The path of a staircase: the line of each band, from the oldest up.
pub(super) fn staircase(scale: &Scale, lines: &[Option<i64>]) -> String {
    let mut path = String::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(line) = line else { continue };
        let (top, height) = scale.band(at);
        let x = scale.x(*line) * 10.0;
        if path.is_empty() {
            path = format!("M0 {}", top + height);
        }
        path.push_str(&format!(" H{x:.1} V{top}"));
    }
    path
}

/// In which row of the results each window lies, so that none covers another.
pub(super) fn rows_of(windows: &[PlaneWindow]) -> Vec<usize> {
    let mut ends: Vec<i64> = Vec::new();
    windows
        .iter()
        .map(|window| {
            let free = ends.iter().position(|end| *end <= window.start);
            let row = free.unwrap_or(ends.len());
            if row == ends.len() {
                ends.push(window.end);
            } else {
                ends[row] = window.end;
            }
            row
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Scale, rows_of, staircase};
    use tidemark_protocol::{PlaneBand, PlaneView, PlaneWindow};
    use tidemark_types::SimTime;

    fn window(start: i64, end: i64) -> PlaneWindow {
        PlaneWindow {
            start,
            end,
            key: String::new(),
            left: None,
            values: vec![],
            grew: vec![],
            now: String::new(),
            why: None,
        }
    }

    fn band(batch: i64, evict: Option<i64>) -> PlaneBand {
        let at = SimTime(0);
        PlaneBand {
            batch,
            next: false,
            at,
            files: vec![],
            filter: None,
            evict,
            sets: None,
            sentence: String::new(),
        }
    }

    #[test]
    fn windows_that_overlap_lie_in_rows() {
        let lanes = rows_of(&[window(0, 10), window(5, 15), window(10, 20), window(12, 22)]);
        assert_eq!(lanes, [0, 1, 0, 2]);
    }

    #[test]
    fn the_newest_band_is_on_top_and_the_line_climbs() {
        let bands = vec![band(0, None), band(1, Some(600_000)), band(2, Some(1_200_000))];
        let windows = vec![window(0, 600_000), window(600_000, 1_200_000)];
        let plane = PlaneView { bands, windows, ..PlaneView::default() };
        let scale = Scale::of(&plane);
        assert_eq!((scale.height, scale.band(0).0, scale.band(2).0), (144, 96, 0));
        assert_eq!(scale.ticks, [0, 600_000, 1_200_000]);
        let path = staircase(&scale, &[None, Some(600_000), Some(1_200_000)]);
        assert_eq!(path, "M0 96 H500.0 V48 H833.3 V0");
    }
}
