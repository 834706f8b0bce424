/** What a text that shells read in different ways might run. Too much on purpose: what is in it is asked. */
export interface Suspicion {
  /** The names in it, of commands or of anything else, however they are quoted. */
  readonly names: ReadonlyArray<string>
  /** The words in it that could name files. */
  readonly words: ReadonlyArray<string>
  /** Where a command could stand, something stands of which only the shell knows what it becomes. */
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
/** Assignments and redirections before a command. */
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
      // `>&-rm` closes a file and runs rm
      // `*(+rm)` calls rm for each file, `zf_rm` is zsh's own rm
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
