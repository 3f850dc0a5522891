#!/usr/bin/env python3
"""A second checker for agon's certificates, written from docs/certificates.md alone.

It needs Python 3 and nothing else, and shares no code with agon: the hash, the rules of the games and the checks
are its own. It answers one line a file: proved, refuted, corrupt, or unsupported where it lacks the rules.

usage: check.py [--json] FILE|DIRECTORY...
exit codes: 0 all proved, 1 any unsupported, 2 usage, 3 any refuted, 4 any corrupt; the highest applies
"""
import json, os, re, struct, sys
from functools import lru_cache
from itertools import permutations, product
from operator import itemgetter

class Corrupt(Exception): code = 4  # the file is not what a writer of certificates would write
class Refuted(Exception): code = 3  # the file is well-formed but does not prove its claim
class Unsupported(Exception): code = 1  # this checker does not know the rules of the game, or the kind of evidence
def well_formed(holds, why, error=Corrupt):
    if not holds: raise error(why)
def proven(holds, why):
    well_formed(holds, why, Refuted)

# ---------------------------------------------------------------------------------------------------- BLAKE3
IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
# The 56 mixing steps of a compression: four places of the state and two words of the block each.
PLACES = [(i, 4 + (i + d) % 4, 8 + (i + 2 * d) % 4, 12 + (i + 3 * d) % 4) for d in (0, 1) for i in range(4)]
ORDERS = [list(range(16))]
while len(ORDERS) < 7:
    ORDERS.append([ORDERS[-1][i] for i in (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)])
MIXING = [(*place, order[2 * i], order[2 * i + 1]) for order in ORDERS for i, place in enumerate(PLACES)]
def compress(chain, block, counter, length, flags):
    v = [*chain, *IV[:4], counter & 0xFFFFFFFF, counter >> 32, length, flags]
    for a, b, c, d, x, y in MIXING:
        va, vb, vc, vd = v[a], v[b], v[c], v[d]
        for word, first, second in ((block[x], 16, 12), (block[y], 8, 7)):
            va = (va + vb + word) & 0xFFFFFFFF
            vd = ((vd ^ va) >> first | (vd ^ va) << 32 - first) & 0xFFFFFFFF
            vc = (vc + vd) & 0xFFFFFFFF
            vb = ((vb ^ vc) >> second | (vb ^ vc) << 32 - second) & 0xFFFFFFFF
        v[a], v[b], v[c], v[d] = va, vb, vc, vd
    return [v[i] ^ v[i + 8] for i in range(8)]
def blake3(data):
    def chunk(index, flags):
        part, chain = data[index * 1024:index * 1024 + 1024], IV
        last = max(0, (len(part) - 1) // 64)
        for i in range(last + 1):
            piece = part[i * 64:i * 64 + 64]
            flag = (CHUNK_START if i == 0 else 0) | (CHUNK_END | flags if i == last else 0)
            chain = compress(chain, struct.unpack('<16I', piece.ljust(64, b'\0')), index, len(piece), flag)
        return chain
    def tree(first, count, flags):
        if count == 1: return chunk(first, flags)
        left = 1 << (count - 1).bit_length() - 1
        return compress(IV, tree(first, left, 0) + tree(first + left, count - left, 0), 0, 64, PARENT | flags)
    return struct.pack('<8I', *tree(0, max(1, -(-len(data) // 1024)), ROOT)).hex()

# ------------------------------------------------------------------------------------------------ the format
SIDES, RESULTS, LOSS, DRAW, WIN = {'first': 0, 'second': 1}, {'loss': 0, 'draw': 1, 'win': 2}, 0, 1, 2
NUMBER = '(0|[1-9][0-9]{0,17})'
HEADER = re.compile('agon-certificate 1\ngame (.*)\n(?:rules (.*)\n)?from (.*)\nclaim (value (?:win|draw|loss)|at-least (?:first|second) (?:win|draw)'
                    '|table)\nsymmetry (full|none)\nsections ([0-2])\n((?s:.*))')
SECTIONS = [f'(strategy|text) (first|second) (win|draw|loss) (-|0|[1-9][0-9]{{0,17}}) {NUMBER}', f'(lines) (first|second) (makes|spoils) {NUMBER}',
            f'(race) (first|second) {NUMBER}', f'(values|lifted|lifted-text|pairing) {NUMBER}']
def read_certificate(data):
    """Reads game, start, claim, symmetry and sections of a file; every line must be in canonical form."""
    end = data.rfind(b'\nblake3 ') + 1
    well_formed(not re.search('[\x00-\x08\x0b-\x1f\x7f-\x9f]', data.decode(errors='replace')), 'a control character')
    well_formed(data[end:] == b'blake3 ' + blake3(data[:end]).encode() + b'\n', 'the hash does not match')
    try:
        header = HEADER.match(data[:end].decode())
    except UnicodeDecodeError:
        header = None
    well_formed(header, 'not a certificate of version 1')
    lines, sections = header[7].split('\n')[-2::-1], []
    for _ in range(int(header[6])):
        found = next(filter(None, (re.fullmatch(form, lines[-1]) for form in SECTIONS)), None) if lines else None
        well_formed(found, 'expected a section')
        kind, *head, count = [group for group in found.groups() if group]
        well_formed(kind not in ('strategy', 'text') or head[2] == '-' or int(head[2]) < 1 << 32, 'too many plies')
        well_formed(int(count) < len(lines), 'entries are missing')
        entries = [lines.pop().split(' ') for _ in range(int(count) + 1)][1:]
        well_formed(kind not in ('text', 'lifted-text'), 'strategies as text are not evaluated here', Unsupported)
        well_formed(all(len(entry) > 1 for entry in entries), 'an entry says nothing about its position')
        if kind == 'pairing':
            well_formed(all(len(entry) == 3 and entry[2] in ('same', 'other') for entry in entries), 'CELL CELL same|other')
        else:
            well_formed(all(a[0] < b[0] for a, b in zip(entries, entries[1:])), 'entries must be sorted and different')
        sections.append((kind, head, [(entry[0], value_of(entry[1:]) if kind == 'values' else entry[1:]) for entry in entries]))
    well_formed(not lines, 'text after the last section')
    return header[1], header[2], header[3], header[4], header[5] == 'full', sections
def value_of(words):
    """A value as a number, higher for better values: 0 is a draw, ±(30001 - n) a win or loss in n plies."""
    found = re.fullmatch(f'draw|(win|loss) {NUMBER}', ' '.join(words))
    well_formed(found and int(found[2] or 0) <= 29999, 'expected `draw` or `win|loss PLIES`')
    return (30001 - int(found[2])) * (1 if found[1] == 'win' else -1) if found[1] else 0

# ------------------------------------------------------------------------------------- strategies and values
class Game:
    """Rules: `read` parses positions, `outcome` is 0, 1, 2 (draw) or None, `moves` are pairs of text and position."""
    def turn(self, position):
        return position[1]
    def key(self, position):
        return min([image(position[0]) for image in self.images]), position[1:]
def entries_by_class(game, entries, key):
    table = {}
    for text, what in entries:
        position = game.read(text)
        well_formed(key(position) not in table, f'a second entry for the class of `{text}`')
        table[key(position)] = position, what
    return table

def check_strategy(game, start, head, entries, key):
    """Follows the listed moves of one side and all moves of the other, depth first; `longest` is None while a class is open."""
    side, least, plies = SIDES[head[0]], RESULTS[head[1]], None if head[2] == '-' else int(head[2])
    table, longest, used, stack = entries_by_class(game, entries, key), {}, set(), []
    def enter(position):
        name, outcome, follow = key(position), game.outcome(position), []
        if outcome is not None:
            result = WIN if outcome == side else DRAW if outcome == 2 else LOSS
            proven(result >= least, f'the play ends badly at `{position}`')
        elif game.turn(position) != side:
            follow = [after for _, after in game.moves(position)]
        else:
            proven(name in table, f'no move is given at `{position}`')
            used.add(name)
            legal = dict(game.moves(table[name][0]))
            proven(all(move in legal for move in table[name][1]), f'a move does not exist at `{position}`')
            follow = [legal[move] for move in table[name][1]]
        longest[name] = None
        stack.append([name, iter(follow), 0])
    enter(start)
    while stack:
        top = stack[-1]
        for after in top[1]:
            if key(after) not in longest:
                enter(after)
                break
            below = longest[key(after)]
            proven(below is not None or least < WIN and plies is None, 'play can cycle')
            top[2] = max(top[2], (below or 0) + 1)
        else:
            longest[top[0]] = top[2]
            stack.pop()
            if stack:
                stack[-1][2] = max(stack[-1][2], top[2] + 1)
    proven(plies is None or longest[key(start)] <= plies, 'a play takes too many plies')
    well_formed(len(used) == len(table), 'an entry is never reached')
    return side, least
def check_values(game, start, _head, entries, key):
    """The rules give the value of a finished position; any other value is the best value of a move, one ply further."""
    table, met, waiting = entries_by_class(game, entries, key), {key(start)}, [start]
    while waiting:
        position = waiting.pop()
        outcome = game.outcome(position)
        best = [{game.turn(position): 30001, 2: 0}.get(outcome, -30001)] if outcome is not None else []
        for _, after in game.moves(position) if outcome is None else ():
            name = key(after)
            proven(name in table, f'the value of `{after}` is missing')
            best.append(-table[name][1] + (table[name][1] > 0) - (table[name][1] < 0))
            waiting += [] if name in met else [after]
            met.add(name)
        proven(table.get(key(position), (0, None))[1] == max(best), f'`{position}` has another value')
    well_formed(len(met) == len(table), 'an entry is never reached')
    return 'values'

# --------------------------------------------------------------------------------------- parameters of games
CHOICES = {'line': 'wins captures', 'fly': 'never at3 always', 'blocked': 'loses passes draws', 'bar': 'none first placing',
    'early': 'wins ignored forbidden', 'diagonals': 'none centre all', 'start': 'set placed', 'lines': 'inner diagonals',
    'points': '9 13', 'first': 'order chaos', 'row': 'atleast exact exact-final', 'opening': 'swap noswap',
    'draw': 'none threefold fifty', 'play': 'normal misere'}
def parameters(text, spec):
    """The values of named parameters, which must be in the order of the spec and differ from the default.
    A word of the spec is `name`, `name=default`, `name=default|other` or, for numbers, `name=default/least/most`."""
    values, rest = {}, [part.partition('=') for part in text.split(',')] if text else []
    for word in spec.split():
        name, _, default = word.partition('=')
        choices = default.split('|') if '|' in default else CHOICES.get(name, '').split()
        if '/' in default:
            default, least, most = default.split('/')
            choices = [str(n) for n in range(int(least), int(most) + 1)]
        values[name] = default = default if default in choices else choices[0]
        if rest and rest[0][0] == name:
            values[name] = rest.pop(0)[2]
            well_formed(values[name] != default and values[name] in choices, f'parameter `{name}={values[name]}`')
    well_formed(not rest, f'parameter `{text}`')
    return values

# ---------------------------------------------------------------------------- boards of cells: rows of marks
def square_symmetries(columns, rows):  # permutations of cells numbered row by row: the cell from which each takes its contents
    found = []
    for flip, mirror, turn in product((0, 1), (0, 1), (0, 1) if columns == rows else (0,)):
        perm = [(c, r) if turn else (r, c) for r, c in product(range(rows), range(columns))]
        found.append([(rows - 1 - r if flip else r) * columns + (columns - 1 - c if mirror else c) for r, c in perm])
    return found
class Rows(Game):
    """m,n,k games, and Order and Chaos. A position is its own text: rows from the top, joined by slashes."""
    def __init__(self, family, text):
        self.chaos = family == 'order-chaos'
        size, _, rest = text.partition(',')
        found = re.fullmatch('([1-8])x([1-8])' if self.chaos else ','.join([NUMBER] * 3), size if self.chaos else text)
        well_formed(found, 'no such board')
        well_formed(not self.chaos or 'without=' not in rest, 'boards that lack cells are not here', Unsupported)
        self.columns, self.rows, *k = map(int, found.groups())
        options = parameters(rest, 'k=5/1/8 symbols=2/1/4 first row') if self.chaos else {'k': k[0], 'row': 'atleast'}
        self.k, self.meaning = int(options['k']), options['row']
        well_formed(1 <= self.k <= max(self.columns, self.rows) <= 16 and 1 <= self.columns * self.rows <= 64, 'no such board')
        self.marks = 'XOAB'[:int(options['symbols'])] if self.chaos else 'XO'
        self.order = ('order', 'chaos').index(options['first']) if self.chaos else None
        stride = self.columns + 1
        self.cells = [row * stride + column for row in range(self.rows) for column in range(self.columns)]
        self.names = ['abcdefghijklmnop'[cell % stride] + str(self.rows - cell // stride) for cell in self.cells]
        self.symmetries = [itemgetter(*perm) for perm in square_symmetries(self.columns, self.rows)]
        self.images = [itemgetter(*image(self.cells)) if len(self.cells) > 1 else itemgetter(0) for image in self.symmetries]
        self.first_position = '/'.join(['.' * self.columns] * self.rows)
        self.row = {marks: self.row_pattern(marks) for marks in ('X', 'O', self.marks)}
    def row_pattern(self, marks):
        """Searches a board for k equal marks in a row; the slashes keep rows from running round the edge."""
        parts = []
        for mark, gap in product(marks, (0, self.columns - 1, self.columns, self.columns + 1)):
            row = f'{mark}(?:.{{{gap}}}{mark}){{{self.k - 1}}}'
            parts.append(row if self.meaning == 'atleast' else f'(?<!{mark}.{{{gap}}}){row}(?!.{{{gap}}}{mark})')
        return re.compile('|'.join(parts)).search
    def windows(self):  # every row of k cells with the cells at its ends, as numbers of cells, in the order of lines
        inside = lambda column, row: 0 <= column < self.columns and 0 <= row < self.rows
        for (dx, dy), y, x in product(((1, 0), (0, 1), (1, 1), (-1, 1)), range(self.rows), range(self.columns)):
            track = []
            while inside(x, y) and (track or not inside(x - dx, y - dy)):
                track.append(y * self.columns + x)
                x, y = x + dx, y + dy
            for i in range(len(track) - self.k + 1 if self.k > 1 or dy == 0 else 0):
                yield track[i:i + self.k], track[max(i - 1, 0):i] + track[i + self.k:i + self.k + 1] if self.k > 1 else []
    def turn(self, position):
        return (len(self.cells) - position.count('.')) % 2
    def outcome(self, position):
        full = '.' not in position
        if self.chaos and (full or self.meaning != 'exact-final') and self.row[self.marks](position):
            return self.order
        if self.chaos: return 1 - self.order if full else None
        return 0 if self.row['X'](position) else 1 if self.row['O'](position) else 2 if full else None
    def moves(self, position):
        marks = self.marks if self.chaos else 'XO'[self.turn(position)]
        for cell, name in zip(self.cells, self.names):
            for mark in marks if position[cell] == '.' else '':
                yield f'{mark}@{name}' if self.chaos else name, position[:cell] + mark + position[cell + 1:]
    def read(self, text):
        """A position, unless it cannot arise: the turn must be right, and one mark must have completed all rows."""
        well_formed(re.fullmatch('/'.join([f'[.{self.marks}]{{{self.columns}}}'] * self.rows), text), f'position `{text}`')
        last = self.marks
        if not self.chaos:
            last, mover = ('O', 'X') if text.count('X') == text.count('O') else ('X', 'O')
            well_formed(text.count('X') - text.count('O') in (0, 1) and not self.row[mover](text), f'`{text}`: whose turn?')
        row = self.row[last]
        well_formed(self.meaning == 'exact-final' or not row(text) or any(
            text[cell] in last and not row(text[:cell] + '.' + text[cell + 1:]) for cell in self.cells),
            f'`{text}`: there was a row before the last move')
        return text
    def key(self, position):
        return min([renamed(image(position)) if self.chaos else image(position) for image in self.images])
def renamed(cells):  # renames the marks in the order in which they appear
    names = {'.': 0}
    return tuple([names.setdefault(cell, len(names)) for cell in cells])

# ------------------------------------------------------------------------------------ games of lines, and races
BITS = [str.maketrans('.XOAB#', bits) for bits in ('010011', '001001', '000110')]
bits_of = lambda mask: [i for i in range(mask.bit_length()) if mask >> i & 1]
mask_of = lambda cells: sum([1 << cell for cell in cells])
where = lambda cells, marks: sum([1 << i for i, cell in enumerate(cells) if cell in marks])
spoils = lambda mark, bit, line: bool(line[1] & bit and line[0] != mark or line[2] & bit and line[0] == mark)
def put(lines, mark, cell):  # the lines after a mark: spoiled ones are gone, the cell is taken off the others
    return [(line[0], line[1] & ~(1 << cell), line[2] & ~(1 << cell)) for line in lines if not spoils(mark, 1 << cell, line)]
class Lines:
    """A game of lines. A line is (mark, wanted, avoided), a live one (mark, lacking, still avoided), in masks of cells.
    A state is (cells, whether the maker is to move, whether there is a spare move)."""
    def __init__(self, game, maker):
        well_formed(isinstance(game, Rows) and (not game.chaos or maker == game.order), 'this side makes no lines here')
        self.game, self.maker, self.alike, self.marks = game, maker, game.chaos, game.marks
        exact, self.settled = game.meaning != 'atleast', game.meaning == 'exact-final'
        self.lines = [(mark, mask_of(wanted), mask_of(ends) if exact else 0) for wanted, ends in game.windows()
                      for mark in (self.marks if game.chaos else 'X') if not (ends and self.settled and self.marks == 'X')]
        self.avoiding = any(avoided for _, _, avoided in self.lines)
        names = [''.join(names) for names in permutations(self.marks)] if game.chaos else [self.marks]
        self.renamings = [str.maketrans(self.marks, new) for new in names]
    def first_state(self, position):
        swap = str.maketrans('XO', 'OX' if not self.alike and self.maker else 'XO')
        return position.replace('/', '').translate(swap), self.game.turn(position) == self.maker, False
    def representative(self, state):
        images = [''.join(image(state[0])).translate(names) for image in self.game.symmetries for names in self.renamings]
        return min(images, key=lambda cells: [cells[::-1].translate(bits) for bits in BITS]), *state[1:]
    def short(self, line):
        return bin(line[1]).count('1') + (bin(line[2]).count('1') if self.settled else 0)
    def reduce(self, cells, maker_moves, spare):
        """Reduces a state: returns the winner's name, or the state without irrelevant cells, and the remaining lines."""
        empty, own = where(cells, '.'), {mark: where(cells, mark) for mark in self.marks}
        lines = [(mark, wanted & empty, avoided & empty) for mark, wanted, avoided in self.lines
                 if not wanted & ~empty & ~own[mark] and not avoided & own[mark]]
        if any(self.short(line) == 0 or self.marks == 'X' and not line[2] for line in lines):
            return 'maker', None
        if not self.avoiding:
            lines = [a for a in lines if not any(a[0] == b[0] and b[1] & ~a[1] == 0 and a[1] != b[1] for b in lines)]
        if not lines: return 'breaker', None
        idle = [cell == '.' and not any((line[1] | line[2]) >> i & 1 for line in lines) for i, cell in enumerate(cells)]
        spare ^= sum(idle) % 2 == 1
        kept, cells = ''.join(['#' if out else cell for out, cell in zip(idle, cells)]), ''
        while kept != cells:
            cells, kept = kept, self.mattering(kept, set(lines))
        if maker_moves and any(self.short(line) == 1 for line in lines): return 'maker', None
        return (cells, maker_moves, spare), lines
    def mattering(self, cells, left):
        """Removes the marks that no remaining line wants and that do not keep a line dead from its end."""
        empty, own, keep = where(cells, '.'), {mark: where(cells, mark) for mark in self.marks}, 0
        for mark, wanted, avoided in self.lines:
            if not wanted & ~empty & ~own[mark]:
                lives = not avoided & own[mark] and (mark, wanted & empty, avoided & empty) in left
                keep |= (wanted if lives else avoided) & own[mark]
        return ''.join(['#' if cell in self.marks and not keep >> i & 1 else cell for i, cell in enumerate(cells)])
    def replies(self, state, lines, zone=-1):
        """The states after the undominated moves of the side to move, within the cells of a zone."""
        cells, maker_moves, spare = state
        lacking = {i: {n for n, line in enumerate(lines) if line[1] >> i & 1} for i, c in enumerate(cells) if c == '.'}
        avoiding = {i: {line[0] for line in lines if line[2] >> i & 1} for i in lacking}
        single = [i for i in lacking if not avoiding[i] and len({lines[n][0] for n in lacking[i]}) == 1]
        outdone = {c for c in single for d in single if lacking[c] < lacking[d] or lacking[c] == lacking[d] and d < c}
        for cell in [cell for cell in lacking if zone >> cell & 1 and cell not in outdone]:
            wanting = {lines[n][0] for n in lacking[cell]}
            def prefers(p, q):
                p, q = (q, p) if maker_moves else (p, q)
                return p not in wanting and q not in avoiding[cell]
            for i, q in enumerate(self.marks):
                if not any(p != q and prefers(p, q) and (j < i or not prefers(q, p)) for j, p in enumerate(self.marks)):
                    yield cells[:cell] + q + cells[cell + 1:], not maker_moves, spare
    def pairs_hold(self, lines, pairs, state):
        charged = {pair: [] for pair in [None, *pairs]}
        for line in lines:
            charged[next((pair for pair in pairs if len(self.marks) > 1 and self.meets(pair, line)), None)].append(line)
        if charged.pop(None) or len(self.marks) > 2 and any(
                len({line[0] for line in those if line[2] >> a & line[2] >> b & 1}) > 1 for (a, b, _), those in charged.items()):
            return False
        closed, left = pairs if ((state[0].count('.') + state[2]) % 2 == 1) == state[1] else [], None
        while closed != left:
            held, left = {cell for pair in closed for cell in pair[:2]}, closed
            closed = [pair for pair in closed if not self.opens(charged[pair], pair, held)]
        return not closed
    def meets(self, pair, line):
        a, b, same = pair
        lacks, avoids = (line[1] >> a & 1, line[1] >> b & 1), (line[2] >> a & 1, line[2] >> b & 1)
        ends = (lacks[0] and avoids[1] or lacks[1] and avoids[0]) if same else all(avoids)
        return self.settled and ends or not same and all(lacks)
    def opens(self, lines, pair, held):
        """Whether one mark in one cell of the pair spoils all lines, possibly after some free cell is filled."""
        def one_mark(those):
            return any(all(spoils(mark, 1 << cell, line) for line in those) for mark in self.marks for cell in pair[:2])
        return one_mark(lines) or any(
            all(one_mark([line for line in lines if not spoils(mark, 1 << cell, line)]) for mark in self.marks)
            for cell in range(len(self.game.cells)) if cell not in held)
    def follow(self, lines, moves):  # the zone of threats that win, taken off the front of a list of moves; None if they fail
        mark, cell = moves.pop(0) if moves else ('', 0)
        bit = 1 << cell if mark else 0
        for line in lines:
            if self.short(line) == 1 and not spoils(mark, bit, line) and (line[1] | (line[2] if self.settled else 0)) & bit:
                return line[1] | line[2]
        touched, lines = any((line[1] | line[2]) & bit for line in lines), put(lines, mark, cell)
        short = [line for line in lines if self.short(line) == 1]
        if not touched or not short: return None
        ends = sorted({cell for line in short for cell in bits_of(line[1])})
        if not self.avoiding and len(ends) > 1: return bit | mask_of(ends[:2])
        zone = bit | short[0][1] | short[0][2]
        parries = [(c, m) for c in bits_of(short[0][1] | short[0][2]) for m in self.marks if spoils(m, 1 << c, short[0])]
        for line in short[1:]:
            kept = [(c, m) for c, m in parries if spoils(m, 1 << c, line)]
            zone |= line[1] | line[2] if kept != parries else 0
            parries = kept
        for c, m in parries:
            after = put(lines, m, c)
            complete = next((line for line in after if self.short(line) == 0), None)
            below = 1 << c | complete[2] if complete else self.follow(after, moves)
            if below is None: return None
            zone |= below
        return zone
def read_moves(words, marks, cells, demand=proven):  # moves such as X12 into empty cells, each as its mark and its cell
    found = [re.fullmatch(f'([{marks}]){NUMBER}', word) for word in words]
    moves = [(move[1], int(move[2])) for move in found if move and int(move[2]) in cells]
    demand(len(moves) == len(words), 'a move does not exist')
    return moves
def read_pairs(words, cells):
    found = [re.fullmatch(f'{NUMBER}([-=]){NUMBER}', word) for word in words]
    used = [int(pair[i]) for pair in found if pair for i in (1, 3)]
    proven(len(set(used)) == 2 * len(words) and all(cell < cells for cell in used), 'pairs must be of different cells')
    return [(int(pair[1]), int(pair[3]), pair[2] == '=') for pair in found]
def check_states(play, start, entries, look, follow):
    """Visits every state that the reasons lead to; each needs exactly one entry, and every entry must be needed."""
    table, used, waiting = dict(entries), set(), [play.first_state(start)]
    while waiting:
        state = look(waiting.pop())
        state = play.representative(state) if state else ('', True, False)
        text = state[0] + 'bm'[state[1]] + '+' * state[2]
        if state[0] and text not in used:
            proven(text in table, f'an entry is missing: {text}')
            used.add(text)
            after = follow(state, table[text][0], table[text][1:], [i for i, cell in enumerate(state[0]) if cell == '.'])
            well_formed(after is not None, f'`{table[text][0]}` is not a reason for {text}')
            waiting += after
    well_formed(len(used) == len(table), 'an entry is never asked for')
def check_lines(game, start, head, entries, _key):
    maker, makes = SIDES[head[0]], head[1] == 'makes'
    play = Lines(game, maker)
    well_formed(play.alike or not makes, 'in this game the other side may be first to complete a line')
    def look(state):
        reduced, lines = play.reduce(*state)
        proven(lines or reduced == ('maker' if makes else 'breaker'), f'the {reduced} has won')
        return reduced if lines else None
    def follow(state, name, words, empty):
        text, maker_moves, spare = state
        lines, winner_moves = play.reduce(*state)[1], maker_moves == makes
        if name == 'play' and winner_moves and len(words) == 1:
            (mark, cell), = read_moves(words, play.marks, empty)
            return [(text[:cell] + mark + text[cell + 1:], not maker_moves, spare)]
        if (name, words) == ('wait', []) and winner_moves and spare: return [(text, not maker_moves, False)]
        if (name, words) == ('all', []) and not winner_moves:
            return [*play.replies(state, lines), *([(text, not maker_moves, False)] if spare else [])]
        if name == 'threats' and makes and not maker_moves:
            moves = read_moves(words, play.marks, empty)
            zone = play.follow(lines, moves)
            proven(zone is not None and not moves, f'the threats fail at {text}')
            return play.replies(state, lines, zone)
        if name == 'pairs' and not makes:
            proven(play.pairs_hold(lines, read_pairs(words, len(state[0])), state), f'the pairs do not hold at {text}')
            return []
        if name == 'meet' and not makes and maker_moves:
            zone = -1
            for move, *pairs in (part.split(' ') for part in ' '.join(words).split(' meet ')):
                (mark, cell), = read_moves([move], play.marks, empty)
                pairs = read_pairs(pairs, len(state[0]))
                proven(play.pairs_hold(put(lines, mark, cell), pairs, state), f'the pairs do not hold at {text}')
                zone &= mask_of({cell, *(c for pair in pairs for c in pair[:2])})
            return play.replies(state, lines, zone)
    check_states(play, start, entries, look, follow)
    return (maker, WIN) if makes else (1 - maker, WIN if play.alike else DRAW)
def check_race(game, start, head, entries, _key):
    play = Lines(game, SIDES[head[0]])
    well_formed(not play.alike, 'there are no races in this game')
    def live(text):  # of both sides the live lines: what they lack, and all their cells
        empty = where(text, '.')
        found = [[line for _, line, _ in play.lines if not line & ~where(text, '.' + mark)] for mark in 'XO']
        return [[line & empty for line in lines] for lines in found], [{c for m in lines for c in bits_of(m)} for lines in found]
    def single(lines):  # the cells in which a line can be completed
        return sorted({bits_of(line)[0] for line in lines if line and not line & (line - 1)})
    def look(state):
        text, moves, _ = state
        (own, others), (mine, theirs) = live(text)
        proven(0 not in others and (moves or not single(others)), 'the other side completes a line')
        if 0 in own or moves and single(own): return None
        proven(own, 'no line is left')
        cover = {'X': mine, 'O': theirs, '.': mine | theirs, '#': ()}
        return ''.join([cell if i in cover[cell] else '#' for i, cell in enumerate(text)]), moves, False
    def forced(own, others, moves):  # the zone and the replies of threats that win; None if they fail
        zone = replies = 0
        for i, cell in enumerate(moves):
            last, bit = i == len(moves) - 1, 1 << cell
            if cell in single(own): return (zone | bit, replies) if last else None
            own, others, zone = [line & ~bit for line in own], [line for line in others if not line & bit], zone | bit
            ends = single(own)
            if single(others) or len(ends) != 1:
                return (zone | mask_of(ends[:2]), replies) if last and ends and not single(others) else None
            bit = 1 << ends[0]
            own, others = [line for line in own if not line & bit], [line & ~bit for line in others]
            zone, replies = zone | bit, replies | bit
    def follow(state, name, words, empty):
        text, moves, _ = state
        after = lambda cell: (text[:cell] + ('X' if moves else 'O') + text[cell + 1:], not moves, False)
        if name == 'play' and moves and len(words) == 1:
            return [after(cell) for _, cell in read_moves(['X' + words[0]], 'X', empty, well_formed)]
        if (name, words) == ('all', []) and not moves: return [after(cell) for cell in empty]
        if name == 'threats':
            (own, others), _ = live(text)
            moved = [cell for _, cell in read_moves(['X' + word for word in words], 'X', empty, well_formed)]
            found = forced(own, others, moved)
            proven(found, f'the threats fail at {text}')
            zone, replies = found
            for rest in (line & ~replies for line in others):
                zone |= rest if bin(rest).count('1') <= 2 else 0
            return [] if moves else [after(cell) for cell in bits_of(zone)]
    check_states(play, start, entries, look, follow)
    return play.maker, WIN

# ------------------------------------------------------------------------- arguments about Order and Chaos
def check_lifted(game, start, head, entries, _key):
    """Order wins on an inner square of n with rows of n; opposite border places get different marks."""
    well_formed(isinstance(game, Rows) and game.chaos and start == game.first_position, 'not Order and Chaos from the start')
    n = game.columns - 2
    proven(game.rows == n + 2 and n > 1 and game.k == n + 1 and game.marks == 'XO', 'the lemma needs n + 2 and rows of n + 1')
    proven(game.meaning != 'exact-final' or game.order == 1 and n % 2 == 0, 'the lemma needs Chaos first and an even board')
    inner = Rows('order-chaos', f'{n}x{n}' + (f',k={n}' if n != 5 else '') + (',first=chaos' if game.order else ''))
    head = ('first', 'second')[game.order], 'win', '-'
    return check_strategy(inner, inner.first_position, head, entries, lambda position: position)
def check_pairing(game, start, head, entries, _key):
    """Chaos, second, answers in the other cell of each pair: then no full board has a row of exactly k."""
    well_formed(isinstance(game, Rows) and game.chaos and start == game.first_position, 'not Order and Chaos from the start')
    proven(game.marks == 'XO' and game.order == 0 and game.meaning == 'exact-final' and len(game.cells) <= 48,
           'the argument needs two marks, Order first and only the full board judged')
    partner = {}
    for a, (b, how) in entries:
        well_formed(a in game.names and b in game.names, f'`{a} {b}` are not two cells')
        a, b = game.names.index(a), game.names.index(b)
        well_formed(a < b and a not in partner and b not in partner, 'pairs must be of different cells, the lower first')
        partner[a], partner[b] = (b, how == 'same'), (a, how == 'same')
    proven(len(partner) == len(game.cells), 'the pairs do not cover the board')
    for wanted, ends in game.windows():
        marks = {**dict.fromkeys(wanted, 'X'), **dict.fromkeys(ends, 'O')}  # by symmetry the row is one of X
        proven(any(partner[cell][0] in marks and (marks[partner[cell][0]] == mark) != partner[cell][1]
                   for cell, mark in marks.items()), 'the pairs allow a row')
    return 1, WIN

# ---------------------------------------------------------------------------------------------------- heaps
def partitions(total, parts, least=1):  # ways to write a number as a sum of so many positive parts, smallest first
    if parts <= 1: return [(total,)] if parts and total >= least else [()] if not parts and not total else []
    return [(a, *rest) for a in range(least, total // parts + 1) for rest in partitions(total - a, parts - 1, a)]
class Heaps(Game):
    """Heap games. A position is a sorted tuple of heaps and the side to move."""
    def __init__(self, family, text):
        text, comma, rest = text.partition(',play=')
        self.misere = parameters(comma[1:] + rest, 'play')['play'] == 'misere'
        rule, _, heaps = (text.rpartition(':') if ':' in text else text.rpartition(';')) if family in ('heap', 'subtract') else ('', '', text)
        rule = {'kayles': '0.77', 'dawson': '0.137'}.get(family, rule)
        if family == 'subtract':
            well_formed(all(re.fullmatch(NUMBER, word) for word in rule.split(',')), 'expected numbers to take')
            self.taken = [int(word) for word in rule.split(',')]
            well_formed(self.taken == sorted({n for n in self.taken if 1 <= n <= 4096}), 'expected numbers to take')
        well_formed('@' not in heaps and (family != 'heap' or re.fullmatch('[048c][.]([0-9a-f]*[1-9a-f])?', rule)), 'expected a code')
        self.family, self.digits = family, [int(digit, 16) for digit in rule if '.' in rule and digit != '.']
        self.read(heaps)
        self.options = lru_cache(None)(self.options)
    def read(self, text):
        found = re.fullmatch('(0|[1-9][0-9]{0,6}(?:[+][1-9][0-9]{0,6})*)(@second)?', text)
        heaps = tuple(n for n in map(int, found[1].split('+')) if n) if found else ()
        well_formed(found and heaps == tuple(sorted(heaps)) and max(heaps, default=0) <= 1_000_000, f'position `{text}`')
        return heaps, 1 if found[2] else 0
    def key(self, position):
        return position
    def options(self, heap):  # the results of a move in one heap
        if self.family == 'grundy': return [(a, heap - a) for a in range(1, (heap + 1) // 2)]
        if self.family in ('nim', 'subtract'):
            taken = self.taken if self.family == 'subtract' else range(1, heap + 1)
            return [(heap - n,) if heap > n else () for n in taken if n <= heap]
        return sorted({left for taken, digit in enumerate(self.digits[:heap + 1]) for parts in range(4)
                       if digit >> parts & 1 for left in partitions(heap - taken, parts)})
    def outcome(self, position):
        if not any(self.options(heap) for heap in position[0]):
            return position[1] if self.misere else 1 - position[1]
    def moves(self, position):
        for heap in sorted(set(position[0])):
            rest = position[0][:position[0].index(heap)] + position[0][position[0].index(heap) + 1:]
            for parts in self.options(heap):
                yield f"{heap}>{'+'.join(map(str, parts)) or '0'}", (tuple(sorted(rest + parts)), 1 - position[1])

# ---------------------------------------------------------------------------------------------------- mills
COMMON = 'line fly blocked early diagonals=centre bar'
MILLS = {'antrin': 'men=%s/2/9 line fly blocked early diagonals bar', 'achi': 'men=4/2/4 ' + COMMON,
    'three-mens': 'men=3/2/4 ' + COMMON, 'tapatan': 'men=3/2/4 ' + COMMON,
    'nine-holes': 'men=3/2/4 line fly=always blocked early diagonals bar',
    'picaria': 'men=3/2/6 line fly blocked early diagonals=all bar points',
    'tant-fant': 'lines line fly blocked diagonals=centre start early bar', 'shisima': 'line fly blocked start early bar',
    'rota': 'men=3/2/4 line fly blocked early bar', 'tsoro-yematatu': 'men=3/2/3 line fly blocked early',
    'morris': 'men=%s/3/12 line=captures|wins fly=%s blocked early diagonals=%s bar'}
MORRIS = {'five': (5, 'never', 'none|corners'), 'six': (6, 'never', 'none|corners'), 'seven': (7, 'never', 'none|corners'),
          'nine': (9, 'at3', 'none|corners'), 'morabaraba': (12, 'at3', 'corners|none'), 'lasker': (10, 'at3', 'none|corners')}
# Drawn boards: rows of points, lines that are mills, ways that are none, ways from corner to corner, the centre.
TWO_SQUARES = ('a5 c5 e5/b4 c4 d4/a3 b3 d3 e3/b2 c2 d2/a1 c1 e1',
               'a5 c5 e5,b4 c4 d4,b2 c2 d2,a1 c1 e1,a5 a3 a1,b4 b3 b2,d4 d3 d2,e5 e3 e1',
               'a3 b3,d3 e3,c5 c4,c2 c1', 'a5 b4,e5 d4,a1 b2,e1 d2', None)
BOARDS = {'five': TWO_SQUARES, 'six': TWO_SQUARES,
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
    'tsoro-yematatu': ('a1/b1 b2 b3/c1 c2 c3', 'a1 b1 c1,a1 b2 c2,a1 b3 c3,b1 b2 b3,c1 c2 c3', '', '', None)}
def drawn_board(name, corners):
    rows, lines, ways, diagonals = ([path.split() for path in re.split('[,/]', text) if path] for text in BOARDS[name][:4])
    diagonals = diagonals if corners else []
    return rows, lines + [path for path in diagonals if len(path) == 3], lines + ways + diagonals, BOARDS[name][4]
def grid_board(n, family, options):
    rows = [[f'{letter}{row}' for letter in 'abcdef'[:n]] for row in range(1, n + 1)]
    columns, diagonals = list(zip(*rows)), [[rows[i][i] for i in range(n)], [rows[i][n - 1 - i] for i in range(n)]]
    lines = [*rows, *columns] if family in ('antrin', 'nine-holes') else [*rows, *columns, *diagonals]
    if family == 'tant-fant':
        lines = diagonals if options['lines'] == 'diagonals' else [rows[1], *columns, *diagonals]
    pairs = [pair for r, c in product(range(n - 1), repeat=2)
             for pair in ((rows[r][c], rows[r + 1][c + 1]), (rows[r + 1][c], rows[r][c + 1]))]
    ways = [*rows, *columns, *{'none': [], 'centre': diagonals, 'all': pairs}[options['diagonals']]]
    return rows, lines, ways, rows[n // 2][n // 2] if n % 2 else None
RULES = ('men=([1-9]|1[0-5]) line=(wins|captures) fly=(never|at3|always) blocked=(loses|passes|draws) early=(wins|ignored|forbidden) '
         'bar=(none|first|placing) mixed=(false|true) points=(.+) edges=(.*) leaps=(.*) lines=(.*) start=(.+)')
def ruled_board(text, rules):
    """The board of a `board:` game from the line of rules in the file; every list is sorted by the order of the points."""
    found = re.fullmatch(RULES, rules or '')
    well_formed(found and re.fullmatch('(?!example#).+#' + blake3(rules.encode())[:32], text), 'the rules are not those of the hash')
    *values, points, edges, leaps, lines, start = found.groups()
    points = [re.fullmatch(f'([^@;, -]+)@{NUMBER},{NUMBER}', point) for point in points.split(';')]
    well_formed(all(points), 'expected points')
    names, at = [point[1] for point in points], [(int(point[3]), int(point[2])) for point in points]
    paths = [[path.split('-') for path in text.split(';') if text] for text in (edges, leaps, lines)]
    men = [side.split(',') for side in start.split('/')] if start != 'empty' else [[], []]
    well_formed(all(name in names for path in sum(paths, men) for name in path), 'a point does not exist')
    well_formed(all(len(path) == 2 for path in paths[0]) and all(len(path) == 3 for path in paths[1]), 'edges or leaps')
    numbers = [[tuple(map(names.index, path)) for path in part] for part in (*paths, men)]
    well_formed(at == sorted(set(at)) and len(set(names)) == len(names) and len(men) == 2, 'points')
    well_formed(start == 'empty' or not set(men[0]) & set(men[1]) and {len(side) for side in men} == {int(values[0])}, 'men at the start')
    well_formed(all(part == sorted(set(part)) for part in numbers[:3]) and all(p == tuple(sorted(set(p))) for p in
                numbers[0] + numbers[2] + numbers[3]) and all(p[0] < p[-1] for p in numbers[1]), 'rules out of order')
    centre = [name for name, (y, x) in zip(names, at) if 2 * y == at[0][0] + at[-1][0]
              and 2 * x == min(at, key=lambda a: a[1])[1] + max(at, key=lambda a: a[1])[1]]
    rows = [[name for name, (y, _) in zip(names, at) if y == row] for row in sorted({y for y, _ in at})]
    options = dict(zip(('men', 'line', 'fly', 'blocked', 'early', 'bar', 'mixed'), values), start='set' if men[0] else 'placed')
    first = '/'.join(''.join('W' if name in men[0] else 'B' if name in men[1] else '.' for name in row) for row in rows) + ':w'
    return (rows, paths[2], paths[0], centre[0] if centre else None, paths[1], options), first if men[0] else None
class Mill(Game):
    """Mill games. A position is (points, side to move, men in hand of both, whether the mover has just lost)."""
    def __init__(self, family, text, rules=None):
        first, _, rest = text.partition(',') if family in ('antrin', 'morris') else ('', '', text)
        if family == 'board':
            board, start = ruled_board(text, rules)
            self.set_up(*board)
            if start: self.read(start)
            return
        well_formed(first in {'antrin': ('3', '4', '5', '6'), 'morris': MORRIS}.get(family, ('',)), 'no such board')
        options = parameters(rest, MILLS[family] % (first if family == 'antrin' else MORRIS.get(first, ())))
        name = 'nine' if first in ('morabaraba', 'lasker') else '13' if options.get('points') == '13' else first or family
        rows, lines, ways, centre = drawn_board(name, options.get('diagonals') == 'corners') if name in BOARDS \
            else grid_board(int(first or 3), family, options)
        well_formed(name != '13' or options['diagonals'] == 'all', 'diagonals are for nine points')
        well_formed(options.get('start') != 'set' or (options.get('early', 'wins'), options.get('bar', 'none')) == ('wins', 'none'),
                    'rules about placing where the men are set')
        options['mixed'] = 'true' if first == 'lasker' else 'false'
        self.set_up(rows, lines, ways, centre, lines if family == 'tsoro-yematatu' else [], options)
    def set_up(self, rows, lines, ways, centre, leaps, options):
        self.rows, self.names = [len(row) for row in rows], sum(rows, [])
        number = self.names.index
        self.lines = [tuple(sorted(map(number, line))) for line in lines]
        self.ways = {(number(a), number(b)) for path in ways for pair in zip(path, path[1:]) for a, b in (pair, pair[::-1])}
        self.leaps = {tuple(map(number, leap)) for line in leaps for leap in (line, line[::-1])}
        self.centre, self.mixed, self.men = centre and number(centre), options['mixed'] == 'true', int(options.get('men', 3))
        self.line, self.fly, self.blocked = options['line'], options['fly'], options['blocked']
        self.early, self.bar = options.get('early', 'wins'), options.get('bar', 'none')
        self.set = options.get('start') == 'set'
        self.passes_early = self.blocked == 'passes' and (self.early == 'forbidden' or self.bar == 'placing')
        well_formed((self.bar == 'none' or centre) and 2 * self.men <= len(self.names) and (self.line == 'wins' or self.men > 2),
                    'rules without a meaning on this board')
        self.lines_at = [[line for line in self.lines if point in line] for point in range(len(self.names))]
        self.steps = [sorted(b for a, b in self.ways if a == point) for point in range(len(self.names))]
        self.images = [itemgetter(*perm) for perm in self.automorphisms()]
    def automorphisms(self):  # the permutations of the points that keep ways, lines and leaps
        lines, count, perms = set(self.lines), len(self.names), [[]]
        for point in range(count):
            if len(perms) > 10000: break
            perms = [perm + [image] for perm in perms for image in range(count) if image not in perm
                     and len(self.steps[image]) == len(self.steps[point])
                     and all(((point, q) in self.ways) == ((image, perm[q]) in self.ways) for q in range(point))]
        kept = [perm for perm in perms if len(perm) == count and {tuple(sorted(perm[p] for p in line)) for line in lines} == lines
                and {tuple(perm[p] for p in leap) for leap in self.leaps} == self.leaps
                and (self.bar == 'none' or perm[self.centre] == self.centre)]
        return kept if 0 < len(kept) < 97 else [list(range(count))]
    def read(self, text):  # a position, unless the number of men or a line that stands shows that it cannot arise
        rows = '/'.join(f'[.WB]{{{length}}}' for length in self.rows)
        found = re.fullmatch(f'({rows}):([wb])(!?)(?::(?!0-0){NUMBER}-{NUMBER})?', text)
        well_formed(found, f'position `{text}`')
        cells, side, white, black = found[1].replace('/', ''), 'wb'.index(found[2]), int(found[4] or 0), int(found[5] or 0)
        lost = found[3] == '!'
        men = [cells.count('W') + white, cells.count('B') + black]
        well_formed(max(men) <= self.men and (self.line == 'captures' or min(men) == self.men), f'`{text}`: men')
        well_formed(not (white or black) or not self.set and (self.mixed or self.passes_early or white == black - side), f'`{text}`: hands')
        stands = [any(all(cells[p] == mark for p in line) for line in self.lines) for mark in ('WB', 'BW')[side]]
        well_formed(not lost or self.line == 'wins' and stands[1], f'`{text}`: the last move made no line')
        well_formed(self.line != 'wins' or self.early == 'ignored' or stands == [False, lost], f'`{text}`: a line stands')
        return cells, side, white, black, lost
    def outcome(self, position):
        cells, side, white, black, lost = position
        if lost or self.line == 'captures' and cells.count('WB'[side]) + (white, black)[side] < 3:
            return 1 - side
        if '.' not in cells: return 2
        if self.blocked != 'passes' and next(self.moves(position), None) is None:
            return 2 if self.blocked == 'draws' else 1 - side
    def moves(self, position):
        cells, side, white, black, _ = position
        own, hand, count, steps, blocked = 'WB'[side], (white, black)[side], cells.count('WB'[side]), [], True
        if hand:
            barred = self.bar == 'placing' or self.bar == 'first' and white == black == self.men
            steps = [(None, to) for to in range(len(cells)) if not (barred and to == self.centre)]
        if not hand or self.mixed:
            flies = self.fly == 'always' or self.fly == 'at3' and count <= 3 and not hand
            for origin in [i for i, mark in enumerate(cells) if mark == own]:
                leaps = {b for a, over, b in self.leaps if a == origin and cells[over] != '.'}
                steps += [(origin, to) for to in (range(len(cells)) if flies else leaps.union(self.steps[origin]))]
        for origin, to in steps:
            if cells[to] == '.':
                after = cells[:to] + own + cells[to + 1:]
                hands = white - (origin is None and side == 0), black - (origin is None and side == 1)
                name = self.names[to]
                if origin is not None:
                    after, name = after[:origin] + '.' + after[origin + 1:], f'{self.names[origin]}-{name}'
                for taken, end in self.ends(after, side, to, hands, origin is None):
                    blocked = False
                    yield name + taken, end
        if blocked and self.blocked == 'passes': yield 'pass', (cells, 1 - side, white, black, False)
    def closed(self, cells, point):
        return any(all(cells[p] == cells[point] for p in line) for line in self.lines_at[point])
    def ends(self, cells, side, to, hands, placing):
        """The ways to complete a move after a man reaches a point: nothing more, a win, or a capture."""
        made = self.closed(cells, to)
        if made and placing and self.early == 'forbidden': return
        made = made and not (placing and self.early == 'ignored')
        victims = [i for i, mark in enumerate(cells) if mark == 'BW'[side]] if made and self.line == 'captures' else []
        if not victims: yield '', (cells, 1 - side, *hands, made and self.line == 'wins')
        for i in [i for i in victims if not self.closed(cells, i)] or victims:
            yield 'x' + self.names[i], (cells[:i] + '.' + cells[i + 1:], 1 - side, *hands, False)

# ------------------------------------------------------------------------------------------------------ Tak
pieces_in = lambda stacks: len(re.findall('[12]', ' '.join(stacks)))
RESERVES = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1), 7: (40, 2), 8: (50, 2)}
class Tak(Game):
    """Tak. A position is (stacks row by row from the top left, side to move); a stack is written from its bottom."""
    def __init__(self, _family, text):
        size, _, rest = text.partition(',')
        found = re.fullmatch('([3-8])|([1-8])x([1-8])', size)
        well_formed(found and not (found[2] and found[2] == found[3] >= '3'), 'no such board')
        self.columns, self.rows = columns, rows = (int(found[1]),) * 2 if found[1] else (int(found[2]), int(found[3]))
        flats, caps = RESERVES[next(n for n in range(3, 9) if n * n >= columns * rows)]
        komi = '|'.join(f'{n / 2:g}' for n in [0, *range(-20, 0), *range(1, 21)])
        options = parameters(rest, f'komi={komi} opening flats={flats}/1/63 caps={caps}/0/9 draw')
        if options['draw'] != 'none': raise Unsupported('Tak with a draw rule')
        self.swap, self.komi = options['opening'] == 'swap', float(options['komi'])
        self.reserve = int(options['flats']), int(options['caps'])
        self.images = [itemgetter(*perm) if len(perm) > 1 else tuple for perm in square_symmetries(columns, rows)]
        count = columns * rows
        self.names = ['abcdefgh'[i % columns] + str(rows - i // columns) for i in range(count)]
        self.rays = [{'+': range(i - columns, -1, -columns), '-': range(i + columns, count, columns),
                      '<': range(i - 1, i - i % columns - 1, -1), '>': range(i + 1, i - i % columns + columns)} for i in range(count)]
    def read(self, text):  # a position, unless it is not written as it would be, has too many pieces or the wrong side begins
        found = re.fullmatch('([x12SC,/0-9]*)_([12])_([1-9][0-9]{0,5}|1000000)', text)
        well_formed(found and not re.search('x[2-8]?,x', found[1]), f'position `{text}`')
        rows = re.sub('x([2-8])', lambda run: ','.join('x' * int(run[1])), found[1]).split('/')
        words, side = ','.join(rows).split(','), int(found[2]) - 1
        well_formed(all(re.fullmatch('x|[12]+[SC]?', word) for word in words), f'position `{text}`')
        well_formed([row.count(',') + 1 for row in rows] == [self.columns] * self.rows, f'position `{text}`')
        stacks = tuple(word.replace('x', '') for word in words)
        well_formed(all(min(self.left(stacks, player)) >= 0 for player in (0, 1)), f'`{text}`: too many pieces')
        well_formed(pieces_in(stacks) > 1 or side == pieces_in(stacks), f'`{text}`: white moves first')
        return stacks, side
    def left(self, stacks, side):  # stones and capstones of a side that are not on the board
        text, mark = ' '.join(stacks), '12'[side]
        return self.reserve[0] - text.count(mark) + text.count(mark + 'C'), self.reserve[1] - text.count(mark + 'C')
    def road(self, stacks, side):  # whether a side's flats and capstones join opposite edges
        own = {i for i, stack in enumerate(stacks) if stack.endswith(('12'[side], '12'[side] + 'C'))}
        for back, forth in (('+', '-'), ('<', '>')):
            reached, before = {i for i in own if not self.rays[i][back]}, None
            while reached != before:
                before, reached = reached, reached | own & {ray[0] for i in reached for ray in self.rays[i].values() if ray}
            if any(not self.rays[i][forth] for i in reached): return True
    def outcome(self, position):
        stacks, side = position
        winner = next((player for player in (1 - side, side) if self.road(stacks, player)), None)
        if winner is not None or '' in stacks and all(any(self.left(stacks, player)) for player in (0, 1)):
            return winner
        lead = sum((stack[-1:] == '1') - (stack[-1:] == '2') for stack in stacks) - self.komi
        return 0 if lead > 0 else 1 if lead < 0 else 2
    def moves(self, position):
        stacks, side = position
        opening = self.swap and pieces_in(stacks) < 2
        stones, caps = self.left(stacks, side)
        kinds = [('', '21'[side])] if opening else [(kind, '12'[side] + kind) for kind, some in (
            ('', stones), ('S', stones), ('C', caps)) if some]
        for i, stack in enumerate(stacks):
            for letter, piece in kinds if not stack else ():
                yield letter + self.names[i], (stacks[:i] + (piece,) + stacks[i + 1:], 1 - side)
            if stack and stack.rstrip('SC')[-1] == '12'[side] and not opening:
                pieces = re.findall('[12][SC]?', stack)
                for (way, ray), count in product(self.rays[i].items(), range(1, min(self.columns, self.rows, len(pieces)) + 1)):
                    board = list(stacks)
                    board[i] = ''.join(pieces[:-count])
                    for drops, after in self.slide(board, ray, pieces[-count:]):
                        yield (f"{count if count > 1 else ''}{self.names[i]}{way}{drops if len(drops) > 1 else ''}",
                               (tuple(after), 1 - side))
    def slide(self, board, ray, pieces):
        """Drops pieces on the squares ahead, at least one on each; yields the numbers dropped and the board afterwards."""
        if not pieces:
            yield '', board
        elif ray and board[ray[0]][-1:] != 'C' and (board[ray[0]][-1:] != 'S' or len(pieces) == 1 and pieces[0][-1] == 'C'):
            for n in range(1, len(pieces) + 1):
                after = list(board)
                after[ray[0]] = board[ray[0]].rstrip('S') + ''.join(pieces[:n])
                for drops, end in self.slide(after, ray[1:], pieces[n:]):
                    yield f'{n}{drops}', end

# ---------------------------------------------------------------------------------------------- the verdict
GAMES = {'mnk': Rows, 'order-chaos': Rows, 'tak': Tak, 'board': Mill, **dict.fromkeys(MILLS, Mill),
         **dict.fromkeys(('heap', 'subtract', 'nim', 'kayles', 'dawson', 'grundy'), Heaps)}
OTHERS = ('drop', 'treblecross', 'ellie', 'cram', 'circular-nim', 'sum')
CHECKS = {'strategy': check_strategy, 'lines': check_lines, 'race': check_race, 'lifted': check_lifted,
          'pairing': check_pairing, 'values': check_values}
@lru_cache(None)
def find_game(spelling, rules=None):
    family, colon, text = spelling.partition(':')
    well_formed(family not in OTHERS and spelling != 'board:example', f'the rules of `{family}` are not here', Unsupported)
    well_formed(family in GAMES and bool(colon) == bool(text), f'no game is spelled `{spelling}`')
    well_formed(rules is None or family == 'board', 'only the rules of a board stand in the file')
    return GAMES[family](family, text, rules) if family == 'board' else GAMES[family](family, text)
def check(data):  # the statement that a file proves; raises Corrupt, Refuted or Unsupported
    spelling, rules, text, claim, symmetry, sections = read_certificate(data)
    game = find_game(spelling, rules)
    start = game.read(text)
    key = lru_cache(None)(game.key) if symmetry else lambda position: position
    results, mover = [CHECKS[kind](game, start, head, entries, key) for kind, head, entries in sections], game.turn(start)
    needed = {'value win': [(mover, WIN)], 'value loss': [(1 - mover, WIN)], 'value draw': [(0, DRAW), (1, DRAW)],
              'table': ['values'], **{f'at-least {s} {r}': [(SIDES[s], RESULTS[r])] for s in SIDES for r in RESULTS}}
    proven(results == needed[claim], 'the sections do not add up to the claim')
    return f'{spelling} from {text}: {claim}'
def judge(path):
    try:
        with open(path, 'rb') as file:
            return 0, 'proved', check(file.read())
    except (Corrupt, Refuted, Unsupported) as error:
        return error.code, type(error).__name__.lower(), str(error)
def main(arguments):
    names = [name for name in arguments if name != '--json']
    files = [path for name in names for path in ([name] if not os.path.isdir(name) else
             sorted(os.path.join(name, inner) for inner in os.listdir(name))) if os.path.isfile(path)]
    if not files or not all(map(os.path.exists, names)):
        return print(__doc__.strip(), file=sys.stderr) or 2
    answers = []
    for path in files:
        answers.append(judge(path))
        if '--json' not in arguments:
            print(f'{answers[-1][1]}: {path}: {answers[-1][2]}')
    if '--json' in arguments:
        print(json.dumps([{'file': f, 'verdict': verdict, 'why': why} for f, (_, verdict, why) in zip(files, answers)], indent=1))
    return max(code for code, _, _ in answers)
if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
