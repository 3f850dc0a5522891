//! The counters of edges are announced to `src/counters.rs` instead of libFuzzer.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for symbol in ["__sanitizer_cov_8bit_counters_init", "__sanitizer_cov_pcs_init"] {
        println!("cargo:rustc-link-arg-bins=-Wl,--wrap={symbol}");
    }
}
