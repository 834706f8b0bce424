/** What a text might run that shells read differently. It lists too much on purpose: rules then ask about it. */
export interface Suspicion {
  /** The names in it, of commands or anything else, in any quoting. */
  readonly names: ReadonlyArray<string>
  /** The words in it that could name files. */
  readonly words: ReadonlyArray<string>
  /** In a command's place stands something that only the shell can expand. */
  readonly unknown: boolean
}

const commandPlace = [
  String.raw`^`,
  String.raw`[;|&){}!\n]`,
  String.raw`(?<!\w=)\(`,
  "`",
  String.raw`\]\]`,
  String.raw`(?<=^|\s)(?:then|do|else|elif|if|while|until|time|always|coproc|noglob|nocorrect|eval|exec|command|builtin|-)\s`,
  String.raw`(?<=^|\s)(?:repeat|function)\s+\S+\s`
].join("|")
const before = String.raw`(?:\w+(?:\[[^\]]*\])?\+?=[^\s;|&()<>]*\s+|\d*[<>]+[&|!]?\s*[^\s;|&()<>]+\s+)*`
const unknownCommand = new RegExp(
  String.raw`(?:${commandPlace})\s*${before}[^\s;|&()<>=]*(?:[$\u0060{]|[*?[](?!\[|\)))`
)

const mostWords = 2_000

/** Reads a text without its grammar. */
export const suspicion = (text: string): Suspicion => {
  const joined = text.replaceAll("\\\n", "")
  const bare = joined.replace(/["'\\]/g, "")
  return {
    words: bare
      .split(/[\s;|&()<>`]+/)
      .filter((word) => word !== "")
      .slice(0, mostWords),
    names: `${bare}\n${text.replace(/["'\\]/g, "")}`
      .split(/[^\w.+/-]+/)
      // `>&-rm` closes a file and runs rm.
      // `*(+rm)` calls rm for each file; `zf_rm` is zsh's own rm.
      .map((name) =>
        name
          .slice(name.lastIndexOf("/") + 1)
          .replace(/^[-+]+/, "")
          .replace(/^zf_/, "")
      )
      .filter((name) => name !== ""),
    unknown: /\$'[^']*\\/.test(joined) || unknownCommand.test(bare.replace(/(^|[\s;|&(){}])\{(?=\s)/g, "$1;"))
  }
}
