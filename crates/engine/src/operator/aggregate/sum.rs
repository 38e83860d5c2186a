//! `sum` and `avg` over longs, doubles and decimals.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, Decimal128Array, Float64Array, Int64Array,
};
use arrow::datatypes::{DataType as Arrow, Decimal128Type, Float32Type, Float64Type, Int64Type};

use crate::error::Result;
use crate::kernel::{Exact, Value, arithmetic_overflow, decimal_out_of_range, typed, widen};
use crate::operator::aggregate::accumulator::Accumulator;

/// Calls `each` with the group and the value of every row that is not null.
fn visit<T: ArrowPrimitiveType>(
    groups: &[u32],
    column: &ArrayRef,
    mut each: impl FnMut(usize, T::Native) -> Result<()>,
) -> Result<()> {
    let array = column.as_primitive::<T>();
    for (row, (group, value)) in groups.iter().zip(array.values()).enumerate() {
        if array.is_valid(row) {
            each(*group as usize, *value)?;
        }
    }
    Ok(())
}

fn is_void(column: &ArrayRef) -> bool {
    matches!(column.data_type(), Arrow::Null)
}

/// A numeric column as doubles.
fn doubles(column: &ArrayRef) -> ArrayRef {
    match column.data_type() {
        Arrow::Float64 => column.clone(),
        Arrow::Float32 => Arc::new(column.as_primitive::<Float32Type>().unary::<_, Float64Type>(f64::from)),
        _ => {
            let wide = widen(&Value::array(column.clone()));
            Arc::new(wide.inner().as_primitive::<Int64Type>().unary::<_, Float64Type>(|v| v as f64))
        }
    }
}

/// `sum` of integers.
#[derive(Debug, Default)]
pub(crate) struct SumLong {
    sums: Vec<Option<i64>>,
}

impl SumLong {
    fn add(&mut self, groups: &[u32], column: &ArrayRef) -> Result<()> {
        if is_void(column) {
            return Ok(());
        }
        let wide = widen(&Value::array(column.clone()));
        visit::<Int64Type>(groups, wide.inner(), |group, value| {
            let sum = self.sums[group].unwrap_or(0).checked_add(value);
            self.sums[group] = Some(sum.ok_or_else(|| arithmetic_overflow("overflow", "try_add"))?);
            Ok(())
        })
    }
}

impl Accumulator for SumLong {
    fn resize(&mut self, groups: usize) {
        self.sums.resize(groups, None);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        self.add(groups, &args[0])
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        self.add(groups, &buffers[0])
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        Ok(Arc::new(Int64Array::from(self.sums.clone())))
    }
}

/// `sum` of floats and doubles.
#[derive(Debug, Default)]
pub(crate) struct SumDouble {
    sums: Vec<Option<f64>>,
}

impl SumDouble {
    fn add(&mut self, groups: &[u32], column: &ArrayRef) -> Result<()> {
        if is_void(column) {
            return Ok(());
        }
        visit::<Float64Type>(groups, &doubles(column), |group, value| {
            self.sums[group] = Some(self.sums[group].unwrap_or(0.0) + value);
            Ok(())
        })
    }
}

impl Accumulator for SumDouble {
    fn resize(&mut self, groups: usize) {
        self.sums.resize(groups, None);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        self.add(groups, &args[0])
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        self.add(groups, &buffers[0])
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        Ok(Arc::new(Float64Array::from(self.sums.clone())))
    }
}

/// A sum of decimals: nothing yet, a value, or too large for its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DecimalSum {
    Empty,
    Value(i128),
    Overflow,
}

impl DecimalSum {
    fn plus(self, value: i128, precision: u8) -> DecimalSum {
        let before = match self {
            DecimalSum::Empty => 0,
            DecimalSum::Value(sum) => sum,
            DecimalSum::Overflow => return self,
        };
        match before.checked_add(value).filter(|sum| Exact::new(*sum, 0).fit(precision, 0).is_some()) {
            Some(sum) => DecimalSum::Value(sum),
            None => DecimalSum::Overflow,
        }
    }

    fn value(self) -> Option<i128> {
        match self {
            DecimalSum::Value(sum) => Some(sum),
            DecimalSum::Empty | DecimalSum::Overflow => None,
        }
    }
}

/// `sum` of decimals: ten digits more than its argument has.
#[derive(Debug)]
pub(crate) struct SumDecimal {
    precision: u8,
    scale: i8,
    sums: Vec<DecimalSum>,
}

impl SumDecimal {
    /// A sum of this type.
    pub(crate) fn new(precision: u8, scale: i8) -> Self {
        SumDecimal { precision, scale, sums: Vec::new() }
    }

    fn column(&self) -> Result<ArrayRef> {
        let sums: Vec<Option<i128>> = self.sums.iter().map(|s| s.value()).collect();
        typed(Decimal128Array::from(sums), self.precision, self.scale)
    }
}

impl Accumulator for SumDecimal {
    fn resize(&mut self, groups: usize) {
        self.sums.resize(groups, DecimalSum::Empty);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        let precision = self.precision;
        visit::<Decimal128Type>(groups, &args[0], |group, value| {
            self.sums[group] = self.sums[group].plus(value, precision);
            Ok(())
        })
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        let sums = buffers[0].as_primitive::<Decimal128Type>();
        let empties = buffers[1].as_boolean();
        for (row, group) in groups.iter().enumerate() {
            let own = &mut self.sums[*group as usize];
            if sums.is_valid(row) && !empties.value(row) {
                *own = own.plus(sums.value(row), self.precision);
            } else if !empties.value(row) {
                *own = DecimalSum::Overflow;
            }
        }
        Ok(())
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        let sums: Vec<Option<i128>> =
            self.sums.iter().map(|s| if *s == DecimalSum::Empty { Some(0) } else { s.value() }).collect();
        let empties: BooleanArray = self.sums.iter().map(|s| Some(*s == DecimalSum::Empty)).collect();
        Ok(vec![typed(Decimal128Array::from(sums), self.precision, self.scale)?, Arc::new(empties)])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        if self.sums.contains(&DecimalSum::Overflow) {
            return Err(arithmetic_overflow("Overflow in sum of decimals", "try_sum"));
        }
        self.column()
    }
}

/// `avg` of numbers but decimals.
#[derive(Debug, Default)]
pub(crate) struct AverageDouble {
    sums: Vec<f64>,
    counts: Vec<i64>,
}

impl Accumulator for AverageDouble {
    fn resize(&mut self, groups: usize) {
        self.sums.resize(groups, 0.0);
        self.counts.resize(groups, 0);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        if is_void(&args[0]) {
            return Ok(());
        }
        visit::<Float64Type>(groups, &doubles(&args[0]), |group, value| {
            self.sums[group] += value;
            self.counts[group] += 1;
            Ok(())
        })
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        visit::<Float64Type>(groups, &buffers[0], |group, value| {
            self.sums[group] += value;
            Ok(())
        })?;
        visit::<Int64Type>(groups, &buffers[1], |group, value| {
            self.counts[group] += value;
            Ok(())
        })
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        let sums: ArrayRef = Arc::new(Float64Array::from(self.sums.clone()));
        Ok(vec![sums, Arc::new(Int64Array::from(self.counts.clone()))])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        let averages: Float64Array = self
            .sums
            .iter()
            .zip(&self.counts)
            .map(|(sum, count)| (*count > 0).then(|| sum / *count as f64))
            .collect();
        Ok(Arc::new(averages))
    }
}

/// `avg` of decimals: four digits more behind the point.
#[derive(Debug)]
pub(crate) struct AverageDecimal {
    sum: SumDecimal,
    counts: Vec<i64>,
    precision: u8,
    scale: i8,
}

impl AverageDecimal {
    /// The sum has the first type, the average the second.
    pub(crate) fn new(sum_precision: u8, sum_scale: i8, precision: u8, scale: i8) -> Self {
        AverageDecimal {
            sum: SumDecimal::new(sum_precision, sum_scale),
            counts: Vec::new(),
            precision,
            scale,
        }
    }
}

impl Accumulator for AverageDecimal {
    fn resize(&mut self, groups: usize) {
        self.sum.resize(groups);
        self.counts.resize(groups, 0);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        self.sum.update(groups, args)?;
        visit::<Decimal128Type>(groups, &args[0], |group, _| {
            self.counts[group] += 1;
            Ok(())
        })
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        let sums = buffers[0].as_primitive::<Decimal128Type>();
        let counts = buffers[1].as_primitive::<Int64Type>();
        for (row, group) in groups.iter().enumerate() {
            let own = &mut self.sum.sums[*group as usize];
            self.counts[*group as usize] += counts.value(row);
            if sums.is_null(row) {
                *own = DecimalSum::Overflow;
            } else if counts.value(row) > 0 {
                *own = own.plus(sums.value(row), self.sum.precision);
            }
        }
        Ok(())
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        let sums = self.sum.buffers()?.remove(0);
        Ok(vec![sums, Arc::new(Int64Array::from(self.counts.clone()))])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        let mut out = Vec::with_capacity(self.counts.len());
        for (sum, count) in self.sum.sums.iter().zip(&self.counts) {
            match sum {
                DecimalSum::Empty => out.push(None),
                DecimalSum::Overflow => {
                    return Err(arithmetic_overflow("Overflow in sum of decimals", "try_avg"));
                }
                DecimalSum::Value(value) => {
                    let exact = Exact::new(*value, self.sum.scale).over(*count, i32::from(self.scale));
                    let fitted = exact.and_then(|e| e.fit(self.precision, self.scale));
                    out.push(Some(fitted.ok_or_else(|| {
                        decimal_out_of_range(
                            &exact.map_or_else(String::new, Exact::plain),
                            self.precision,
                            self.scale,
                        )
                    })?));
                }
            }
        }
        typed(Decimal128Array::from(out), self.precision, self.scale)
    }
}
