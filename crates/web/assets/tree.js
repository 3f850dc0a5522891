// The game tree: the moves played and all branches tried, with marks and comments.

/** The number of a half move as every page writes it: `3.` for the first side and `3…` for the second. */
export const numbered = (ply) => `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '…'}`;

/** A position in the tree. */
export class Node {
  constructor(parent, mv, seen) {
    this.parent = parent;
    this.mv = mv;
    this.children = [];
    this.ply = parent ? parent.ply + 1 : 0;
    /** What a person says about the move. */
    this.marks = '';
    this.comment = '';
    Object.assign(this, seen);
    /** The full description of the position, once it was requested. */
    this.full = undefined;
    /** The values of the moves, once they were requested; null if they are unknown. */
    this.worth = undefined;
  }

  /** The child for a move, created if need be. */
  child(mv, seen) {
    let found = this.children.find((child) => child.mv === mv);
    if (!found) {
      found = new Node(this, mv, seen);
      this.children.push(found);
    }
    return found;
  }

  /** The move number, as in `3.` for the first side and `3…` for the second. */
  number() {
    return numbered(this.ply);
  }

  /** The nodes from the root to here. */
  line() {
    const line = [];
    for (let node = this; node; node = node.parent) line.unshift(node);
    return line;
  }

  /** The moves from the root to here. */
  moves() {
    return this.line().slice(1).map((node) => node.mv);
  }

  /** The end of the current branch: it follows the child visited last, or else the first child. */
  end() {
    let node = this;
    while (node.children.length) node = node.next();
    return node;
  }

  /** The child to continue with. */
  next() {
    return this.children.find((child) => child === this.favourite) ?? this.children[0];
  }

  /** Makes the branch to here the current one. */
  prefer() {
    for (let node = this; node.parent; node = node.parent) node.parent.favourite = node;
  }

  /** Whether the move belongs to the game itself, and not to a variation. */
  isMain() {
    return this.line().slice(1).every((node) => node.parent.children[0] === node);
  }

  /** Makes the variation that the move belongs to the line that its parent continues with. */
  promote() {
    let node = this;
    while (node.parent && node.parent.children[0] === node) node = node.parent;
    const { parent } = node;
    if (!parent) return;
    parent.children = [node, ...parent.children.filter((child) => child !== node)];
    this.prefer();
  }

  /** Removes the move and all that follows; returns the position before it. */
  remove() {
    const { parent } = this;
    parent.children = parent.children.filter((child) => child !== this);
    if (parent.favourite === this) parent.favourite = undefined;
    return parent;
  }
}

/** A game as the server reads and writes it: every move after the one that it follows. */
export function storyOf(root, tags, result) {
  const told = [];
  const tell = (node, parent) => {
    const at = told.push({ parent, move: node.mv, marks: node.marks, comment: node.comment }) - 1;
    for (const child of node.children) tell(child, at);
  };
  for (const child of root.children) tell(child, null);
  return { tags, intro: root.comment, result, told };
}

const braces = (text) => text.split('\n').filter((line) => line.trim()).map((line) => `{${line.replaceAll('}', ')')}}`);

/** The same as text for an address: variations in brackets, comments in braces. */
export function storyText(root, tags) {
  const words = tags.map(([key, value]) => `[${key} "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"]`);
  words.push(...braces(root.comment));
  const tell = (first, main) => {
    const parts = [];
    for (let node = first, beside = main; node; [node, beside] = [node.children[0], true]) {
      parts.push(node.mv + node.marks, ...braces(node.comment));
      if (beside) for (const other of node.parent.children.slice(1)) parts.push(`(${tell(other, false)})`);
    }
    return parts.join(' ');
  };
  if (root.children.length) words.push(tell(root.children[0], true));
  return words.join(' ');
}
