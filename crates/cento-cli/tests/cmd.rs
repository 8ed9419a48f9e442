//! The command line, one case per file: what is typed, what is printed, how it ends.

#[test]
fn cases() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml");
}
