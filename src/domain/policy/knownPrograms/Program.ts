import { isSure, plainWord, prefixed, type ShellInput, type ShellWord, wordFrom, type Words } from "../ShellWords.ts"

/**
 * The effect of a command on a place. `write`: writes through the name; `remove`: deletes or replaces it; `fill`:
 * creates files of any names in the directory; `stay`: works in the directory; `obey`: runs what the repository found
 * from there configures.
 */
export type Effect = "write" | "remove" | "fill" | "stay" | "obey"
export interface Target {
  readonly effect: Effect
  readonly word: ShellWord
  /** An option causes this effect. A rule that allows the whole program does not allow it. */
  readonly optional?: boolean
}

/** A command's words, read by the description of its program. */
export interface Given {
  /** All arguments as written. */
  readonly words: Words
  readonly operands: Words
  /** Its options without dashes, with their values. */
  readonly options: ReadonlyMap<string, Words>
  readonly valuesOf: (...names: ReadonlyArray<string>) => Words
  readonly has: (...names: ReadonlyArray<string>) => boolean
  readonly input: ShellInput
  readonly as: As
  /** Words that the rule names itself. */
  readonly named: ReadonlySet<string>
}

/**
 * The effects of these words as a command of their own: a runner's operands, or a module's name with its arguments.
 * `isOwn` decides for a command without a description. True: it works in its directory and the places that its words
 * name. False: it may do anything (null). Without `isOwn` it is a script of the project, which passes its arguments to
 * an unknown tool.
 */
export type As = (words: Words, isOwn?: boolean) => ReadonlyArray<Target> | null

/**
 * A program as data: a closed list. Anything outside of it may have any effect, so a rule for the whole program does
 * not cover it; this includes abbreviated options.
 */
export interface Program {
  /**
   * Its harmless options: `-ab` are flags, `-ab:` have a value (in the same word or the next), `-ab?` only in the same
   * word, `-a:write` one that is written to; likewise `long`, `long:`, `long?` without dashes. Those that only say more
   * or less, or take something away (`--no-x`), are every program's. `at`: where it works instead; `in`: the same, but
   * no rule need cover that place; `stay`: where it works, too; `end`: no options follow its value.
   * `*`: no version of it has an option that does more than show, or `does` reads all words.
   */
  readonly options?: string
  /** Its effects depend on its first operand; each command has its own options after it. */
  readonly commands?: Readonly<Record<string, Program>>
  /** The additional effects of each of its commands. */
  readonly always?: ReadonlyArray<Target>
  /** What its operands look like where it is harmless, and the values of these options (`a b`: of both). */
  readonly form?: RegExp
  readonly forms?: Readonly<Record<string, RegExp>>
  /** The effects with any other first operand of this form. */
  readonly scripts?: readonly [RegExp, Program]
  /** Options end with the first operand. */
  readonly first?: boolean
  /** Any of its long options may have a value, so `does` treats all words alike. `x*`: all options that begin so. */
  readonly loose?: boolean
  /** It runs the content of files in its directory. */
  readonly obeys?: boolean
  /** Its long options begin with one dash, and none are joined. */
  readonly single?: boolean
  /** The effects of the remaining words; null: unknown. By default it only reads. */
  readonly does?: (given: Given) => ReadonlyArray<Target> | null
}

/** The same value for each of these names. */
export const forEachName = <A>(names: string, value: A): Readonly<Record<string, A>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, value]))

/** The value of a name that the record has itself. */
export const ownIn = <A>(record: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The rows of a table that is written as text. */
export const rowsOf = (...texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split(" · "))

/** Names that are written as text. */
export const setOf = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")))

export const targets = (effect: Effect, words: Words): ReadonlyArray<Target> => words.map((word) => ({ effect, word }))
/** Certain texts of such a form. */
export const allLike = (words: Words, form: RegExp): boolean =>
  words.every((word) => isSure(word) && form.test(word.text))

/** It only reads, unless a word begins like this, or may do so because its beginning is unknown. */
export const unlessLike =
  (form: RegExp) =>
  ({ operands }: Given): ReadonlyArray<Target> | null =>
    operands.some(({ globs, sure, text }) => (sure === 0 && !globs) || form.test(text)) ? null : []
/** A file with further arguments (`@x`) could name anything. */
export const noList = unlessLike(/^@/)
/** An address could belong to anybody. */
export const noAddress = unlessLike(/^\w+:/)

type Kind = "" | ":" | "?"
/** Options that are harmless in every program: they change the amount of output, or disable something. */
const commonly = /^(?:version|verbose|quiet|silent|dry-run)$/
/** Except `--no-x` for these: it ends a harmless mode, or a limit on what is read. A name may be shortened. */
const kept = "dry-run cached list index verify ignore check act staged".split(" ")
const isCommon = (name: string): boolean =>
  commonly.test(name) ||
  (/^no-[a-z]/.test(name) &&
    (name === "no-cache" || !kept.some((one) => `no-${one}`.startsWith(name) || name.startsWith(`no-${one}`))))
/** Harmless in every program, too; they may have a value in the same word. */
const shown = /^(?:colou?r|all|count|ignore-case|interactive|json|list|long|name-only|offline|progress|reverse|strict)$/
const read = new Map<Program, ReadonlyMap<string, readonly [Kind, string]>>()
const optionsOf = (program: Program): ReadonlyMap<string, readonly [Kind, string]> => {
  const known = read.get(program)
  if (known !== undefined) return known
  const options = new Map<string, readonly [Kind, string]>()
  for (const one of (program.options ?? "").split(" ")) {
    const [, dash, names = "", kind = "", effect = ""] = /^(-?)([^:?]*)([:?]?)(\w*)$/.exec(one) ?? []
    const each = dash === "" || program.single === true ? [names] : names
    for (const name of each)
      options.set(name, [kind === "" && program.loose && dash === "" ? "?" : (kind as Kind), effect])
  }
  read.set(program, options)
  return options
}

/** The entry of an option, by its name or its beginning. */
const optionIn = (known: ReturnType<typeof optionsOf>, name: string): readonly [Kind, string] | undefined => {
  const own = known.get(name) ?? (isCommon(name) ? ["", ""] : shown.test(name) ? ["?", ""] : undefined)
  for (let end = name.length; own === undefined && end > 0; end--) {
    const all = known.get(`${name.slice(0, end)}*`)
    if (all !== undefined) return all
  }
  return own
}

/** Whether a rule names a command, or its beginning. */
const namesVerb = (named: ReadonlySet<string>, verb: string): boolean =>
  named.has(verb) || [...named].some((one) => /^[^*]+\*$/.test(one) && verb.startsWith(one.slice(0, -1)))

/** The position of a program's command, after the program's own options. */
export const commandAt = (program: Program, args: Words): number => {
  const known = optionsOf(program)
  let i = 0
  for (; args[i]?.text.startsWith("-") === true && isSure(args[i]!); i++) {
    const { text } = args[i]!
    const name = text.replace(/^--?/, "")
    if (known.get(text.startsWith("--") || program.single === true ? name : text.slice(-1))?.[0] === ":") i++
  }
  return i
}

/** The target of a command that works in this directory instead. */
const inside = (directory: ShellWord, target: Target): Target => {
  if (/^[/~]/.test(target.word.text)) return target
  const word = prefixed(`${directory.text}/`, target.word)
  return { ...target, word: isSure(directory) ? word : { ...word, sure: directory.sure } }
}

const elsewhere =
  /^(?:(?:~|\.\.|\$(?:HOME|PWD|\{HOME\}|\{PWD\}))(?:\/.*)?|\/[^\s()]*|[^\s()/]+\/(?:[^\s()]*\/)?\.\.(?:\/.*)?)$/s

/** The names in a word that may lie outside the directory: `/x`, `-o../x`, `--x=~/y`, `html:/x`, `src=/x`, `@/x`. */
export const elsewhereIn = (word: ShellWord): Words =>
  [word.text, ...(/[\s()'"]|:\/\//.test(word.text) ? [] : word.text.split(/[=:,;@]|^-+[A-Za-z]+(?=[/~.])/))].flatMap(
    (text) => (elsewhere.test(text) ? { ...plainWord(text), sure: isSure(word) ? text.length : 0 } : [])
  )

const own = String.raw`(?!localhost\b|127\.|\[?::1)`
/**
 * Options for a directory that is emptied or filled, or for an address that other machines reach; and settings in the
 * line or elsewhere instead of the project's.
 */
const grave = new RegExp(
  String.raw` (?:-\S*(?:temp|output|(?:out|cache|coverage|reports?|site|target)-?dir(?:ectory)?)[= ]\.\/* |--?(?:[\w-]+\.)?(?:host(?:name)?|bind|listen|address)(?:[= ]${own}(?!unix:)\S|=? $)|\S*?(?:0\.0\.0\.0|\[::\]|\*:\d)|(?:\S*=)?0?:\d+ |-\S*(?:config|plugin|import|require|loader|template)[= ](?:\{|data:|(?:\w+:)?\/\/${own}))`,
  "i"
)

/** The places that a command names, for a program that works in places other than its own files. */
export const placesIn = (words: Words): ReadonlyArray<Target> => [
  ...targets("stay", words.filter(isSure).flatMap(elsewhereIn)),
  // as if the project itself were removed, which no rule for edits covers
  ...targets("remove", grave.test(` ${words.map(({ text }) => text).join(" ")} `) ? [plainWord(".")] : [])
]

/** Its operands, and its options as `--name=value`. */
const spelled = ({ operands, options }: Pick<Given, "operands" | "options">): Words => [
  ...operands,
  ...[...options].flatMap(([name, values]) => [
    ...(values.length === 0 ? [plainWord(`--${name}`)] : []),
    ...values.map((value) => prefixed(`--${name}=`, value))
  ])
]

/** It works where it is started, and in the places that its words name. */
export const works = ({ words }: Pick<Given, "words">): ReadonlyArray<Target> => [
  { effect: "stay", word: plainWord(".") },
  ...placesIn(words)
]

/** Options of search programs for how they search and what they show. */
export const matching =
  "smart-case case-sensitive word-regexp invert-match only-matching fixed-strings extended-regexp basic-regexp perl-regexp files* line-* max-*: after-context: before-context: context: hidden follow full-* text heading column unrestricted threads: null break exclude: type:"

/** A foreign address, a text for a file, a module of any name, or a word that another program takes as its own. */
const strange = new RegExp(
  `^(?:--[\\w.-]+=)?(?:\\{|data:|node:|npm:|python:|git@|(?:[\\w+]+:)?\\/\\/${own})|^--(?:[\\w-]*format|[\\w-]*reporters?|env\\w*|filter|provider|pool)=(?:[^=]*\\/|\\.)|^--(?:config\\.|[\\w.-]*checker(?:=|$))|^--(?:changed|since)\\w*=-|\`|\\$\\(`
)

/** Words that every tool of a project takes only for a name, a number, or a place that it reads or writes. */
const family =
  "all-* auto autocorrect* backtrace bail base* branch buffer cache* capture catch changed* check* ci clean* clear* co collect-only color* concurrency config* context* cov cov-* coverage coverageD* coverageP* coverageR* coverage.a* coverage.e* coverage.in* coverage.r* debug* deny-warnings dev diff* dir* disable* display* dist doctest* durations* enable* env: environment: env-file error* exclude* exit* expand* ext extend* extension extern* extra extras factory fail* fast ff file* filter: filter-* fix* force* format: from frozen* full* gitignore global-timeout globals graceful* grep* group* headed headless hook* host: ignore* include* indent* inplace isolate* jobs json* junit* keep* keyword* lang* last* level* lf limit* line* lint* list* local* lock* log* markers max* merge* message min* mode module name* new* nf num* only* open* optional order* out* output-format: package* parallel* pass* pattern pool: port precision prefer* pretty preview print* profile* progress* project* provider: quiet* quote* random* range* recreate recursive reload* repeat* report* reporter: reporters: rerun* retr* root* rule run runInBand runxfail seed select* sess* settings severity shard show* shuffle silent single* skip* sort* source* src staged stats statistics std* strict* style* suite* sum* tab-* tag* target* tb test testN* testP* testTimeout thread* time* title top* trace* trailing* turbo* type* ui unsafe unsafe-fixes update* use-tabs verb* warn* watch watchAll watch-* width with with-* work* write*"

/** Whether each word is only that, and none has this refused form (an option as `--name=value`). */
export const isPlainly = (given: Given, not = /(?!)/): boolean =>
  !spelled(given).some(({ text }) => strange.test(text) || not.test(text))
/** It works in its directory, as the project's files say. */
export const working =
  (not?: RegExp): NonNullable<Program["does"]> =>
  (given) =>
    isPlainly(given, not) ? works(given) : null
export const tool = (options: string, not?: RegExp): Program => ({
  options: `${family} ${options}`,
  loose: true,
  does: working(not)
})

/**
 * The effects of a command on places, by its program's description. Null: it may have others. Undefined: a rule names a
 * command of the program without a description. `isOperand`: a word with an unknown beginning is not an option;
 * `named`: words that the rule itself contains.
 */
export const effectsOf = (
  program: Program,
  args: Words,
  input: ShellInput,
  isOperand: (word: ShellWord, before: ShellWord | undefined) => boolean,
  named: ReadonlySet<string>,
  as: As
): ReadonlyArray<Target> | null | undefined => {
  const operands: Array<ShellWord> = program.options === "*" ? [...args] : []
  const options = new Map<string, Words>()
  const valuesOf = (...names: ReadonlyArray<string>): Words => names.flatMap((name) => options.get(name) ?? [])
  const has = (...names: ReadonlyArray<string>): boolean => names.some((name) => options.has(name))
  const given: Given = { words: args, operands, options, valuesOf, has, input, as, named }
  if (program.options === "*") return program.does === undefined ? [] : program.does(given)
  const known = optionsOf(program)
  const formed = Object.keys(program.forms ?? {}).flatMap((names) => names.split(" "))
  const found: Array<Target> = []
  const places: Array<ShellWord> = []
  let ended = false
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    const { text } = word
    if (ended || text === "-" || text === "" || (word.sure > 0 && !text.startsWith("-"))) {
      operands.push(word)
      if (program.first === true || program.commands !== undefined) ended = true
      continue
    }
    if (text === "--" && isSure(word)) {
      ended = true
      options.set("--", [])
      continue
    }
    if (!text.startsWith("-") || word.sure === 0) {
      if (!isOperand(word, args[i - 1])) return null
      operands.push(word)
      continue
    }
    /** Reads an option, with the word's rest from `at` as its value (`at < 0`: none). False: its effect is unknown. */
    const take = (name: string, at: number): boolean => {
      const [kind, effect = ""] = optionIn(known, name) ?? []
      let value: ShellWord | undefined
      if (kind === undefined || (kind === "" && at >= 0 && text.startsWith("--"))) return false
      if (kind !== "" && at >= 0) value = wordFrom(word, at)
      else if (kind === ":") value = args[++i]
      if (kind === ":" && value === undefined) return program.loose === true
      // where it has no value after all, as in another command or version, the next word is an option
      const option = program.loose === true || !known.has(name) ? /^-./ : formed.includes(name) ? /(?!)/ : /^-[^\s\d]/
      if (at < 0 && value !== undefined && option.test(value.text) && !isOperand(value, word)) return false
      if (value !== undefined && !isSure(value) && (effect !== "" || value.bare) && !isOperand(value, word))
        return false
      if (value !== undefined && (effect === "in" || (effect === "at" && program.commands !== undefined)))
        places.push(value)
      options.set(name, [...(options.get(name) ?? []), ...(value === undefined ? [] : [value])])
      ended ||= effect === "end"
      if (!/^(?:in|end)?$/.test(effect) && value !== undefined && !named.has(text))
        found.push({
          effect: effect === "at" ? "stay" : (effect as Effect),
          word: value,
          optional: effect !== "stay"
        })
      return true
    }
    if (named.has(text) && !known.has(text.replace(/^--?/, "")) && !isCommon(text.slice(2))) {
      if (program.commands !== undefined) return undefined
      options.set(text.replace(/^--?/, ""), [])
    } else if (text.startsWith("--") || program.single === true) {
      const equals = text.indexOf("=")
      if ((equals < 0 && !isSure(word)) || (equals >= 0 && word.sure < equals)) return null
      const name = text.slice(text.startsWith("--") ? 2 : 1, equals < 0 ? undefined : equals)
      if (name.length < 2 && program.single !== true) return null
      if (!take(name, equals < 0 ? -1 : equals + 1)) return null
    } else {
      for (let at = 1; at < text.length; at++) {
        if (at >= word.sure) return null
        const kind = known.get(text[at]!)?.[0]
        if (!take(text[at]!, kind === "" || at + 1 >= text.length ? -1 : at + 1)) return null
        if (kind !== "") break
      }
    }
  }
  const { form, forms = {} } = program
  const isFormed = Object.entries(forms).every(([names, one]) => allLike(valuesOf(...names.split(" ")), one))
  const [verb, ...rest] = operands
  if (program.commands !== undefined && verb !== undefined) {
    const own = isSure(verb) ? ownIn(program.commands, verb.text) : undefined
    const [known, script] = program.scripts ?? []
    const one = own ?? (known !== undefined && allLike([verb], known) ? script : undefined)
    if (one === undefined) return namesVerb(named, verb.text) ? undefined : null
    if (places.length > 1 || !isFormed) return null
    const done = effectsOf(one, own === undefined ? operands : rest, input, isOperand, named, as)
    return (
      done
        ?.concat(found, program.always ?? [])
        .map((target) => (places[0] === undefined ? target : inside(places[0], target))) ?? done
    )
  }
  if (program.commands === undefined && !(isFormed && (form === undefined || allLike(operands, form)))) return null
  const more = program.does === undefined ? [] : program.does(given)
  return more === null ? null : [...found, ...more]
}
