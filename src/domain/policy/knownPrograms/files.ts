import { isSure, plainWord, type ShellWord, wordFrom, type Words } from "../ShellWords.ts"
import { forEachName, type Given, type Program, type Target, targets } from "./Program.ts"

const baseOf = (text: string): string => /([^/]*)\/*$/.exec(text)?.[1] ?? ""

/** Where copied or moved files arrive: at a name, or in a directory of that name. */
const arrivals = ({ has, operands, options }: Given, deep: boolean): ReadonlyArray<Target> | null => {
  const [into, more] = options.get("t") ?? options.get("target-directory") ?? []
  const sources = into === undefined ? operands.slice(0, -1) : operands
  const to = into ?? operands.at(-1)
  if (to === undefined || more !== undefined) return operands.length === 0 ? [] : null
  // The only operand of ln.
  if (sources.length === 0) return targets("remove", [plainWord(baseOf(to.text))])
  const isDirectory = into !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(to.text)
  const inside = has("T", "no-target-directory")
    ? []
    : sources.map((source): Target => {
        const name = baseOf(source.text)
        // The whole content, or an unknown name.
        if ((deep && /^\.{0,2}$/.test(name)) || !(isSure(source) || source.globs || /^[^$`]*$/.test(source.text)))
          return { effect: "fill", word: to }
        const text = `${to.text.replace(/\/+$/, "")}/${name}`
        const sure = isSure(to) ? (isSure(source) ? text.length : to.text.length) : to.sure
        return { effect: "write", word: { text, sure, globs: source.globs || to.globs, bare: to.bare } }
      })
  return isDirectory ? inside : [...targets("write", [to]), ...inside]
}

/** Behind `of=`; any other word may be a file, too. */
const valueOf = (word: ShellWord): ShellWord => (word.text.startsWith("of=") ? wordFrom(word, 3) : word)
const removing = ({ operands }: Given) => targets("remove", operands)
const writing = ({ operands }: Given) => targets("write", operands)

export const files: Readonly<Record<string, Program>> = {
  rm: { options: "-rRfdviI recursive force dir one-file-system", does: removing },
  rmdir: { options: "-v ignore-fail-on-non-empty", does: removing },
  cp: {
    options: "-rRafpvnuPLHdixT -t: recursive force archive update? dereference preserve? reflink? target-directory:",
    does: (given) => arrivals(given, true)
  },
  mv: {
    options: "-fnviuT -t: force update? target-directory:",
    does: (given) => {
      const to = arrivals(given, false)
      const moved = given.has("t", "target-directory") ? given.operands : given.operands.slice(0, -1)
      return to === null ? null : [...targets("remove", moved), ...to]
    }
  },
  ln: {
    options: "-sfnvrTi symbolic force relative",
    does: (given) => {
      const to = arrivals(given, false)
      // A hard link is the same file.
      return to === null || given.has("s", "symbolic") ? to : [...to, ...targets("write", given.operands)]
    }
  },
  // It writes through links.
  tee: {
    options: "-ai append ignore-interrupts",
    does: (given) => (given.operands.every(isSure) ? writing(given) : null)
  },
  touch: { options: "-acm -tdr: date: reference: time:", does: writing },
  mkdir: { options: "-pv -m: parents mode:", does: writing },
  chmod: {
    options: "-Rvcf recursive changes",
    does: ({ operands }) => targets("remove", operands.slice(1))
  },
  ...forEachName("chown chgrp", {
    options: "-RvcfhHLP recursive changes",
    does: ({ operands }) => targets("remove", operands.slice(1))
  }),
  truncate: { options: "-co -sr: size: reference: no-create io-blocks", does: writing },
  shred: { options: "-uzvfx -ns: iterations: size: zero exact force", does: removing },
  dd: {
    options: "*",
    does: ({ operands }) =>
      operands.flatMap((word) =>
        /^(?:if|[io]?bs|count|status|conv|skip|seek)=/.test(word.text) ? [] : targets("write", [valueOf(word)])
      )
  },
  install: {
    options: "-dDvpCs -mogt: mode: owner: group: directory target-directory:",
    does: (given) => (given.has("d", "directory") ? writing(given) : arrivals(given, true))
  },
  mktemp: { options: "-dqut -p:fill directory suffix:", does: writing },
  gzip: {
    options: "-kdfvqncltr123456789 keep decompress force stdout to-stdout test best fast recursive -S:",
    does: ({ has, operands }) =>
      has("c", "l", "t", "stdout", "to-stdout", "list", "test") ? [] : targets("remove", operands)
  },
  zip: {
    options: "-rqjvuyXDx0123456789",
    does: ({ operands }) => targets("write", operands.slice(0, 1))
  },
  unzip: {
    options: "-lvtzpcoqnjuLx -dP:",
    does: ({ has, options }) =>
      has("l", "v", "t", "z", "p", "c") ? [] : targets("fill", options.get("d") ?? [plainWord(".")])
  },
  tar: {
    options:
      "-xtcruzjJvkpmhaSOoZw -fCTXb: extract get create append update gzip gunzip xz zstd keep-old-files overwrite wildcards to-stdout exclude*: exclude-vcs files-from: strip-components: directory: file: owner: group: mode: mtime: sort: dereference",
    does: ({ has, valuesOf }) => {
      const archives = valuesOf("f", "file")
      // A name with a colon is on another machine.
      if (archives.some((word) => !isSure(word) || word.text.includes(":"))) return null
      if (has("c", "r", "u", "create", "append", "update"))
        return targets(
          "write",
          archives.filter(({ text }) => text !== "-")
        )
      if (!has("x", "extract", "get") || has("O", "to-stdout")) return []
      const [into = plainWord("."), more] = valuesOf("C", "directory")
      return more === undefined ? targets("fill", [into]) : null
    }
  },
  patch: {
    options: "-RNsfbEul -pFid: -or:write forward force backup strip: input: fuzz: unified directory: output:write",
    does: ({ has, operands, valuesOf }) => {
      if (has("dry-run")) return []
      const [into, more] = valuesOf("d", "directory")
      if (more !== undefined) return null
      return into !== undefined || operands.length === 0
        ? targets("fill", [into ?? plainWord(".")])
        : targets("write", operands.slice(0, 1))
    }
  }
}

/** tar's first word may be its options without a dash; their values follow in order. */
export const dashedTar = (args: Words): Words => {
  const [first, ...rest] = args
  if (first === undefined || !isSure(first) || !/^[A-Za-z]+$/.test(first.text)) return args
  let next = 0
  const options = Array.from(first.text, (letter) => {
    const option = plainWord(`-${letter}`)
    const value = "fCTXbgHKLVIF".includes(letter) ? rest[next++] : undefined
    return value === undefined ? [option] : [option, value]
  })
  return [...options.flat(), ...rest.slice(next)]
}
