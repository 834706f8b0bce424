import type { ShellWord } from "./ShellWords.ts"

/** Reads a word character by character and keeps track of what of it is certain. */
export class WordBuilder {
  text = ""
  private bare = -1
  private hole = -1
  private glob = -1
  private bracket = -1
  private brace = -1
  private last = ""

  /** Nothing of it was quoted, escaped or put in. */
  get isBare(): boolean {
    return this.bare < 0
  }

  /** A character without quotes, as it stands. */
  plain(char: string): void {
    const at = this.text.length
    switch (char) {
      case "*":
      case "?":
        this.globAt(at)
        break
      case "[":
        if (this.bracket < 0) this.bracket = at
        break
      case "]":
        if (this.bracket >= 0) this.globAt(this.bracket)
        break
      case "{":
        if (this.brace < 0) this.brace = at
        break
      case ",":
      case ".":
        if (this.brace >= 0 && (char === "," || this.last === ".")) this.holeAt(this.brace)
        break
      default:
    }
    // `~name` is somebody's home, `~+` and `~-` directories; `=name` is a program's path in zsh
    if (at === 1 && this.bare < 0 && (this.last === "~" && char !== "/" || this.last === "=" && /[A-Za-z_]/.test(char))) this.holeAt(0)
    this.text += char
    this.last = char
  }

  /** Text that was quoted or escaped. */
  quoted(more: string): void {
    if (this.bare < 0) this.bare = this.text.length
    this.text += more
    this.last = ""
  }

  /** Something that the shell replaces; `spelled` stands for it. */
  replaced(spelled: string): void {
    this.doubt()
    this.quoted(spelled)
  }

  /** From here on another shell might read it in another way. */
  doubt(): void {
    this.holeAt(this.text.length)
    this.quoted("")
  }

  done(): ShellWord {
    const { bare, glob, hole, text } = this
    const sure = Math.min(hole < 0 ? text.length : hole, glob < 0 ? text.length : glob)
    return { text, sure, globs: hole < 0 && glob >= 0, bare: bare < 0 ? text.length : bare }
  }

  private holeAt(at: number): void {
    if (this.hole < 0 || at < this.hole) this.hole = at
  }

  private globAt(at: number): void {
    if (this.glob < 0 || at < this.glob) this.glob = at
  }
}
