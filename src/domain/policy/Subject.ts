import { isWithin, normalPath } from "../words/text/paths.ts"
import type { Policy, PolicyRule } from "../store/settings/Settings.ts"
import { isHarmlessTarget, notAllowable } from "./CommandCoverage.ts"
import { type CommandCandidates, commandCandidates } from "./CommandPattern.ts"
import {
  cdTarget,
  changesDirectory,
  changesOf,
  linksOf,
  recursiveOperands,
  throughLoop,
  writesNamed
} from "./directoryEffects.ts"
import type { Likelihood } from "./Likelihood.ts"
import { type PathReading, type Places, readPath } from "./PathPattern.ts"
import { componentsOf, directoriesAfter, type LinePlaces, loosePaths, type LoosePath } from "./PathWords.ts"
import { readCommandLine, type ShellReading } from "./ShellInner.ts"
import { distinct, isSure, plainWord, type ShellWord, type Words } from "./ShellWords.ts"
import { type ToolRequest, urlsOf } from "./ToolRequest.ts"
import { isNoAddress } from "./UrlPattern.ts"

/** Where a request comes from: the session, the CLI, and the directories that patterns are relative to. */
export interface RequestContext extends Places {
  readonly tag: string
  /** The CLI's id, and the id of the one that it is a variant of. */
  readonly clis: ReadonlyArray<string>
}

/** A request, and everything that rules compare, computed once for all rules. */
export interface Subject {
  readonly request: ToolRequest
  readonly context: RequestContext
  /** Its parsed command line; null where it has none. */
  readonly shell: ShellReading | null
  readonly candidates: CommandCandidates | null
  /** The names that its wildcards become are known, and nothing in the line makes others before. */
  readonly isExpanded: boolean
  /** Why no pattern can allow its command line; null where patterns can. */
  readonly unallowable: string | null
  readonly paths: ReadonlyArray<PathReading>
  readonly realPaths: ReadonlyArray<PathReading>
  /** The words of its command line that may be files, and those that may be addresses. */
  readonly filesNamed: ReadonlyArray<PathReading>
  /** The paths that uncertain words may name, and those of certain words in another directory. */
  readonly filesPossible: ReadonlyArray<LoosePath>
  /** The directories that its commands search completely. */
  readonly searched: ReadonlyArray<LoosePath>
  readonly urlsNamed: ReadonlyArray<string>
  /** The files that its command line writes by redirection, each as a request to edit it. */
  readonly writes: ReadonlyArray<Subject>
  /** The files that its commands may write because they name them; `how`: whether the command writes to named files. */
  readonly edits: ReadonlyArray<{ readonly how: Likelihood; readonly edit: Subject }>
  /** `cwd`, absolute and without `..`. */
  readonly directory: string
  /** The possible meanings of an unknown tool's arguments. */
  readonly carried: {
    readonly commands: ReadonlyArray<CommandCandidates>
    /** The same of texts whose names tell of no command. */
    readonly lines: ReadonlyArray<CommandCandidates>
    readonly paths: ReadonlyArray<PathReading>
    readonly urls: ReadonlyArray<string>
  }
}

/** Names of arguments that may be command lines. */
const commanding = /comm?a?nd|cmd|script|shell|exec|program|argv?s?$|code|run|line/i
/** A longer argument of a tool is not a path or an address, and is too long to be searched as a command line. */
const longestCarried = 4_096
const nothingCarried: Subject["carried"] = { commands: [], lines: [], paths: [], urls: [] }

type Carried = { readonly name: string; readonly text: string }

/** The texts in arguments, those in JSON that is a text itself among them. */
const textsIn = (carried: ReadonlyArray<Carried>): ReadonlyArray<Carried> =>
  carried.flatMap((one) => {
    if (!/^\s*[[{]/.test(one.text)) return [one]
    const found: Array<Carried> = [one]
    const add = (name: string, value: unknown): void => {
      if (typeof value === "string") found.push({ name, text: value })
      else if (typeof value === "object" && value !== null)
        for (const [key, item] of Object.entries(value)) add(Array.isArray(value) ? name : key, item)
    }
    try {
      add(one.name, JSON.parse(one.text))
    } catch {
      // not JSON
    }
    return found.slice(0, mostCarried)
  })

const mostCarried = 200
const mostJoined = 16

const carriedBy = ({ carried: given = [], cwd }: ToolRequest, home: string): Subject["carried"] => {
  if (given.length === 0) return nothingCarried
  const carried = textsIn(given)
  const short = carried.filter(({ text }) => text.length <= longestCarried)
  const told = short.filter(({ name }) => commanding.test(name)).map(({ text }) => text)
  const read = (lines: ReadonlyArray<string>) =>
    [...new Set(lines)].flatMap((line) => (line === "" ? [] : [commandCandidates(line, readCommandLine(line), home)]))
  // parts of code, of command lines, and of other texts
  const pieces = short.flatMap(({ text }) => text.split(/[\s"'`()<>|;,=[\]{}]+/, mostCarried))
  const names = pieces.filter((piece) => /[/~.]/.test(piece))
  // a directory and a name in it
  const [places, others] = [true, false].map((are) =>
    short.flatMap(({ text }) => (/^[/~]/.test(text) === are ? [text] : [])).slice(0, mostJoined)
  )
  const joined = places!.flatMap((place) => others!.map((name) => `${place}/${name}`))
  return {
    // the words of one command, one by one, too
    commands: read([...told, told.join(" ")]),
    lines: read(short.flatMap(({ name, text }) => (commanding.test(name) ? [] : [text]))),
    paths: [...new Set([...carried.map(({ text }) => text), ...names, ...joined])].flatMap((text) =>
      fileNames(text).map((name) => readPath(name, cwd, home))
    ),
    urls: [...short.map(({ text }) => text), ...names].filter((text) => !isNoAddress(text))
  }
}

/** The files that an address may name, as it is spelled and decoded; for any other text, the text itself. */
export const fileNames = (text: string): ReadonlyArray<string> => {
  const [, bare] = /^file:(?:\/\/)?(.*)$/is.exec(text) ?? []
  if (bare === undefined) return [text]
  const path = bare.replace(/^[^/]*\/+/, "/")
  const decoded = path.replace(/(?:%[\da-f]{2})+/gi, (found) => {
    const bytes = Uint8Array.from(found.slice(1).split("%"), (pair) => Number.parseInt(pair, 16))
    return new TextDecoder().decode(bytes)
  })
  // some programs read no host in it
  return [...new Set([path, decoded, bare, ...[path, decoded].map((one) => one.replace(/[?#].*$/s, ""))])]
}

/** The parts of a word that may be a file's name: the word, and the value in `--file=x`, `of=x`, `@x` and `-fx`. */
export const namesIn = (word: string, home: string): ReadonlyArray<string> => {
  const value = /^(?:-{1,2}[\w-]*[=:]|\w+=|@|-[A-Za-z]+(?=[/~.]))(.+)$/s.exec(word)?.[1]
  const upload = value === undefined ? undefined : /^@(.+)$/s.exec(value)?.[1]
  return [word, ...(value === undefined ? [] : [value]), ...(upload === undefined ? [] : [upload])].flatMap((name) =>
    fileNames(name.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, () => home))
  )
}

/** Beyond this many words, the files of a command line and the paths in its words are not compared singly. */
export const mostNames = 5_000
const mostPossible = 10_000

/** Why the request's shell reads another language, for the user; null if it is one of the shells that are read here. */
const foreignShell = ({ tool }: ToolRequest): string | null =>
  /power_?shell|pwsh|cmd\.exe|nushell|\bfish\b/i.test(tool) ? `${tool} has a language of its own` : null

/** Ambiguity is no evidence here: an ambiguous word is not a path because of that. */
const certainly = (names: ReadonlyArray<string>, { cwd, home }: LinePlaces): ReadonlyArray<PathReading> =>
  names.map((name) => ({ ...readPath(name, cwd, home), certain: true }))

const anywhere: ReadonlyArray<LoosePath> = [["**"]]

/** Whether the names that a word becomes are known from the disk. */
const expandedIn = (
  named: ToolRequest["named"] = [],
  { others }: Pick<LinePlaces, "others">
): ((word: ShellWord) => boolean) => {
  const found = new Set(named.map(({ word }) => word))
  return ({ globs, text }) => globs && others.length === 0 && found.has(text)
}

/** Computes the subject of a request. */
export const subjectOf = (request: ToolRequest, context: RequestContext, policy: Policy): Subject => {
  const { command } = request
  const has = (test: (rule: PolicyRule) => boolean): boolean =>
    policy.deny.some(test) || policy.ask.some(test) || policy.allow.some(test)
  const aboutPaths = has((rule) => rule.path !== undefined)
  const wanted = aboutPaths || has((rule) => rule.command !== undefined || rule.url !== undefined)
  const read = (path: string) => readPath(path, request.cwd, context.home)
  const files = urlsOf(request).filter((url) => /^file:/i.test(url))
  const nothing = nothingIn(request, context)
  return {
    ...nothing,
    paths: [...request.paths, ...files.flatMap(fileNames)].map(read),
    realPaths: (request.realPaths ?? []).map(read),
    carried: wanted ? carriedBy(request, context.home) : nothingCarried,
    ...(command === null || !wanted ? {} : ofLine(command, nothing, aboutPaths))
  }
}

/** What the commands of a line search. A command works where all changes of directory before it lead. */
const searchedIn = (shell: ShellReading, cwd: string, home: string): Words => {
  let at: ReadonlyArray<string> = [cwd]
  // where a change leads to a directory that nobody knows, only the words say what is searched
  const isOutside = (path: string): boolean => path !== "/**" && !isWithin(path, cwd)
  return shell.found.flatMap((words) => {
    if (!changesDirectory(words)) return recursiveOperands(words, at.filter(isOutside).map(plainWord))
    const change = [cdTarget([words]).flatMap((word) => throughLoop(word, shell))]
    at = at.flatMap((one) => directoriesAfter(change, { home, cwd: one })?.slice(-change[0]!.length) ?? [])
    return []
  })
}

/** What a request's command line adds. */
const ofLine = (line: string, nothing: Subject, aboutPaths: boolean): Partial<Subject> => {
  const { context, request } = nothing
  const { cwd } = request
  const { home } = context
  const shell = readCommandLine(line, foreignShell(request))
  const others = directoriesAfter(changesOf(shell), { home, cwd })?.slice(1) ?? ["/**"]
  const places = { home, cwd, others, links: linksOf(shell.found).map(({ to }) => to) }
  const openable = aboutPaths ? distinct(shell.openable) : []
  const operands = aboutPaths ? searchedIn(shell, cwd, home) : []
  const searched = distinct(operands.flatMap((word) => throughLoop(word, shell)))
  const making = shell.found.filter((words) => writesNamed(words) !== "no" && !changesDirectory(words))
  const isKnown = request.named !== undefined && making.length <= 1
  const isExpanded = expandedIn(isKnown ? request.named : [], places)
  const tooMany = (openable.length + searched.length) * (1 + others.length) > mostPossible
  const names = shell.files.slice(0, mostNames).flatMap((word) => namesIn(word.text, home))
  return {
    shell,
    candidates: commandCandidates(line, shell, home, isKnown),
    isExpanded: isKnown,
    unallowable: notAllowable(shell),
    filesNamed: certainly(names, places),
    filesPossible: tooMany ? anywhere : openable.flatMap((word) => (isExpanded(word) ? [] : loosePaths(word, places))),
    searched: (tooMany ? [] : searched).flatMap((word) => [
      ...loosePaths(word, places),
      ...readPath(word.text, cwd, home).paths.map(componentsOf)
    ]),
    urlsNamed: names.filter((name) =>
      /:\/\/|^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d+)?(?:[/?#]|$)|^[a-z]+:[^/]/iu.test(name)
    ),
    writes: writesOf(shell, nothing),
    edits: aboutPaths ? editsOf(shell, nothing, places, isExpanded) : []
  }
}

/** A request of which nothing is read yet. */
const nothingIn = (request: ToolRequest, context: RequestContext): Subject => ({
  request,
  context,
  shell: null,
  candidates: null,
  isExpanded: false,
  unallowable: null,
  paths: [],
  realPaths: [],
  filesNamed: [],
  filesPossible: [],
  searched: [],
  urlsNamed: [],
  carried: nothingCarried,
  writes: [],
  edits: [],
  directory: normalPath(request.cwd)
})

/** The same as a request to edit. */
const editing = ({ request, ...nothing }: Subject): Subject => ({
  ...nothing,
  request: { ...request, kind: "edit", command: null }
})

/** The files that a command line writes by redirection, as requests to edit them. */
const writesOf = ({ commands }: ShellReading, nothing: Subject): ReadonlyArray<Subject> =>
  commands
    .flatMap(({ writes }) => writes.filter((word) => !isHarmlessTarget(word)))
    .slice(0, mostNames)
    .map((word) => {
      const { context, request } = nothing
      const leads = request.named?.filter((one) => one.word === word.text) ?? []
      const read = (path: string) => readPath(path, request.cwd, context.home)
      const paths = [{ ...read(word.text), certain: isSure(word) }]
      return { ...editing(nothing), paths, realPaths: leads.map(({ path }) => read(path)) }
    })

/** The files that the commands of a line may write because their arguments name them. */
const editsOf = (
  shell: ShellReading,
  nothing: Subject,
  places: LinePlaces,
  isExpanded: ReturnType<typeof expandedIn>
): Subject["edits"] =>
  shell.found.flatMap((words) => {
    const how = writesNamed(words)
    const args = words.slice(1, mostNames).flatMap((word) => throughLoop(word, shell))
    if (how === "no" || args.length === 0) return []
    const filesNamed = certainly(
      args.flatMap((word) => namesIn(word.text, places.home)),
      places
    )
    const tooMany = args.length * (1 + places.others.length) > mostPossible
    const filesPossible = tooMany
      ? anywhere
      : args.flatMap((word) => (isExpanded(word) ? [] : loosePaths(word, places)))
    return [{ how, edit: { ...editing(nothing), filesNamed, filesPossible } }]
  })
