import { allLike, forEachName, ownIn, setOf } from "./knownPrograms/Program.ts"
import { isSure, plainWord, type ShellAssignment, type Words } from "./ShellWords.ts"
/** Whether a builtin with these arguments does only what it says. */
type Test = (args: Words) => boolean

const number: Test = (args) => allLike(args, /^\d{1,9}$/)

/** Variables from which no shell and no common program takes a command or a place of programs. */
const harmlessNames = setOf(
  // Of loops and scripts.
  "a b c d e f g h i j k l m n p q r s t u v w x y z arg base branch chunk cmd_name commit count cur day dest dir dirs",
  "elapsed entry err ext file filename files found host i1 id idx image index input item job key len level limit line",
  "lines max min mod module msg n1 name names new num offset old out output package page part pattern pid pkg pkgs port",
  "prefix proj project ref repo res result root row rows run sample script sec section size src start status_code step",
  "suffix sum tag target task test tests text title tmp token tool total type url user val value values ver version word",
  "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z BASE BRANCH COMMIT COUNT CURRENT DATE LINE LATEST MSG NOW",
  "DIR DEST FILE FILES HASH ID LOG NAME OUT OUTPUT PORT REPO RESULT ROOT SHA SRC TAG TARGET TMP URL VERSION",
  // Of programs.
  "CI NODE_ENV NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES TERM LANG LANGUAGE LC_ALL LC_CTYPE",
  "LC_COLLATE LC_MESSAGES TZ DEBUG VERBOSE RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED",
  "PYTHONDONTWRITEBYTECODE PYTHONHASHSEED HUSKY VITEST JEST_WORKER_ID TEST_ENV",
  "MIX_ENV CUDA_VISIBLE_DEVICES OMP_NUM_THREADS MKL_NUM_THREADS TOKENIZERS_PARALLELISM GOOS GOARCH CGO_ENABLED GOMAXPROCS GTEST_COLOR TF_CPP_MIN_LOG_LEVEL DOCKER_BUILDKIT BUILDKIT_PROGRESS COMPOSE_PROJECT_NAME"
)

/** Whether setting the variable changes neither what is run nor how. */
export const isHarmlessName = (name: string): boolean => harmlessNames.has(name)

/** Programs that run the project's files anyway, so that they may be told to find its modules there. */
const python = /^(?:python|pytest|mypy|ruff|coverage|tox|uv|poetry)$/
const below = /^(?!-)(?!(?:[^:]*\/)?\.\.(?:[/:]|$))[\w.-]+(?:[/:](?!\.\.(?:[/:]|$))[\w.-]+)*\/?$/
/** Variables that are harmless only with these values, for these programs. */
const harmlessValues: Readonly<Record<string, readonly [value: RegExp, program: RegExp]>> = {
  PYTHONPATH: [below, python],
  DJANGO_SETTINGS_MODULE: [/^[\w.]+$/, python],
  ...forEachName("CC CXX", [/^(?:g?cc|[cg]\+\+|clang(?:\+\+)?)(?:-\d+)?$/, /^/]),
  // not production and the like, whose data others need
  ...forEachName("APP_ENV RAILS_ENV RACK_ENV", [/^(?:test|ci|local|dev(?:elopment)?)$/, /^/]),
  IFS: [/^[,:|\t\n ]?$/, /^read$/],
  DATABASE_URL: [/^(?:sqlite:|\w+:\/\/[\w:-]*@?(?:localhost|127\.0\.0\.1)[:/])[\w:./-]*$/, /^/],
  NODE_OPTIONS: [/^--max-old-space-size=\d+$/, /^/],
  RUSTFLAGS: [/^(?:\s|-[DWAF] ?[\w:-]+|-C ?target-cpu=native)*$/, /^cargo$/],
  RUSTDOCFLAGS: [/^(?:\s|-[DWAF] ?[\w:-]+)*$/, /^cargo$/],
  GOFLAGS: [/^-(?:mod=(?:mod|vendor|readonly)|count=\d+|race|v)$/, /^go$/],
  ...forEachName("JAVA_OPTS MAVEN_OPTS GRADLE_OPTS", [/^(?:\s|-Xm[xs]\d+[kmgKMG]?)*$/, /^/])
}

/** Whether a variable set for a program changes neither what is run nor how. */
export const isHarmless = ({ name, value }: ShellAssignment, program: string): boolean => {
  // Assignments do not expand file names.
  if (!isSure(value) && !value.globs) return false
  if (isHarmlessName(name) || (/^(?:[A-Z]+_)?PAGER$/.test(name) && value.text === "cat")) return true
  const [form, programs] = ownIn(harmlessValues, name) ?? []
  return isSure(value) && form?.test(value.text) === true && programs?.test(program) === true
}

const settings: Test = (args) =>
  args.every(({ sure, text }) => {
    const at = text.indexOf("=")
    const name = at < 0 ? text : text.slice(0, at)
    const value = plainWord(text.slice(at + 1))
    return sure > at && (isHarmlessName(name) || (sure === text.length && isHarmless({ name, value }, "")))
  })

/** zsh evaluates the operands of numeric comparisons in `[` and `test`; bash evaluates the name after `-v`. */
const test: Test = (args) => {
  const words = args.at(-1)?.text === "]" ? args.slice(0, -1) : args
  const compares = words.some(({ text }) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(text))
  return words.every(
    (word) =>
      !/^-[aoNOGRvt]$|^[<>(]/.test(word.text) &&
      (!compares || /^-(?:eq|ne|lt|le|gt|ge)$/.test(word.text) || /^(?:-?\d{1,9}|\$\?)$|^!$/.test(word.text))
  )
}

/** The file that activates a project's own Python environment. */
export const isEnvironment: Test = (args) =>
  args.length === 1 && allLike(args, /^(?:\.\/)?(?:\.?venv|\.env|env)\/bin\/activate$/)

/** zsh evaluates the arguments of `%d` and similar formats. */
const printf: Test = ([format, ...rest]) =>
  format !== undefined &&
  isSure(format) &&
  !format.text.startsWith("-") &&
  (/^(?:[^%]|%%|%-?\d*s|%b)*$/.test(format.text) || number(rest))

/**
 * Builtins that run or evaluate their arguments, set what later commands depend on, or differ between shells; each with
 * the test for harmless arguments. Builtins that are not listed are as harmless as programs.
 */
const builtins: Readonly<Record<string, Test>> = {
  ...forEachName(
    [
      "eval trap alias unalias abbr exec builtin enable disable hash unhash rehash bind bindkey complete compgen",
      "compopt compdef fc history let declare typeset local readonly unset mapfile readarray getopts setopt unsetopt",
      "shopt emulate zmodload autoload zle sched zcompile zformat zparseopts zstyle vared print functions limit unlimit",
      "ulimit dirs suspend logout where whence disown bg fg chdir caller newgrp times"
    ].join(" "),
    () => false
  ),
  export: settings,
  ...forEachName("source .", isEnvironment),
  set: (args) => args.length > 0 && allLike(args, /^(?:[-+][euxo]+|pipefail)$/),
  ...forEachName("[ test", test),
  printf,
  read: (args) => args.every(({ sure, text }) => sure === text.length && (text === "-r" || isHarmlessName(text))),
  ...forEachName("wait popd", (args) => args.length === 0),
  command: (args) => /^-[vV]$/.test(args[0]?.text ?? "") && allLike(args.slice(1), /^[\w.+-]+$/),
  ...forEachName("which type", (args) => allLike(args, /^[\w.+-]+$/)),
  kill: (args) => allLike(args, /^-?[\w-]+$|^%\d$/),
  pushd: (args) => args.length === 1 && !/^[-+]/.test(args[0]!.text),
  umask: (args) => allLike(args, /^\d{3,4}$/),
  ...forEachName("exit return break continue shift", (args) => args.every(({ text }) => text === "$?") || number(args))
}

/** Why a builtin may do more than it says, for the user; null if it does not, and for other commands. */
export const builtinDoubt = ([head, ...args]: Words): string | null => {
  const test = head === undefined ? undefined : ownIn(builtins, head.text)
  return test === undefined || test(args) ? null : `${head?.text} can run or change other commands`
}
