//! Walks over resolved expressions: what they refer to, and replacing parts of them.

use std::collections::BTreeSet;

use crate::attribute::{Attribute, ExprId};
use crate::scalar::Scalar;

/// The expression with every part replaced for which `replace` gives another; outer parts first.
pub fn transform(scalar: &Scalar, replace: &mut impl FnMut(&Scalar) -> Option<Scalar>) -> Scalar {
    if let Some(other) = replace(scalar) {
        return other;
    }
    match scalar {
        Scalar::Column(_) | Scalar::Literal(_) => scalar.clone(),
        Scalar::Cast { child, to, mode } => {
            Scalar::Cast { child: Box::new(transform(child, replace)), to: to.clone(), mode: *mode }
        }
        Scalar::Call { function, args, data_type, nullable } => Scalar::Call {
            function: *function,
            args: args.iter().map(|a| transform(a, replace)).collect(),
            data_type: data_type.clone(),
            nullable: *nullable,
        },
        Scalar::Case { branches, otherwise, data_type } => Scalar::Case {
            branches: branches.iter().map(|(c, v)| (transform(c, replace), transform(v, replace))).collect(),
            otherwise: otherwise.as_ref().map(|o| Box::new(transform(o, replace))),
            data_type: data_type.clone(),
        },
    }
}

/// The parts directly below.
pub fn children(scalar: &Scalar) -> Vec<&Scalar> {
    match scalar {
        Scalar::Column(_) | Scalar::Literal(_) => Vec::new(),
        Scalar::Cast { child, .. } => vec![child],
        Scalar::Call { args, .. } => args.iter().collect(),
        Scalar::Case { branches, otherwise, .. } => {
            branches.iter().flat_map(|(c, v)| [c, v]).chain(otherwise.as_deref()).collect()
        }
    }
}

/// The columns that an expression reads, each once, in order.
pub fn references(scalar: &Scalar) -> Vec<Attribute> {
    fn walk(scalar: &Scalar, seen: &mut BTreeSet<ExprId>, found: &mut Vec<Attribute>) {
        if let Scalar::Column(attribute) = scalar
            && seen.insert(attribute.id)
        {
            found.push(attribute.clone());
        }
        for child in children(scalar) {
            walk(child, seen, found);
        }
    }
    let mut found = Vec::new();
    walk(scalar, &mut BTreeSet::new(), &mut found);
    found
}

/// The expression without names: two that mean the same are equal.
pub fn canonical(scalar: &Scalar) -> Scalar {
    transform(scalar, &mut |part| match part {
        Scalar::Column(attribute) => Some(Scalar::Column(Attribute {
            name: String::new(),
            qualifier: Vec::new(),
            nullable: true,
            watermark_delay: None,
            ..attribute.clone()
        })),
        _ => None,
    })
}
