#!/usr/bin/env python3
"""An engine for Connect Four that speaks UGI: it wins at once, blocks, or plays near the middle."""
import sys

columns, rows, start = 7, 6, "......./......./......./......./......./......."


def wins(board, col, row, who):
    """Four in a line through this cell, which who has just filled."""
    for dc, dr in (1, 0), (0, 1), (1, 1), (1, -1):
        run = 1
        for sign in 1, -1:
            c, r = col + sign * dc, row + sign * dr
            while 0 <= c < columns and 0 <= r < rows and board[r][c] == who:
                run, c, r = run + 1, c + sign * dc, r + sign * dr
        if run >= 4:
            return True
    return False


def landing(board, col):
    return next((r for r in range(rows - 1, -1, -1) if board[r][col] == "."), None)


board, turn = [list(row) for row in start.split("/")], "X"
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name middle\noption name Game type string default drop:7,6,4\nugiok")
    elif word == "isready":
        print("readyok")
    elif word == "position":
        text, moves = " ".join(rest).partition(" moves")[::2]
        board = [list(row) for row in (start if text == "startpos" else text[4:]).split("/")]
        columns, rows = len(board[0]), len(board)
        for move in moves.split():
            count = sum(cell != "." for row in board for cell in row)
            board[landing(board, ord(move) - 97)][ord(move) - 97] = "XO"[count % 2]
        turn = "XO"[sum(cell != "." for row in board for cell in row) % 2]
    elif word == "go":
        free = sorted((c for c in range(columns) if board[0][c] == "."), key=lambda c: abs(2 * c + 1 - columns))
        good = [c for who in (turn, "XO"[turn == "X"]) for c in free if wins(board, c, landing(board, c), who)]
        print("bestmove", chr(97 + (good or free)[0]))
    elif word == "quit":
        break
    sys.stdout.flush()
