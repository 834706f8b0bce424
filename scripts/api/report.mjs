// The library's exported names with their signatures and what their comments say, from declaration files: pure text to
// text.
import { hash } from "node:crypto"
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

/** The sentences of a comment, without what makes them one. */
const sentencesOf = (comment) =>
  comment
    .replace(/^\/\*\*\s*|\s*\*\/$/g, "")
    .replaceAll(/^ *\* ?/gm, "")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .trim()

/**
 * What a module declares, imports and exports, and what the comments before that say (`docs`). `about`: the comment
 * about the module itself, with which its file begins; else it would be taken for one about its first name.
 */
const moduleOf = (file, text, about) => {
  const declared = new Map()
  const imported = new Map()
  const exported = new Map()
  const docs = new Map()
  const all = []
  let comment = null
  const tell = (name) => {
    if (comment !== null && !docs.has(name)) docs.set(name, comment)
  }
  const at = (specifier) => (specifier.startsWith(".") ? path.join(path.dirname(file), specifier) : specifier)
  for (const statement of statementsOf(text)) {
    if (statement.startsWith("/**")) {
      const said = sentencesOf(statement)
      comment = said === about ? null : said
      continue
    }
    const from = /^(import|export)(?: type)? ([\s\S]*?) from "([^"]+)"/.exec(statement)
    const own = /^export (?:type )?\{([\s\S]*)\};?$/.exec(statement)
    const declaration = declares.exec(statement)
    if (from !== null) {
      const [, verb, what, specifier] = from
      const names = verb === "import" ? imported : exported
      const list = /\{([\s\S]*)\}/.exec(what)
      const whole = /^\* as ([\w$]+)/.exec(what)
      if (list !== null)
        for (const [there, here] of namesIn(list[1])) {
          if (verb === "export") tell(here)
          names.set(here, { module: at(specifier), name: there })
        }
      else if (whole !== null) {
        tell(whole[1])
        names.set(whole[1], { module: at(specifier), name: "*" })
      } else if (what === "*") all.push(at(specifier))
      else names.set(what, { module: at(specifier), name: "default" })
    } else if (own !== null) {
      for (const [there, here] of namesIn(own[1])) exported.set(here, { module: file, name: there })
    } else if (declaration !== null) {
      const [, name] = declaration
      tell(name)
      declared.set(name, [...(declared.get(name) ?? []), statement])
      if (statement.startsWith("export ")) exported.set(name, { module: file, name })
    }
    comment = null
  }
  return { about, declared, docs, imported, exported, all }
}

/**
 * Each name that an entry exports, in their order, with the text of its declaration and what of its module that text
 * refers to. `read`: the declarations of a module of the package's own, by its path; null for others'. `aboutOf`: the
 * comment with which a module's file begins, where it is about the module; null for none.
 */
export const namesOf = (entry, read, aboutOf = () => null) => {
  const modules = new Map()
  const moduleAt = (file) => {
    if (!modules.has(file)) {
      const text = read(file)
      modules.set(file, text === null ? null : moduleOf(file, text, sentencesOf(aboutOf(file) ?? "")))
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

  /** What is said of a name, where it is declared or where it is passed on. */
  const saidOf = (name, source) =>
    moduleAt(source.module)?.docs.get(source.name) ?? moduleAt(entry).docs.get(name) ?? null

  const names = []
  const tell = (name, from, group) => {
    const source = sourceOf(from)
    if (source.name === "*") {
      const said = moduleAt(entry).docs.get(name) ?? (moduleAt(source.module).about || null)
      for (const [inner, its] of [...exportsOf(source.module)].sort(([a], [b]) => (a < b ? -1 : 1)))
        tell(`${name}.${inner}`, its, { name, said })
      return
    }
    names.push({ name, group, said: saidOf(name, source), declarations: textOf(source).map(plain) })
  }
  for (const [name, from] of [...exportsOf(entry)].sort(([a], [b]) => (a < b ? -1 : 1))) tell(name, from, null)
  return { about: moduleAt(entry).about || null, names }
}

/** What a declaration is, by its first word; `namespace`, `abstract` and the like are not told apart from it. */
const kindOf = (declarations) => /^(?:abstract )?(\w+)/.exec(declarations[0])[1]

/** Comments, and the line breaks that the compiler makes beside them. */
const withoutComments = (text) =>
  text
    .replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n/gm, "")
    .replaceAll(/ =\s*\n(?=[{|])/g, " = ")
    .replaceAll(/\n\s*(?=\| \{)/g, " ")

/**
 * The report of an entry, a line for each of its names: what it is, the name, and a sum over its signature that stays the
 * same where a comment changes; `silent` behind a name that no comment says anything about.
 */
export const reportOf = (entry, read) =>
  namesOf(entry, read).names.map(({ declarations, name, said }) => {
    const sum = hash("sha1", declarations.map(withoutComments).join("\n")).slice(0, 8)
    return `${kindOf(declarations)} ${name} ${sum}${said === null ? " silent" : ""}`
  })

/** Longer declarations and lines are cut: who wants them whole reads the report, or the declarations themselves. */
const mostLines = 40
const mostColumns = 300

const shortened = (declarations) => {
  const lines = declarations.join("\n").split("\n")
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > mostColumns ? `${line.slice(0, mostColumns)} …` : line))
  return lines.length > mostLines ? [...shown, `// … and ${lines.length - mostLines} lines more`] : shown
}

/** The same for readers, as Markdown: what the comments say, then the signature. */
export const pageOf = (title, entry, read, aboutOf) => {
  const { about, names } = namesOf(entry, read, aboutOf)
  const lines = [`# ${title}`, ""]
  if (about !== null) lines.push(about, "")
  let last = null
  for (const { declarations, group, name, said } of names) {
    if (group !== null && group.name !== last) {
      lines.push(`## ${group.name}`, "")
      if (group.said !== null) lines.push(group.said, "")
    }
    last = group?.name ?? null
    lines.push(`${group === null ? "##" : "###"} \`${name}\``, "")
    if (said !== null) lines.push(said, "")
    lines.push("```ts", ...shortened(declarations), "```", "")
  }
  return lines.join("\n")
}
