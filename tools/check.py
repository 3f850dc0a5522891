#!/usr/bin/env python3
"""A second checker for agon's certificates, written from docs/certificates.md alone.

It needs Python 3 and nothing else, and shares no code with agon: the hash, the rules of the games and the checks
are its own. It answers one line a file: proved, refuted, corrupt, or unsupported where it lacks the rules.

usage: check.py [--json] FILE|DIRECTORY...
exit codes: 0 all proved, 1 any unsupported, 2 usage, 3 any refuted, 4 any corrupt; the highest applies
"""
import json
import os
import re
import struct
import sys
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from operator import itemgetter

class Corrupt(Exception):
    """The file is not what a writer of certificates would write."""

class Refuted(Exception):
    """The file is well-formed but does not prove its claim."""

class Unsupported(Exception):
    """The rules of the game are not known here."""

# ---------------------------------------------------------------------------------------------------- BLAKE3

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
WORD = 0xFFFFFFFF

def mixing_schedule():
    """The 56 mixing steps of a compression: four places of the state and two words of the block each."""
    places = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)]
    places += [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    order, steps = list(range(16)), []
    for _ in range(7):
        steps += [(*place, order[2 * i], order[2 * i + 1]) for i, place in enumerate(places)]
        order = [order[i] for i in (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)]
    return steps

MIXING = mixing_schedule()

def compress(chain, block, counter, length, flags):
    v = [*chain, *IV[:4], counter & WORD, counter >> 32, length, flags]
    for a, b, c, d, x, y in MIXING:
        va, vb, vc, vd = v[a], v[b], v[c], v[d]
        for word, right, left in ((block[x], 16, 12), (block[y], 8, 7)):
            va = (va + vb + word) & WORD
            vd ^= va
            vd = (vd >> right | vd << 32 - right) & WORD
            vc = (vc + vd) & WORD
            vb ^= vc
            vb = (vb >> left | vb << 32 - left) & WORD
        v[a], v[b], v[c], v[d] = va, vb, vc, vd
    return [v[i] ^ v[i + 8] for i in range(8)]

def blake3(data):
    words = struct.Struct('<16I').unpack

    def chunk(index, flags):
        part, chain = data[index * 1024:index * 1024 + 1024], IV
        last = max(0, (len(part) - 1) // 64)
        for i in range(last + 1):
            piece = part[i * 64:i * 64 + 64]
            flag = (CHUNK_START if i == 0 else 0) | (CHUNK_END | flags if i == last else 0)
            chain = compress(chain, words(piece.ljust(64, b'\0')), index, len(piece), flag)
        return chain

    def tree(first, count, flags):
        if count == 1:
            return chunk(first, flags)
        left = 1 << (count - 1).bit_length() - 1
        return compress(IV, tree(first, left, 0) + tree(first + left, count - left, 0), 0, 64, PARENT | flags)

    return struct.pack('<8I', *tree(0, max(1, -(-len(data) // 1024)), ROOT)).hex()

# ------------------------------------------------------------------------------------------------ the format

SIDES = {'first': 0, 'second': 1}
LOSS, DRAW, WIN = 0, 1, 2
RESULTS = {'loss': LOSS, 'draw': DRAW, 'win': WIN}
NUMBER = '(0|[1-9][0-9]*)'
SECTIONS = {
    'strategy': f'strategy (first|second) (win|draw|loss) (-|{NUMBER[1:-1]}) {NUMBER}',
    'values': f'values {NUMBER}',
    'lines': f'lines (first|second) (makes|spoils) {NUMBER}',
    'race': f'race (first|second) {NUMBER}',
    'lifted': f'lifted {NUMBER}',
    'pairing': f'pairing {NUMBER}',
}

class Certificate:
    """What a file says, read strictly: every line has the one form in which it would be written."""

    def __init__(self, data):
        end = data.rfind(b'\nblake3 ') + 1
        if not data.startswith(b'agon-certificate 1\n') or end == 0:
            raise Corrupt('not a whole certificate of version 1')
        if data[end:] != b'blake3 ' + blake3(data[:end]).encode() + b'\n':
            raise Corrupt('the hash does not match')
        try:
            self.lines = data[:end].decode().split('\n')[1:-1]
        except UnicodeDecodeError:
            raise Corrupt('not UTF-8') from None
        self.game = self.take('game (.*)')[0]
        self.start = self.take('from (.*)')[0]
        claim = self.take('claim (value (?:win|draw|loss)|at-least (?:first|second) (?:win|draw)|table)')
        self.claim = claim[0].split(' ')
        self.symmetry = self.take('symmetry (full|none)')[0] == 'full'
        self.sections = [self.section() for _ in range(int(self.take('sections ([0-2])')[0]))]
        if self.lines:
            raise Corrupt('text after the last section')

    def take(self, pattern):
        found = re.fullmatch(pattern, self.lines.pop(0)) if self.lines else None
        if not found:
            raise Corrupt(f'expected a line `{pattern}`')
        return found.groups()

    def section(self):
        kind = self.lines[0].split(' ')[0] if self.lines else ''
        if kind not in SECTIONS:
            raise Corrupt('expected a section')
        *head, count = self.take(SECTIONS[kind])
        if kind == 'strategy' and head[2] != '-' and int(head[2]) >= 1 << 32:
            raise Corrupt('too many plies')
        count = int(count)
        if count > len(self.lines):
            raise Corrupt('entries are missing')
        entries, self.lines = self.lines[:count], self.lines[count:]
        entries = [entry.split(' ') for entry in entries]
        if kind == 'pairing':
            if any(len(entry) != 3 or entry[2] not in ('same', 'other') for entry in entries):
                raise Corrupt('expected `CELL CELL same|other`')
            return kind, head, entries
        if any(len(entry) < 2 for entry in entries):
            raise Corrupt('an entry says nothing about its position')
        if any(a[0] >= b[0] for a, b in zip(entries, entries[1:])):
            raise Corrupt('entries must be sorted and different')
        if kind == 'values':
            entries = [(entry[0], plies_of(entry[1:])) for entry in entries]
        return kind, head, entries

def plies_of(words):
    """A value as a number: 0 a draw, 30001 - n a win in n plies, n - 30001 a loss in n."""
    found = re.fullmatch(f'draw|(win|loss) {NUMBER}', ' '.join(words))
    if not found or found[2] and int(found[2]) > 30000:
        raise Corrupt('expected `draw` or `win|loss PLIES`')
    return 0 if not found[1] else (30001 - int(found[2])) * (1 if found[1] == 'win' else -1)

# ------------------------------------------------------------------------------------- strategies and values

def entries_by_class(game, entries, key):
    """Every entry under the class of its position; a second entry for a class is an error of the file."""
    table = {}
    for text, what in entries:
        position = game.read(text)
        if key(position) in table:
            raise Corrupt(f'a second entry for the class of `{text}`')
        table[key(position)] = position, what
    return table

def check_strategy(game, start, head, entries, key):
    side, least, plies = SIDES[head[0]], RESULTS[head[1]], None if head[2] == '-' else int(head[2])
    table = entries_by_class(game, [(entry[0], entry[1:]) for entry in entries], key)
    longest, used, stack = {}, set(), []

    def enter(position):
        """The continuations to follow from a position that was not met before."""
        name = key(position)
        longest[name] = None
        outcome = game.outcome(position)
        if outcome is not None:
            if (WIN if outcome == side else DRAW if outcome == 2 else LOSS) < least:
                raise Refuted(f'the play ends badly at `{game.show(position)}`')
            return name, iter(()), 0
        if game.turn(position) != side:
            return name, iter([after for _, after in game.moves(position)]), 0
        if name not in table:
            raise Refuted(f'no move is given at `{game.show(position)}`')
        used.add(name)
        position, moves = table[name]
        legal = dict(game.moves(position))
        for move in moves:
            if move not in legal:
                raise Refuted(f'the move `{move}` does not exist at `{game.show(position)}`')
        return name, iter([legal[move] for move in moves]), 0

    stack.append(enter(start))
    while stack:
        name, continuations, length = stack.pop()
        for after in continuations:
            below = key(after)
            if below not in longest:
                stack.append((name, continuations, length))
                stack.append(enter(after))
                break
            if longest[below] is None:
                if least == WIN or plies is not None:
                    raise Refuted('play can cycle')
            else:
                length = max(length, longest[below] + 1)
        else:
            longest[name] = length
            if stack:
                above, rest, so_far = stack.pop()
                stack.append((above, rest, max(so_far, length + 1)))
    if plies is not None and longest[key(start)] > plies:
        raise Refuted(f'a play takes {longest[key(start)]} plies')
    never_reached(table, used)
    return side, least

def never_reached(table, used):
    if len(used) < len(table):
        raise Corrupt('an entry is never reached')

def check_values(game, start, entries, key):
    table = entries_by_class(game, entries, key)
    met, open_positions = {key(start)}, [start]
    while open_positions:
        position = open_positions.pop()
        if key(position) not in table:
            raise Refuted(f'the value of `{game.show(position)}` is missing')
        outcome, best = game.outcome(position), None
        if outcome is not None:
            best = 0 if outcome == 2 else 30001 if outcome == game.turn(position) else -30001
        else:
            for _, after in game.moves(position):
                name = key(after)
                if name not in table:
                    raise Refuted(f'the value of `{game.show(after)}` is missing')
                value = -table[name][1]
                value -= (value > 0) - (value < 0)
                best = value if best is None else max(best, value)
                if name not in met:
                    met.add(name)
                    open_positions.append(after)
        if table[key(position)][1] != best:
            raise Refuted(f'`{game.show(position)}` has another value')
    never_reached(table, met)
    return 'values'

# ---------------------------------------------------------------------------- boards of cells: rows of marks

CHOICES = {
    'line': 'wins captures', 'fly': 'never at3 always', 'blocked': 'loses passes draws', 'bar': 'none first placing',
    'early': 'wins ignored forbidden', 'diagonals': 'none centre all', 'start': 'set placed',
    'lines': 'inner diagonals', 'points': '9 13', 'first': 'order chaos', 'row': 'atleast exact exact-final',
    'opening': 'swap noswap', 'draw': 'none threefold fifty',
}

def split_parameters(text, spec):
    """The values of named parameters, which stand in the order of the spec and only where they are not the default.

    A word of the spec is `name`, `name=default`, `name=default|other` or, for numbers, `name=default/least/most`.
    """
    values, rest = {}, [part.partition('=') for part in text.split(',')] if text else []
    for word in spec.split():
        name, _, default = word.partition('=')
        if '/' in default:
            default, least, most = default.split('/')
            choices = [str(n) for n in range(int(least), int(most) + 1)]
        else:
            choices = default.split('|') if '|' in default else CHOICES[name].split()
            default = default if default in choices else choices[0]
        values[name] = default
        if rest and rest[0][0] == name:
            values[name] = rest.pop(0)[2]
            if values[name] == default or values[name] not in choices:
                raise Corrupt(f'parameter `{name}={values[name]}`')
    if rest:
        raise Corrupt(f'parameter `{rest[0][0]}`')
    return values

class Rows:
    """A board of cells. A position is its own text, rows from the top joined by slashes."""

    def board(self, columns, rows):
        self.columns, self.rows, stride = columns, rows, columns + 1
        self.cells = [row * stride + column for row in range(rows) for column in range(columns)]
        self.names = {cell: 'abcdefghijklmnop'[cell % stride] + str(rows - cell // stride) for cell in self.cells}
        self.perms = square_symmetries(columns, rows)
        self.images = [itemgetter(*(self.cells[i] for i in perm)) for perm in self.perms]
        self.first_position = '/'.join(['.' * columns] * rows)

    def row_pattern(self, marks, k, exactly=False):
        """Matches a board with k equal marks in a row; slashes keep rows from running round the edge."""
        width, parts = self.columns, []
        for mark, gap in product(marks, {0, width - 1, width, width + 1}):
            row = f'{mark}(?:.{{{gap}}}{mark}){{{k - 1}}}'
            parts.append(f'(?<!{mark}.{{{gap}}}){row}(?!.{{{gap}}}{mark})' if exactly else row)
        return re.compile('|'.join(parts)).search

    def windows(self):
        """Every row of k cells, as numbers of cells, with the cells at its ends."""
        inside = lambda column, row: 0 <= column < self.columns and 0 <= row < self.rows
        for (dx, dy), row, column in product(((1, 0), (0, 1), (1, 1), (-1, 1)), range(self.rows), range(self.columns)):
            line = [(column + i * dx, row + i * dy) for i in range(-1, self.k + 1)]
            if all(inside(*cell) for cell in line[1:-1]):
                wanted, ends = line[1:-1], [cell for cell in (line[0], line[-1]) if inside(*cell)]
                yield [y * self.columns + x for x, y in wanted], [y * self.columns + x for x, y in ends]

    def well_formed(self, text, marks):
        if not re.fullmatch('/'.join([f'[.{marks}]{{{self.columns}}}'] * self.rows), text):
            raise Corrupt(f'position `{text}`')

    def key(self, position):
        return min([image(position) for image in self.images])

    def show(self, position):
        return position

def square_symmetries(columns, rows, turned=True):
    """Permutations of cells numbered row by row: the cell each image takes its contents from."""
    perms = []
    for flip_rows, flip_columns, swap in product((0, 1), (0, 1), (0, 1)):
        if swap and (columns != rows) or not turned and (flip_rows or swap):
            continue
        perm = []
        for row, column in product(range(rows), range(columns)):
            row, column = (column, row) if swap else (row, column)
            row, column = rows - 1 - row if flip_rows else row, columns - 1 - column if flip_columns else column
            perm.append(row * columns + column)
        if perm not in perms:
            perms.append(perm)
    return perms

class Mnk(Rows):
    """m,n,k games: k of one's own marks in a row win. Drop games: marks fall to the lowest empty cell."""

    def __init__(self, family, parameters):
        found = re.fullmatch(','.join([NUMBER] * 3), parameters)
        if not found:
            raise Corrupt('expected three numbers')
        columns, rows, self.k = map(int, found.groups())
        if not (1 <= columns <= 16 and 1 <= rows <= 16 and columns * rows <= 64 and 1 <= self.k <= max(columns, rows)):
            raise Corrupt('no such board')
        self.board(columns, rows)
        self.drop = family == 'drop'
        if self.drop:
            self.images = [itemgetter(*(self.cells[i] for i in perm))
                           for perm in square_symmetries(columns, rows, turned=False)]
        self.row = [self.row_pattern(mark, self.k) for mark in 'XO']

    def turn(self, position):
        return 0 if position.count('X') == position.count('O') else 1

    def outcome(self, position):
        for side in (0, 1):
            if self.row[side](position):
                return side
        return None if '.' in position else 2

    def moves(self, position):
        mark = 'XO'[self.turn(position)]
        for cell in self.cells:
            below = cell + self.columns + 1
            if position[cell] != '.' or self.drop and below < len(position) and position[below] == '.':
                continue
            yield (self.names[cell][0] if self.drop else self.names[cell],
                   position[:cell] + mark + position[cell + 1:])

    def read(self, text):
        self.well_formed(text, 'XO')
        if text.count('X') - text.count('O') not in (0, 1):
            raise Corrupt(f'`{text}`: X begins')
        mover, other = (0, 1) if text.count('X') == text.count('O') else (1, 0)
        if self.row[mover](text):
            raise Corrupt(f'`{text}`: the mover has a row already')
        if self.row[other](text) and not self.some_last_mark(text, 'XO'[other], self.row[other]):
            raise Corrupt(f'`{text}`: no single move completes both rows')
        if self.drop and not self.falls(text):
            raise Corrupt(f'`{text}`: no order of play leads there')
        return text

    def some_last_mark(self, text, marks, row):
        return any(text[cell] in marks and not row(text[:cell] + '.' + text[cell + 1:]) for cell in self.cells)

    def falls(self, text):
        """Whether marks dropped in turn can give this board."""
        stride = self.columns + 1
        stacks = [text[column::stride][::-1].rstrip('.') for column in range(self.columns)]
        if any('.' in stack for stack in stacks):
            return False
        states = {tuple(stacks)}
        for left in range(sum(map(len, stacks)), 0, -1):
            mark = 'OX'[left % 2]
            states = {state[:i] + (stack[:-1],) + state[i + 1:]
                      for state in states for i, stack in enumerate(state) if stack[-1:] == mark}
        return bool(states)

class OrderChaos(Mnk):
    """Order and Chaos: both put any mark anywhere; Order wants k equal marks in a row, Chaos a full board without."""

    def __init__(self, _family, parameters):
        board, _, rest = parameters.partition(',')
        found = re.fullmatch('([1-8])x([1-8])', board)
        if not found:
            raise Corrupt('expected COLUMNSxROWS')
        columns, rows = map(int, found.groups())
        options = split_parameters(rest, 'k=5/1/8 symbols=2/1/4 first row')
        self.k, self.meaning = int(options['k']), options['row']
        if self.k > max(columns, rows):
            raise Corrupt('k is too large')
        self.board(columns, rows)
        self.marks = 'XOAB'[:int(options['symbols'])]
        self.order = 0 if options['first'] == 'order' else 1
        self.row = self.row_pattern(self.marks, self.k, self.meaning != 'atleast')

    def turn(self, position):
        return (len(self.cells) - position.count('.')) % 2

    def outcome(self, position):
        full = '.' not in position
        if (full or self.meaning != 'exact-final') and self.row(position):
            return self.order
        return 1 - self.order if full else None

    def moves(self, position):
        for cell in self.cells:
            if position[cell] == '.':
                for mark in self.marks:
                    yield f'{mark}@{self.names[cell]}', position[:cell] + mark + position[cell + 1:]

    def read(self, text):
        self.well_formed(text, self.marks)
        if self.meaning != 'exact-final' and self.row(text) and not self.some_last_mark(text, self.marks, self.row):
            raise Corrupt(f'`{text}`: there was a row before the last move')
        return text

    def key(self, position):
        return min([rename(image(position)) for image in self.images])

def rename(cells):
    """The marks renamed in the order in which they appear."""
    names = {'.': 0}
    return tuple([names.setdefault(cell, len(names)) for cell in cells])

# ------------------------------------------------------------------------- arguments about Order and Chaos

def from_the_empty_board(game, start):
    if not isinstance(game, OrderChaos) or start != game.first_position:
        raise Corrupt('this argument is about Order and Chaos from the empty board')

def check_lifted(game, start, entries):
    """Order wins on an inner square of n with rows of n; opposite border places get different marks."""
    from_the_empty_board(game, start)
    n = game.columns - 2
    if game.rows != n + 2 or n < 2 or game.k != n + 1 or game.marks != 'XO':
        raise Refuted('the lemma needs a square of n + 2, rows of n + 1 and two marks')
    if game.meaning == 'exact-final' and (game.order == 0 or n % 2):
        raise Refuted('judged on the full board, the lemma needs Chaos first and an even board')
    inner = OrderChaos('', f'{n}x{n}' + (f',k={n}' if n != 5 else '') + (',first=chaos' if game.order else ''))
    head = (('first', 'second')[game.order], 'win', '-')
    return check_strategy(inner, inner.first_position, head, entries, lambda position: position)

def check_pairing(game, start, entries):
    """Chaos, second, answers in the other cell of each pair: then no full board has a row of exactly k."""
    from_the_empty_board(game, start)
    if game.marks != 'XO' or game.order or game.meaning != 'exact-final' or len(game.cells) > 48:
        raise Refuted('the argument needs two marks, Order first and only the full board judged')
    cells, partner = [game.names[cell] for cell in game.cells], {}
    for a, b, how in entries:
        if a not in cells or b not in cells or cells.index(a) >= cells.index(b) or a in partner or b in partner:
            raise Corrupt(f'`{a} {b}` are not two cells, the earlier first, each used once')
        partner[a], partner[b] = (b, how), (a, how)
    if len(partner) < len(cells):
        raise Refuted('the pairs do not cover the board')
    for wanted, ends in game.windows():
        # By symmetry of the marks the row is of X. Every pair it touches must leave a choice.
        fixed = {**{cells[cell]: 'X' for cell in wanted}, **{cells[cell]: 'O' for cell in ends}}
        if all((fixed.get(partner[a][0], mark) == mark) == (partner[a][1] == 'same') or partner[a][0] not in fixed
               for a, mark in fixed.items()):
            raise Refuted('the pairs allow a row')
    return 1 - game.order, WIN

# ---------------------------------------------------------------------------------------------------- heaps

class Heaps:
    """Games on heaps. A position is a sorted tuple of heaps and the side to move."""
    CODES = {'kayles': '0.77', 'dawson': '0.137'}

    def __init__(self, family, parameters):
        parameters, _, rest = parameters.partition(',play=')
        if rest not in ('', 'misere') or rest == '' and ',play=' in parameters:
            raise Corrupt('expected normal or misère play')
        self.misere = rest == 'misere'
        self.family, rule, heaps = family, self.CODES.get(family, ''), parameters
        if family in ('heap', 'subtract'):
            rule, _, heaps = parameters.partition(';')
        if family == 'subtract':
            self.taken = [int(word) for word in rule.split(',') if re.fullmatch(NUMBER, word)]
            if self.taken != sorted(set(self.taken)) or ','.join(map(str, self.taken)) != rule \
                    or not all(1 <= n <= 4096 for n in self.taken):
                raise Corrupt('expected numbers to take')
        if family == 'heap' and not re.fullmatch('[048c][.]([0-9a-f]*[1-9a-f])?', rule):
            raise Corrupt('expected a code')
        self.digits = [int(digit, 16) for digit in rule.replace('.', '')] if '.' in rule else []
        self.first_position = self.read(heaps)
        self.options = lru_cache(None)(self.options)

    def read(self, text):
        heaps, at, side = text.partition('@')
        words = heaps.split('+')
        if side != ('second' if at else '') or not all(re.fullmatch(NUMBER, word) for word in words):
            raise Corrupt(f'position `{text}`')
        position = (tuple(sorted(n for n in map(int, words) if n)), 1 if at else 0)
        if self.show(position) != text or any(n > 1_000_000 for n in position[0]):
            raise Corrupt(f'position `{text}`')
        return position

    def show(self, position):
        return ('+'.join(map(str, position[0])) or '0') + ('@second' if position[1] else '')

    def key(self, position):
        return position

    def options(self, heap):
        """What one heap can become."""
        if self.family == 'nim':
            return [(left,) if left else () for left in range(heap)]
        if self.family == 'subtract':
            return [(heap - n,) if heap > n else () for n in self.taken if n <= heap]
        if self.family == 'grundy':
            return [(a, heap - a) for a in range(1, (heap + 1) // 2)]
        found = set()
        for taken, digit in enumerate(self.digits[:heap + 1]):
            for parts in range(4):
                if digit >> parts & 1:
                    found.update(partitions(heap - taken, parts))
        return sorted(found)

    def turn(self, position):
        return position[1]

    def outcome(self, position):
        if any(self.options(heap) for heap in position[0]):
            return None
        return position[1] if self.misere else 1 - position[1]

    def moves(self, position):
        heaps, side = position
        for heap in sorted(set(heaps)):
            rest = list(heaps)
            rest.remove(heap)
            for parts in self.options(heap):
                yield f"{heap}>{'+'.join(map(str, parts)) or '0'}", (tuple(sorted((*rest, *parts))), 1 - side)

def partitions(total, parts, least=1):
    """Ways to write a number as a sum of so many positive parts, smallest first."""
    if parts <= 1:
        return [(total,)] if parts and total >= least else [()] if not parts and not total else []
    return [(a, *rest) for a in range(least, total // parts + 1) for rest in partitions(total - a, parts - 1, a)]

# ---------------------------------------------------------------------------------------------------- mills

MILLS = {
    'antrin': 'men=%s/2/9 line fly blocked early diagonals bar',
    'achi': 'men=4/2/4 line fly blocked early diagonals=centre bar',
    'three-mens': 'men=3/2/4 line fly blocked early diagonals=centre bar',
    'tapatan': 'men=3/2/4 line fly blocked early diagonals=centre bar',
    'nine-holes': 'men=3/2/4 line fly=always blocked early diagonals bar',
    'picaria': 'men=3/2/6 line fly blocked early diagonals=all bar points',
    'tant-fant': 'lines line fly blocked diagonals=centre start early bar',
    'shisima': 'line fly blocked start early bar',
    'rota': 'men=3/2/4 line fly blocked early bar',
    'tsoro-yematatu': 'men=3/2/3 line fly blocked early',
    'morris': 'men=%s/3/12 line=captures fly=%s blocked early diagonals=%s bar',
}
MORRIS = {'five': (5, 'never', 'none|corners'), 'six': (6, 'never', 'none|corners'), 'seven': (7, 'never', 'none|corners'),
          'nine': (9, 'at3', 'none|corners'), 'morabaraba': (12, 'at3', 'corners|none'), 'lasker': (10, 'at3', 'none|corners')}
# Drawn boards: rows of points, lines that are mills, ways that are none, ways from corner to corner, the centre.
TWO_SQUARES = ('a5 c5 e5/b4 c4 d4/a3 b3 d3 e3/b2 c2 d2/a1 c1 e1',
               'a5 c5 e5,b4 c4 d4,b2 c2 d2,a1 c1 e1,a5 a3 a1,b4 b3 b2,d4 d3 d2,e5 e3 e1',
               'a3 b3,d3 e3,c5 c4,c2 c1', 'a5 b4,e5 d4,a1 b2,e1 d2', None)
BOARDS = {
    'five': TWO_SQUARES, 'six': TWO_SQUARES,
    'seven': (TWO_SQUARES[0].replace('b3 d3', 'b3 c3 d3'), TWO_SQUARES[1] + ',b3 c3 d3,c4 c3 c2', *TWO_SQUARES[2:4], 'c3'),
    'nine': ('a7 d7 g7/b6 d6 f6/c5 d5 e5/a4 b4 c4 e4 f4 g4/c3 d3 e3/b2 d2 f2/a1 d1 g1',
             'a7 d7 g7,b6 d6 f6,c5 d5 e5,a4 b4 c4,e4 f4 g4,c3 d3 e3,b2 d2 f2,a1 d1 g1,a7 a4 a1,b6 b4 b2,c5 c4 c3,'
             'd7 d6 d5,d3 d2 d1,e5 e4 e3,f6 f4 f2,g7 g4 g1', '', 'a7 b6 c5,g7 f6 e5,a1 b2 c3,g1 f2 e3', None),
    '13': ('a1 c1 e1/b2 d2/a3 c3 e3/b4 d4/a5 c5 e5',
           'a1 c1 e1,a3 c3 e3,a5 c5 e5,a1 a3 a5,c1 c3 c5,e1 e3 e5,a1 b2 c3,b2 c3 d4,c3 d4 e5,e1 d2 c3,d2 c3 b4,c3 b4 a5,'
           'c1 b2 a3,c1 d2 e3,a3 b4 c5,e3 d4 c5', '', '', 'c3'),
    'shisima': ('r1 r2/r3/r4/r5 r6/r7/r8/c', 'r1 c r5,r2 c r6,r3 c r7,r4 c r8', 'r1 r2 r3 r4 r5 r6 r7 r8 r1', '', 'c'),
    'rota': ('r1 r2/r3/r4/r5 r6/r7/r8/c', 'r1 c r5,r2 c r6,r3 c r7,r4 c r8,r1 r2 r3,r2 r3 r4,r3 r4 r5,r4 r5 r6,r5 r6 r7,'
             'r6 r7 r8,r7 r8 r1,r8 r1 r2', '', '', 'c'),
    'tsoro-yematatu': ('a1/b1 b2 b3/c1 c2 c3', 'a1 b1 c1,a1 b2 c2,a1 b3 c3,b1 b2 b3,c1 c2 c3', '', '', None),
}

def grid_board(n, family, options):
    """A square board in the form of the drawn ones, its diagonal ways among the ways that are no mills."""
    rows = [[f'{letter}{row}' for letter in 'abcdef'[:n]] for row in range(1, n + 1)]
    columns, diagonals = list(zip(*rows)), [[rows[i][i] for i in range(n)], [rows[i][n - 1 - i] for i in range(n)]]
    lines = [*rows, *columns] if family in ('antrin', 'nine-holes') else [*rows, *columns, *diagonals]
    if family == 'tant-fant':
        lines = diagonals if options['lines'] == 'diagonals' else [rows[1], *columns, *diagonals]
    corners = [pair for r, c in product(range(n - 1), repeat=2)
               for pair in ((rows[r][c], rows[r + 1][c + 1]), (rows[r + 1][c], rows[r][c + 1]))]
    ways = [*rows, *columns, *{'none': [], 'centre': diagonals, 'all': corners}[options['diagonals']]]
    return rows, lines, ways, rows[n // 2][n // 2] if n % 2 else None

def drawn_board(name, corners):
    rows, lines, ways, diagonals, centre = BOARDS[name]
    rows, lines, ways, diagonals = ([path.split() for path in re.split('[,/]', text) if path]
                                    for text in (rows, lines, ways, diagonals))
    mills = lines + [path for path in diagonals if corners and len(path) == 3]
    return rows, mills, lines + ways + (diagonals if corners else []), centre

class Mill:
    """Mill games. A position is (points, side to move, men in hand of both, whether the mover has just lost)."""

    def __init__(self, family, parameters):
        first, _, rest = parameters.partition(',') if family in ('antrin', 'morris') else ('', '', parameters)
        if family == 'antrin' and first not in tuple('3456') or family == 'morris' and first not in MORRIS:
            raise Corrupt('no such board')
        spec = MILLS[family] % (first if family == 'antrin' else MORRIS.get(first, ()))
        options = split_parameters(rest, spec)
        name = 'nine' if first in ('morabaraba', 'lasker') else '13' if options.get('points') == '13' else first or family
        if name == '13' and options['diagonals'] != 'all':
            raise Corrupt('diagonals are for nine points')
        rows, lines, ways, centre = drawn_board(name, options.get('diagonals') == 'corners') if name in BOARDS \
            else grid_board(int(first or 3), family, options)
        self.rows, self.names = [len(row) for row in rows], sum(rows, [])
        number = self.names.index
        self.lines = [tuple(sorted(map(number, line))) for line in lines]
        pairs = [(number(a), number(b)) for path in ways for a, b in zip(path, path[1:])]
        self.ways = {*pairs, *((b, a) for a, b in pairs)}
        leaps = [tuple(map(number, line)) for line in lines if family == 'tsoro-yematatu']
        self.leaps = {*leaps, *(leap[::-1] for leap in leaps)}
        self.centre = centre and number(centre)
        self.line, self.fly, self.blocked = options['line'], options['fly'], options['blocked']
        self.early, self.bar = options.get('early', 'wins'), options.get('bar', 'none')
        self.mixed, self.men = first == 'lasker', int(options.get('men', 3))
        self.set = options.get('start') == 'set'
        if self.bar != 'none' and centre is None or 2 * self.men > len(self.names) \
                or self.line == 'captures' and self.men < 3 or self.set and (self.early, self.bar) != ('wins', 'none'):
            raise Corrupt('these rules mean nothing on this board')
        self.lines_at = [[line for line in self.lines if point in line] for point in range(len(self.names))]
        self.steps = [sorted(b for a, b in self.ways if a == point) for point in range(len(self.names))]
        self.images = [itemgetter(*perm) for perm in self.automorphisms()]

    def automorphisms(self):
        """The permutations of the points that keep ways, lines and leaps."""
        lines, count, perms = set(self.lines), len(self.names), [[]]
        for point in range(count):
            perms = [perm + [image] for perm in perms for image in range(count) if image not in perm
                     and len(self.steps[image]) == len(self.steps[point])
                     and all(((point, q) in self.ways) == ((image, perm[q]) in self.ways) for q in range(point))]
        return [perm for perm in perms if {tuple(sorted(perm[p] for p in line)) for line in lines} == lines
                and {tuple(perm[p] for p in leap) for leap in self.leaps} == self.leaps]

    def show(self, position):
        cells, side, white, black, lost = position
        rows, at = [], 0
        for length in self.rows:
            rows.append(cells[at:at + length])
            at += length
        hands = f':{white}-{black}' if white or black else ''
        return '/'.join(rows) + ':' + 'wb'[side] + ('!' if lost else '') + hands

    def read(self, text):
        found = re.fullmatch(f'([.WB/]*):([wb])(!?)(?::{NUMBER}-{NUMBER})?', text)
        if not found:
            raise Corrupt(f'position `{text}`')
        cells, side = found[1].replace('/', ''), 'wb'.index(found[2])
        white, black = int(found[4] or 0), int(found[5] or 0)
        position = (cells, side, white, black, found[3] == '!')
        if len(cells) != len(self.names) or self.show(position) != text:
            raise Corrupt(f'position `{text}`')
        self.can_arise(position)
        return position

    def can_arise(self, position):
        cells, side, white, black, lost = position
        for mark, hand in (('W', white), ('B', black)):
            total = cells.count(mark) + hand
            if total > self.men or total < self.men and self.line == 'wins':
                raise Corrupt(f'each side has {self.men} men')
        if (white or black) and (self.set or not self.mixed and white != black - side):
            raise Corrupt('men are placed in turn')
        stands = [any(all(cells[p] == mark for p in line) for line in self.lines) for mark in 'WB']
        if lost and (self.line != 'wins' or not stands[1 - side]):
            raise Corrupt('the last move made no line')
        if self.line == 'wins' and self.early != 'ignored' and (stands[side] or stands[1 - side] != lost):
            raise Corrupt('a line stands that ended the play')

    def turn(self, position):
        return position[1]

    def key(self, position):
        return min([image(position[0]) for image in self.images]), position[1:]

    def outcome(self, position):
        cells, side, white, black, lost = position
        if lost:
            return 1 - side
        if self.line == 'captures' and cells.count('WB'[side]) + (white, black)[side] < 3:
            return 1 - side
        if '.' not in cells:
            return 2
        if self.blocked != 'passes' and next(self.moves(position), None) is None:
            return 2 if self.blocked == 'draws' else 1 - side
        return None

    def moves(self, position):
        cells, side, white, black, _ = position
        own, hand, count = 'WB'[side], (white, black)[side], cells.count('WB'[side])
        blocked = True
        if hand:
            hands = (white - 1, black) if side == 0 else (white, black - 1)
            barred = self.bar == 'placing' or self.bar == 'first' and count == 0 and white == black == self.men
            for to, mark in enumerate(cells):
                if mark == '.' and not (barred and to == self.centre):
                    for text, after in self.ends(cells[:to] + own + cells[to + 1:], side, to, hands, True):
                        blocked = False
                        yield self.names[to] + text, after
        if not hand or self.mixed:
            flies = self.fly == 'always' or self.fly == 'at3' and count + hand <= 3
            for origin in (i for i, mark in enumerate(cells) if mark == own):
                leaps = [b for a, over, b in self.leaps if a == origin and cells[over] != '.']
                for to in range(len(cells)) if flies else sorted({*self.steps[origin], *leaps}):
                    if cells[to] == '.':
                        moved = cells[:origin] + '.' + cells[origin + 1:]
                        moved = moved[:to] + own + moved[to + 1:]
                        for text, after in self.ends(moved, side, to, (white, black), False):
                            blocked = False
                            yield f'{self.names[origin]}-{self.names[to]}{text}', after
        if blocked and self.blocked == 'passes':
            yield 'pass', (cells, 1 - side, white, black, False)

    def closed(self, cells, point):
        return any(all(cells[p] == cells[point] for p in line) for line in self.lines_at[point])

    def ends(self, cells, side, to, hands, placing):
        """The ways in which a man's arrival at a point can be finished: nothing more, a win, or a man taken."""
        made = self.closed(cells, to)
        if made and placing and self.early == 'forbidden':
            return
        made = made and not (placing and self.early == 'ignored')
        if not made or self.line == 'wins':
            yield '', (cells, 1 - side, *hands, made)
            return
        victims = [i for i, mark in enumerate(cells) if mark == 'BW'[side]]
        victims = [i for i in victims if not self.closed(cells, i)] or victims
        for i in victims:
            yield 'x' + self.names[i], (cells[:i] + '.' + cells[i + 1:], 1 - side, *hands, False)
        if not victims:
            yield '', (cells, 1 - side, *hands, False)

# ------------------------------------------------------------------------------------------------------ Tak

RESERVES = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1), 7: (40, 2), 8: (50, 2)}

class Tak:
    """Tak. A position is (stacks row by row from the top left, side to move); a stack is written from its bottom."""

    def __init__(self, _family, parameters):
        size, _, rest = parameters.partition(',')
        found = re.fullmatch('([3-8])|([1-8])x([1-8])', size)
        if not found or found[2] and found[2] == found[3] >= '3':
            raise Corrupt('no such board')
        self.columns, self.rows = (int(found[1]),) * 2 if found[1] else (int(found[2]), int(found[3]))
        square = next(n for n in range(3, 9) if n * n >= self.columns * self.rows)
        flats, caps = RESERVES[square]
        komi = re.match('komi=(-?(?:[1-9]|10|0(?=[.]5))(?:[.]5)?)(?:,|$)', rest)
        self.komi = float(komi[1]) if komi else 0
        options = split_parameters(rest[komi.end():] if komi else rest, f'opening flats={flats}/1/63 caps={caps}/0/9 draw')
        if abs(self.komi) > 10 or komi and rest.endswith(','):
            raise Corrupt('komi')
        if options['draw'] != 'none':
            raise Unsupported('Tak with a draw rule')
        self.swap, self.reserve = options['opening'] == 'swap', (int(options['flats']), int(options['caps']))
        self.carry = min(self.columns, self.rows)
        self.images = [itemgetter(*perm) for perm in square_symmetries(self.columns, self.rows)]
        self.names = ['abcdefgh'[i % self.columns] + str(self.rows - i // self.columns)
                      for i in range(self.columns * self.rows)]
        self.rays = []
        for i in range(len(self.names)):
            row, column = divmod(i, self.columns)
            self.rays.append([('+', list(range(i - self.columns, -1, -self.columns))),
                              ('-', list(range(i + self.columns, len(self.names), self.columns))),
                              ('<', list(range(i - 1, i - column - 1, -1))),
                              ('>', list(range(i + 1, i - column + self.columns)))])

    def read(self, text):
        found = re.fullmatch('([x12SC,/0-9]*)_([12])_([1-9][0-9]{0,6})', text)
        if not found or int(found[3]) > 1_000_000:
            raise Corrupt(f'position `{text}`')
        stacks = []
        for row in found[1].split('/'):
            for word in row.split(','):
                gap = re.fullmatch('x([2-8]?)', word)
                if not gap and not re.fullmatch('[12]+[SC]?', word):
                    raise Corrupt(f'position `{text}`')
                stacks += [''] * int(gap[1] or 1) if gap else [word]
        position = tuple(stacks), int(found[2]) - 1
        if len(stacks) != len(self.names) or self.show(position, found[3]) != text:
            raise Corrupt(f'position `{text}`')
        if any(min(self.left(stacks, side)) < 0 for side in (0, 1)):
            raise Corrupt('too many pieces')
        pieces = sum(len(stack.rstrip('SC')) for stack in stacks)
        if pieces < 2 and position[1] != pieces:
            raise Corrupt('white moves first')
        return position

    def show(self, position, number='1'):
        rows = [','.join(stack or 'x' for stack in position[0][at:at + self.columns])
                for at in range(0, len(self.names), self.columns)]
        board = re.sub('x(,x)+', lambda run: f'x{len(run[0]) // 2 + 1}', '/'.join(rows))
        return f'{board}_{position[1] + 1}_{number}'

    def left(self, stacks, side):
        """Stones and capstones of a side that are not on the board."""
        text = ' '.join(stacks)
        caps = text.count('12'[side] + 'C')
        return self.reserve[0] - text.count('12'[side]) + caps, self.reserve[1] - caps

    def turn(self, position):
        return position[1]

    def key(self, position):
        return min([image(position[0]) for image in self.images]), position[1]

    def road(self, tops, side):
        """Whether a side's flats and capstones join opposite edges."""
        own = {i for i, top in enumerate(tops) if top[:1] == '12'[side] and top[1:] != 'S'}
        last, columns = len(tops) - self.columns, self.columns
        for begin, end in ((lambda i: i < columns, lambda i: i >= last),
                           (lambda i: i % columns == 0, lambda i: i % columns == columns - 1)):
            reached = open_cells = {i for i in own if begin(i)}
            while open_cells:
                if any(end(i) for i in open_cells):
                    return True
                near = {j[0] for i in open_cells for _, j in self.rays[i] if j}
                open_cells = (near & own) - reached
                reached = reached | open_cells
        return False

    def outcome(self, position):
        stacks, side = position
        tops = [stack[-2:] if stack[-1:] in ('S', 'C') else stack[-1:] for stack in stacks]
        for player in (1 - side, side):
            if self.road(tops, player):
                return player
        if '' in stacks and all(any(self.left(stacks, player)) for player in (0, 1)):
            return None
        lead = tops.count('1') - tops.count('2') - self.komi
        return 0 if lead > 0 else 1 if lead < 0 else 2

    def moves(self, position):
        stacks, side = position
        pieces = sum(len(stack.rstrip('SC')) for stack in stacks)
        if self.swap and pieces < 2:
            kinds = [('', '21'[side])]
        else:
            stones, caps = self.left(stacks, side)
            kinds = [('', '12'[side]), ('S', '12'[side] + 'S')] * (stones > 0) + [('C', '12'[side] + 'C')] * (caps > 0)
        for i, stack in enumerate(stacks):
            if not stack:
                for letter, piece in kinds:
                    yield letter + self.names[i], (stacks[:i] + (piece,) + stacks[i + 1:], 1 - side)
            elif stack.rstrip('SC')[-1] == '12'[side] and not (self.swap and pieces < 2):
                for direction, ray in self.rays[i]:
                    yield from self.slides(stacks, side, i, direction, ray)

    def slides(self, stacks, side, origin, direction, ray):
        stack = stacks[origin]
        pieces = [*stack.rstrip('SC')]
        if stack[-1] in 'SC':
            pieces[-1] += stack[-1]
        for count in range(1, min(self.carry, len(pieces)) + 1):
            lifted = pieces[len(pieces) - count:]

            def drop(at, board, rest, drops):
                """Lets pieces fall on the squares ahead, at least one on each."""
                if not rest:
                    digits = ''.join(map(str, drops)) if len(drops) > 1 else ''
                    text = f"{count if count > 1 else ''}{self.names[origin]}{direction}{digits}"
                    yield text, (tuple(board), 1 - side)
                    return
                if at == len(ray):
                    return
                below = board[ray[at]]
                if below.endswith('C'):
                    return
                if below.endswith('S'):
                    if len(rest) > 1 or not rest[0].endswith('C'):
                        return
                    below = below[:-1]
                for n in range(1, len(rest) + 1):
                    after = list(board)
                    after[ray[at]] = below + ''.join(rest[:n])
                    yield from drop(at + 1, after, rest[n:], drops + [n])

            board = list(stacks)
            board[origin] = ''.join(pieces[:len(pieces) - count])
            yield from drop(0, board, lifted, [])

# ---------------------------------------------------------------------------------------------- the verdict

GAMES = {'mnk': Mnk, 'drop': Mnk, 'order-chaos': OrderChaos, 'tak': Tak, **dict.fromkeys(MILLS, Mill),
         **dict.fromkeys(('heap', 'subtract', 'nim', 'kayles', 'dawson', 'grundy'), Heaps)}
OTHER_FAMILIES = ('treblecross', 'ellie', 'cram', 'circular-nim', 'sum', 'board')

@lru_cache(None)
def find_game(spelling):
    family, colon, parameters = spelling.partition(':')
    if family in OTHER_FAMILIES:
        raise Unsupported(f'the rules of `{family}` are not here')
    if family not in GAMES or colon and not parameters:
        raise Corrupt(f'no game is spelled `{spelling}`')
    return GAMES[family](family, parameters)

def check(data):
    """The statement that a file proves; raises Corrupt, Refuted or Unsupported."""
    certificate = Certificate(data)
    game = find_game(certificate.game)
    start = game.read(certificate.start)
    key = lru_cache(None)(game.key) if certificate.symmetry else lambda position: position
    results = []
    for kind, head, entries in certificate.sections:
        if kind == 'strategy':
            results.append(check_strategy(game, start, head, entries, key))
        elif kind == 'values':
            results.append(check_values(game, start, entries, key))
        elif kind == 'lifted':
            results.append(check_lifted(game, start, entries))
        elif kind == 'pairing':
            results.append(check_pairing(game, start, entries))
        else:
            raise Unsupported(kind)
    mover, claim = game.turn(start), certificate.claim
    needed = {'value win': [(mover, WIN)], 'value loss': [(1 - mover, WIN)], 'value draw': [(0, DRAW), (1, DRAW)],
              'table': ['values']}
    if claim[0] == 'at-least':
        needed[' '.join(claim)] = [(SIDES[claim[1]], RESULTS[claim[2]])]
    if results != needed[' '.join(claim)]:
        raise Refuted('the sections do not add up to the claim')
    return f'{certificate.game} from {certificate.start}: {" ".join(claim)}'

def judge(path):
    try:
        with open(path, 'rb') as file:
            return 'proved', check(file.read())
    except (Corrupt, Refuted, Unsupported) as error:
        return type(error).__name__.lower(), str(error)

def main(arguments):
    as_json = '--json' in arguments
    names = [name for name in arguments if name != '--json']
    if not names or any(name.startswith('-') or not os.path.exists(name) for name in names):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    files = []
    for name in names:
        files += sorted(os.path.join(name, inner) for inner in os.listdir(name)) if os.path.isdir(name) else [name]
    worst, answers = 0, []
    for path in files:
        verdict, why = judge(path)
        worst = max(worst, {'proved': 0, 'unsupported': 1, 'refuted': 3, 'corrupt': 4}[verdict])
        if as_json:
            answers.append({'file': path, 'verdict': verdict, 'why': why})
        else:
            print(f'{verdict}: {path}: {why}')
    if as_json:
        print(json.dumps(answers, indent=1))
    return worst

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
