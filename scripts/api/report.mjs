// The library's exported names with their signatures, from declaration files without comments: pure text to text.
import path from "node:path"

/** The statements of a declaration file, as the compiler prints it: each begins in the first column. */
const statementsOf = (text) => {
  const statements = []
  for (const line of text.split("\n")) {
    if (/^[\s})\]>|&]/.test(line) && statements.length > 0) statements[statements.length - 1] += `\n${line}`
    else if (line.trim() !== "") statements.push(line)
  }
  return statements.map((statement) => statement.trimEnd())
}

const declares =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:const|let|class|function|interface|type|enum|namespace) ([\w$]+)/

/** `{ a, type B as C }` as pairs of names: there, and here. */
const namesIn = (list) =>
  list
    .split(",")
    .map((one) => one.trim().replace(/^type /, ""))
    .filter((one) => one !== "")
    .map((one) => {
      const [there, here = there] = one.split(/ as /)
      return [there.trim(), here.trim()]
    })

/** What a module declares, imports and exports. */
const moduleOf = (file, text) => {
  const declared = new Map()
  const imported = new Map()
  const exported = new Map()
  const all = []
  const at = (specifier) => (specifier.startsWith(".") ? path.join(path.dirname(file), specifier) : specifier)
  for (const statement of statementsOf(text)) {
    const from = /^(import|export)(?: type)? ([\s\S]*?) from "([^"]+)"/.exec(statement)
    const own = /^export (?:type )?\{([\s\S]*)\};?$/.exec(statement)
    const declaration = declares.exec(statement)
    if (from !== null) {
      const [, verb, what, specifier] = from
      const names = verb === "import" ? imported : exported
      const list = /\{([\s\S]*)\}/.exec(what)
      const whole = /^\* as ([\w$]+)/.exec(what)
      if (list !== null)
        for (const [there, here] of namesIn(list[1])) names.set(here, { module: at(specifier), name: there })
      else if (whole !== null) names.set(whole[1], { module: at(specifier), name: "*" })
      else if (what === "*") all.push(at(specifier))
      else names.set(what, { module: at(specifier), name: "default" })
    } else if (own !== null) {
      for (const [there, here] of namesIn(own[1])) exported.set(here, { module: file, name: there })
    } else if (declaration !== null) {
      const [, name] = declaration
      declared.set(name, [...(declared.get(name) ?? []), statement])
      if (statement.startsWith("export ")) exported.set(name, { module: file, name })
    }
  }
  return { declared, imported, exported, all }
}

/**
 * A report of an entry: each name that it exports with the text of its declaration, and what of its module that text
 * refers to. `read`: the declarations of a module of the package's own, by its path; null for others'.
 */
export const reportOf = (entry, read) => {
  const modules = new Map()
  const moduleAt = (file) => {
    if (!modules.has(file)) {
      const text = read(file)
      modules.set(file, text === null ? null : moduleOf(file, text))
    }
    return modules.get(file)
  }
  /** All names that a module exports, with where each is from. */
  const exportsOf = (file) => {
    const known = moduleAt(file)
    if (known === null) return new Map()
    const names = new Map()
    for (const other of known.all) for (const [name, from] of exportsOf(other)) names.set(name, from)
    for (const [name, from] of known.exported) names.set(name, from)
    return names
  }
  /** The module that declares a name, past all that only pass it on. */
  const sourceOf = ({ module, name }) => {
    const known = moduleAt(module)
    if (known === null || name === "*" || known.declared.has(name)) return { module, name }
    const next = known.imported.get(name) ?? exportsOf(module).get(name)
    if (next === undefined) throw new Error(`${module} exports no ${name}`)
    return sourceOf(next)
  }
  /** A declaration and those of its module that it names, each once. */
  const textOf = ({ module, name }) => {
    const known = moduleAt(module)
    if (known === null) return [`${name} of ${module}`]
    const texts = []
    const seen = new Set()
    const add = (one) => {
      if (seen.has(one) || !known.declared.has(one)) return
      seen.add(one)
      const own = known.declared.get(one)
      texts.push(...own)
      for (const [word] of own.join("\n").matchAll(/[\w$]+/g)) {
        // what is exported is told by its own name
        if (!known.exported.has(word)) add(word)
      }
    }
    add(name)
    return texts
  }
  const plain = (text) =>
    text
      .replace(/^export /, "")
      .replace(/^declare /, "")
      // where a file lies is no part of the interface
      .replaceAll(/import\("\.[^"]*?([^"/]+)\.ts"\)/g, "$1")
      .replaceAll(/^ +/gm, (blanks) => " ".repeat(blanks.length / 2))

  const lines = []
  const tell = (name, from) => {
    const source = sourceOf(from)
    if (source.name === "*") {
      for (const [inner, its] of [...exportsOf(source.module)].sort(([a], [b]) => (a < b ? -1 : 1)))
        tell(`${name}.${inner}`, its)
      return
    }
    lines.push(`## ${name}`, "", ...textOf(source).map(plain), "")
  }
  for (const [name, from] of [...exportsOf(entry)].sort(([a], [b]) => (a < b ? -1 : 1))) tell(name, from)
  return lines.join("\n")
}
