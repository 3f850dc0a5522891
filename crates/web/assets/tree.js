// The moves of a game as a tree: what was played, and every branch tried.

/** A position in the tree. */
export class Node {
  constructor(parent, mv, seen) {
    this.parent = parent;
    this.mv = mv;
    this.children = [];
    this.ply = parent ? parent.ply + 1 : 0;
    Object.assign(this, seen);
    /** Everything about the position, once it was asked for. */
    this.full = undefined;
    /** What each move is worth, once it was asked for; null when that is not known. */
    this.worth = undefined;
  }

  /** The child that a move leads to, new if need be. */
  child(mv, seen) {
    let found = this.children.find((child) => child.mv === mv);
    if (!found) {
      found = new Node(this, mv, seen);
      this.children.push(found);
    }
    return found;
  }

  /** From the root to here. */
  line() {
    const line = [];
    for (let node = this; node; node = node.parent) line.unshift(node);
    return line;
  }

  /** The moves from the root to here. */
  moves() {
    return this.line().slice(1).map((node) => node.mv);
  }

  /** The end of the branch that goes on from here: where one was last, or the first child. */
  end() {
    let node = this;
    while (node.children.length) node = node.next();
    return node;
  }

  /** The child to continue with. */
  next() {
    return this.children.find((child) => child === this.favourite) ?? this.children[0];
  }

  /** Makes every ancestor go on towards here. */
  prefer() {
    for (let node = this; node.parent; node = node.parent) node.parent.favourite = node;
  }
}
