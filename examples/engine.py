#!/usr/bin/env python3
"""An engine for Connect Four that speaks UGI: it wins at once, blocks, or plays near the middle."""
import sys


def landing(board, col):
    """The row of the cell where a piece comes to rest."""
    return max(row for row in range(len(board)) if board[row][col] == ".")


def wins(board, col, mark):
    """Whether a piece in this column makes four in a line."""
    row = landing(board, col)
    marked = {(x, y) for y, cells in enumerate(board) for x, cell in enumerate(cells) if cell == mark} | {(col, row)}
    lines = [[(col + i * dx, row + i * dy) for i in range(-3, 4)] for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]]
    return any(marked.issuperset(line[at : at + 4]) for line in lines for at in range(4))


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name middle\noption name Game type string default drop:7,6,4\nugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        text, moves = " ".join(rest).partition(" moves")[::2]
        board = [list(row) for row in ("/".join(6 * [7 * "."]) if text == "startpos" else text[4:]).split("/")]
        marks = ["X", "O"] if text.count("X") == text.count("O") else ["O", "X"]
        for move in moves.split():
            board[landing(board, ord(move) - ord("a"))][ord(move) - ord("a")] = marks[0]
            marks.reverse()
    elif word == "go":
        middle = len(board[0]) / 2 - 0.5
        free = sorted((col for col, cell in enumerate(board[0]) if cell == "."), key=lambda col: abs(col - middle))
        good = [col for mark in marks for col in free if wins(board, col, mark)]
        print("bestmove", chr(ord("a") + (good or free)[0]), flush=True)
    elif word == "quit":
        break
