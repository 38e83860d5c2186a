//! The pictures and the parts of the last panel, as lists: what stands here can be chosen.

/// A picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The batches and their ten steps.
    Lane,
    /// Event time across, batches up.
    Time,
    /// One query in the three output modes.
    Modes,
    /// Two branches side by side.
    Compare,
    /// What came of each crash.
    Sweep,
    /// Spark's measures on the axis of the rail.
    Numbers,
}

/// A picture that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TabRow {
    /// Which.
    pub tab: Tab,
    /// Its word.
    pub word: &'static str,
    /// Its key.
    pub key: &'static str,
    /// Whether it takes the place of the row of evidence too.
    pub is_full: bool,
}

/// The pictures in their order. Keys belong to pictures, so that they stay when others join.
pub const TABS: &[TabRow] = &[
    TabRow { tab: Tab::Lane, word: "Lane", key: "1", is_full: false },
    TabRow { tab: Tab::Time, word: "Time", key: "2", is_full: true },
    TabRow { tab: Tab::Modes, word: "Output modes", key: "3", is_full: true },
    TabRow { tab: Tab::Compare, word: "Compare", key: "4", is_full: true },
    TabRow { tab: Tab::Sweep, word: "Crash sweep", key: "5", is_full: true },
    TabRow { tab: Tab::Numbers, word: "Numbers", key: "6", is_full: true },
];

/// What the last panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The rows of the tables.
    Sink,
    /// What the queries remember.
    State,
    /// Where the time of the batches went, and Spark's last entry.
    Progress,
    /// What the store was asked for, and what that costs.
    Bill,
}

/// A part of the last panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartRow {
    /// Which.
    pub part: Evidence,
    /// Its word.
    pub word: &'static str,
    /// What it holds, for a screen reader.
    pub label: &'static str,
}

/// The parts of the last panel in their order.
pub const PARTS: &[PartRow] = &[
    PartRow { part: Evidence::Sink, word: "Sink", label: "Rows of the sink" },
    PartRow { part: Evidence::State, word: "State", label: "State of the queries" },
    PartRow { part: Evidence::Progress, word: "Progress", label: "Progress of the queries" },
    PartRow { part: Evidence::Bill, word: "Bill", label: "Bill of the batches" },
];

/// The row of a picture.
pub fn row_of(tab: Tab) -> &'static TabRow {
    TABS.iter().find(|row| row.tab == tab).unwrap_or(&TABS[0])
}
