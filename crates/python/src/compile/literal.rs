//! Literals: numbers, texts, f-strings.

use num_bigint::BigInt;
use num_traits::Num as _;
use ruff_python_ast::{
    ConversionFlag, ExprFString, ExprNumberLiteral, FStringPart, InterpolatedStringElement, Number,
};
use ruff_python_ast::{InterpolatedElement, InterpolatedStringElements};

use crate::compile::code::{Conversion, Op};
use crate::compile::compiler::Compiler;
use crate::value::Value;

impl<'a> Compiler<'a> {
    pub(crate) fn number(&mut self, node: &ExprNumberLiteral) {
        let value = match &node.value {
            Number::Int(int) => match int.as_i64() {
                Some(i) => Value::Int(i),
                None => {
                    let text: String = int.to_string().replace('_', "").to_lowercase();
                    let (digits, radix) = match text.get(..2) {
                        Some("0x") => (&text[2..], 16),
                        Some("0o") => (&text[2..], 8),
                        Some("0b") => (&text[2..], 2),
                        _ => (&text[..], 10),
                    };
                    BigInt::from_str_radix(digits, radix).map_or(Value::Int(0), Value::big)
                }
            },
            Number::Float(f) => Value::Float(*f),
            Number::Complex { real, imag } => Value::Complex(*real, *imag),
        };
        self.constant(value);
    }

    pub(crate) fn fstring(&mut self, node: &'a ExprFString) {
        let mut parts = 0;
        for part in &node.value {
            match part {
                FStringPart::Literal(literal) => {
                    self.text(&literal.value);
                    parts += 1;
                }
                FStringPart::FString(f) => parts += self.fstring_elements(&f.elements),
            }
        }
        self.emit(Op::BuildString(parts));
    }

    fn fstring_elements(&mut self, elements: &'a InterpolatedStringElements) -> u32 {
        let mut parts = 0;
        for element in elements {
            match element {
                InterpolatedStringElement::Literal(literal) => {
                    self.text(&literal.value);
                    parts += 1;
                }
                InterpolatedStringElement::Interpolation(field) => {
                    if let Some(debug) = &field.debug_text {
                        self.text(debug.as_str());
                        parts += 1;
                    }
                    self.field(field);
                    parts += 1;
                }
            }
        }
        parts
    }

    fn field(&mut self, field: &'a InterpolatedElement) {
        self.expression(&field.expression);
        let debug = field.debug_text.is_some() && field.format_spec.is_none();
        let conversion = match field.conversion {
            ConversionFlag::None if debug => Conversion::Repr,
            ConversionFlag::None => Conversion::None,
            ConversionFlag::Str => Conversion::Str,
            ConversionFlag::Repr => Conversion::Repr,
            ConversionFlag::Ascii => Conversion::Ascii,
        };
        if let Some(spec) = &field.format_spec {
            let parts = self.fstring_elements(&spec.elements);
            self.emit(Op::BuildString(parts));
        }
        self.at(field.range, |c| {
            c.emit(Op::Format(conversion, field.format_spec.is_some()));
        });
    }
}
