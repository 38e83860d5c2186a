//! A row of bytes that grows by a field: the keys of joins and sessions.

use bytes::Bytes;
use tidemark_types::DataType;

use crate::state::row::write::{bitset_bytes, fixed_width};

/// A row with one more field at its end, a number or a time. Offsets move by the field's eight bytes.
pub(in crate::state) fn with_last(key: &[u8], types: &[DataType], last: i64) -> Bytes {
    let (fields, bitset) = (types.len(), bitset_bytes(types.len()));
    let head = bitset + 8 * fields;
    let grown = bitset_bytes(fields + 1) - bitset;
    let mut out = Vec::with_capacity(key.len() + 8 + grown);
    out.extend_from_slice(&key[..bitset]);
    out.resize(bitset + grown, 0);
    for (place, data_type) in types.iter().enumerate() {
        let at = bitset + 8 * place;
        let mut word = u64::from_le_bytes(key[at..at + 8].try_into().expect("a field has eight bytes"));
        let null = key[place / 8] & (1 << (place % 8)) != 0;
        if !fixed_width(data_type) && (!null || word != 0) {
            word += (8 + grown as u64) << 32;
        }
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(&last.to_le_bytes());
    out.extend_from_slice(&key[head..]);
    Bytes::from(out)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array, StringArray};

    use super::*;
    use crate::state::row::encode;

    #[test]
    fn a_row_with_a_number_is_a_row_of_one_more_field() {
        let types = [DataType::String, DataType::Long];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(vec![Some("a long key indeed"), None])),
            Arc::new(Int64Array::from(vec![7, 8])),
        ];
        let keys = encode(&types, &columns, 2).expect("the types have a form");
        let mut more = columns.clone();
        more.push(Arc::new(Int64Array::from(vec![5, 5])));
        let wanted = encode(&[DataType::String, DataType::Long, DataType::Long], &more, 2)
            .expect("the types have a form");
        for (key, wanted) in keys.iter().zip(wanted) {
            assert_eq!(with_last(key, &types, 5), wanted);
        }
    }
}
