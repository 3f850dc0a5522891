//! Setting up positions of Tak: in the rows of TPS, such as `x2,1,21S`.

use agon_core::Player;
use agon_core::scene::{Shape, Token};
use agon_core::setup::Setup;

/// The letters of standing stones and capstones.
const STANDING: [char; 2] = ['S', 'C'];

/// Pieces are placed on stacks.
pub const SETUP: Setup = Setup {
    pieces: &["1", "2", "1S", "2S", "1C", "2C"],
    stacks: true,
    read_row,
    show_row: |row| row.iter().map(|cell| if cell.is_empty() { "x" } else { cell }).collect::<Vec<_>>().join(","),
    put,
    draw,
    sides: Some(['1', '2']),
    hands: false,
};

fn read_row(row: &str) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    for item in row.split(',') {
        if let Some(run) = item.strip_prefix('x') {
            let run = if run.is_empty() { 1 } else { run.parse::<usize>().ok().filter(|n| (1..=8).contains(n))? };
            cells.extend(std::iter::repeat_n(String::new(), run));
        } else {
            let stones = item.trim_end_matches(STANDING);
            if stones.is_empty() || item.len() > stones.len() + 1 || !stones.bytes().all(|b| b == b'1' || b == b'2') {
                return None;
            }
            cells.push(item.to_string());
        }
    }
    Some(cells)
}

fn put(cell: &str, piece: &str) -> String {
    let flat = cell.trim_end_matches(STANDING);
    match piece {
        "." => flat[..flat.len().saturating_sub(1)].to_string(),
        // No piece can stand on a wall or a capstone, so it becomes a flat.
        piece => format!("{flat}{piece}"),
    }
}

fn draw(cell: &str) -> Vec<Token> {
    let standing = match cell.as_bytes().last() {
        Some(b'S') => Some(Shape::Wall),
        Some(b'C') => Some(Shape::Cap),
        _ => None,
    };
    let stones: Vec<u8> = cell.bytes().filter(u8::is_ascii_digit).collect();
    let token = |(i, stone): (usize, &u8)| {
        let owner = if *stone == b'1' { Player::First } else { Player::Second };
        let top = standing.filter(|_| i + 1 == stones.len());
        Token::new(top.unwrap_or(Shape::Flat), owner, char::from(*stone))
    };
    stones.iter().enumerate().map(token).collect()
}
