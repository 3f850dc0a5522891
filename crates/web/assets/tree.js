// The game tree: the moves played and all branches tried.

/** A position in the tree. */
export class Node {
  constructor(parent, mv, seen) {
    this.parent = parent;
    this.mv = mv;
    this.children = [];
    this.ply = parent ? parent.ply + 1 : 0;
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
    return `${Math.ceil(this.ply / 2)}${this.ply % 2 ? '.' : '…'}`;
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
}
