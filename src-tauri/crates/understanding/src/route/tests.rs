use super::*;

#[test]
fn tables_have_no_errors() {
    assert_eq!(tables::builder().build().1, Vec::<String>::new());
}
