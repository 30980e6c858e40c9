use super::*;

#[test]
fn tables_have_no_errors() {
    assert_eq!(builder().build().1, Vec::<String>::new());
}
