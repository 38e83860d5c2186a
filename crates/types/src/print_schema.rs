//! The tree of `printSchema` and the one line of `DataFrame[…]`.

use crate::data_type::DataType;
use crate::schema::StructType;

impl StructType {
    /// The text of `df.printSchema()`, with its line end.
    pub fn tree_string(&self) -> String {
        let mut text = String::from("root\n");
        fields(self, " |", &mut text);
        text
    }

    /// The text of a DataFrame in PySpark: `DataFrame[id: int, user: string]`.
    pub fn frame_text(&self) -> String {
        let columns: Vec<String> =
            self.fields.iter().map(|f| format!("{}: {}", f.name, f.data_type.simple_string())).collect();
        format!("DataFrame[{}]", columns.join(", "))
    }
}

fn fields(schema: &StructType, prefix: &str, text: &mut String) {
    for field in &schema.fields {
        let name = type_name(&field.data_type);
        text.push_str(&format!("{prefix}-- {}: {name} (nullable = {})\n", field.name, field.nullable));
        below(&field.data_type, prefix, text);
    }
}

fn type_name(data_type: &DataType) -> String {
    data_type.type_name()
}

fn below(data_type: &DataType, prefix: &str, text: &mut String) {
    let inner = format!("{prefix}    |");
    match data_type {
        DataType::Array(element, nulls) => {
            text.push_str(&format!("{inner}-- element: {} (containsNull = {nulls})\n", type_name(element)));
            below(element, &inner, text);
        }
        DataType::Map(key, value, nulls) => {
            text.push_str(&format!("{inner}-- key: {}\n", type_name(key)));
            below(key, &inner, text);
            text.push_str(&format!("{inner}-- value: {} (valueContainsNull = {nulls})\n", type_name(value)));
            below(value, &inner, text);
        }
        DataType::Struct(schema) => fields(schema, &inner, text),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_sparks() {
        let schema = StructType::from_ddl("id INT NOT NULL, tags ARRAY<STRUCT<x: INT, y: DECIMAL(5,2)>>, m MAP<STRING, ARRAY<BIGINT>>, s STRUCT<t: TIMESTAMP>")
            .expect("the text is good");
        let tree = "root
 |-- id: integer (nullable = false)
 |-- tags: array (nullable = true)
 |    |-- element: struct (containsNull = true)
 |    |    |-- x: integer (nullable = true)
 |    |    |-- y: decimal(5,2) (nullable = true)
 |-- m: map (nullable = true)
 |    |-- key: string
 |    |-- value: array (valueContainsNull = true)
 |    |    |-- element: long (containsNull = true)
 |-- s: struct (nullable = true)
 |    |-- t: timestamp (nullable = true)
";
        assert_eq!(schema.tree_string(), tree);
        assert_eq!(
            StructType::from_ddl("a INT, b STRING").expect("good").frame_text(),
            "DataFrame[a: int, b: string]"
        );
    }
}
