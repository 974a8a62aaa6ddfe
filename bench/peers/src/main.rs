//! Times two Rust peers in memory over one sample of statements.
//!
//! Usage: `peers SAMPLE ROUNDS`. SAMPLE holds one record after another, each the length of its text in
//! decimal, a line feed, the text, a line feed. Printed is one JSON object a measured path:
//! `{"tool", "what", "accepted": [0 or 1 a statement], "ns": [one number a statement]}`, the number being the
//! median of ROUNDS timings. What is timed is one call over one text, as the peer's users make it, and
//! the release of its result.

use std::hint::black_box;
use std::time::Instant;

use flowscope_core::{analyze, AnalyzeRequest, Dialect, Severity};
use sqlparser::dialect::HiveDialect;
use sqlparser::parser::Parser;

/// The texts of a sample file.
fn read_sample(path: &str) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut texts = Vec::new();
    let mut rest = &bytes[..];
    while let Some(end) = rest.iter().position(|&b| b == b'\n') {
        let length: usize = std::str::from_utf8(&rest[..end]).unwrap().parse().unwrap();
        let start = end + 1;
        texts.push(String::from_utf8(rest[start..start + length].to_vec()).unwrap());
        rest = &rest[start + length + 1..];
    }
    texts
}

/// Times `run`, which says whether it accepted its input, over every input; prints the medians.
fn measure<T>(tool: &str, what: &str, inputs: &[T], rounds: usize, run: impl Fn(&T) -> bool) {
    // The first round only warms up.
    let accepted: Vec<u8> = inputs.iter().map(|input| u8::from(run(input))).collect();
    let mut taken = vec![Vec::with_capacity(rounds); inputs.len()];
    for _ in 0..rounds {
        for (input, times) in inputs.iter().zip(taken.iter_mut()) {
            let begin = Instant::now();
            black_box(run(black_box(input)));
            times.push(begin.elapsed().as_nanos() as u64);
        }
    }
    let medians: Vec<u64> = taken
        .iter_mut()
        .map(|times| {
            times.sort_unstable();
            times[times.len() / 2]
        })
        .collect();
    println!("{{\"tool\": \"{tool}\", \"what\": \"{what}\", \"accepted\": {accepted:?}, \"ns\": {medians:?}}}");
}

fn request(sql: &str) -> AnalyzeRequest {
    AnalyzeRequest {
        sql: sql.to_string(),
        files: None,
        dialect: Dialect::Hive,
        source_name: None,
        options: None,
        schema: None,
        template_config: None,
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let texts = read_sample(&args[1]);
    let rounds: usize = args[2].parse().expect("ROUNDS is a number");

    measure("sqlparser", "parse", &texts, rounds, |sql| Parser::parse_sql(&HiveDialect {}, sql).is_ok());

    let requests: Vec<AnalyzeRequest> = texts.iter().map(|sql| request(sql)).collect();
    measure("flowscope", "lineage", &requests, rounds, |request| {
        analyze(request).issues.iter().all(|issue| issue.severity != Severity::Error)
    });
}
