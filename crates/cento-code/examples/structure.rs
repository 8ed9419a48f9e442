//! Prints the terms of programs: `structure letters|structure FILE...`, one line for each file.
#![allow(clippy::print_stdout, clippy::print_stderr)]

fn main() {
    let mut arguments = std::env::args().skip(1);
    let view = arguments.next().unwrap_or_default();
    for name in arguments {
        let text = String::from_utf8_lossy(&std::fs::read(&name).unwrap_or_default()).into_owned();
        let Some(language) = cento_code::Language::of_file(&name, &text) else {
            eprintln!("{name}: not a program");
            continue;
        };
        match cento_code::parse(&text, language) {
            Ok(program) => {
                let tokens = if view == "letters" {
                    &program.letters
                } else {
                    &program.structure
                };
                let terms: Vec<&str> = program.terms_of(tokens).collect();
                println!("{name}\t{}", terms.join(" "));
            }
            Err(refusal) => eprintln!("{name}: {refusal}"),
        }
    }
}
