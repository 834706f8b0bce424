import { forEachName, ownIn, setOf } from "./Program.ts"

/** The words of a program that runs another (a wrapper), up to the other program's name. */
export interface Wrapper {
  /** The letters of short options that take a value. */
  readonly short: string
  /** Those whose value is in the same word, if there is one. */
  readonly optional?: string
  /** Long options that take a value, separated by blanks; programs take their beginnings for them. */
  readonly long?: string
  /** The number of the wrapper's own operands. */
  readonly operands?: number
  /** Files that it has Python run. */
  readonly script?: RegExp
  /** `NAME=value` words may come before the other program's name. */
  readonly assigns?: boolean
}

const sudo: Wrapper = {
  short: "CDghpRrTtUu",
  assigns: true,
  long: "--user --group --host --prompt --chdir --chroot --role --type --close-from --other-user --command-timeout"
}
const plain: Wrapper = { short: "" }

const inContainer: Wrapper = {
  short: "uewnc",
  long: "--user --env --workdir --env-file --detach-keys --index --namespace --container --name",
  operands: 1
}

/** Programs (and keywords of shells), and commands of programs, that run the command that follows them. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", sudo],
  ["doas", { short: "Cu" }],
  ["env", { short: "uCS", long: "--unset --chdir --split-string", assigns: true }],
  ["exec", { short: "a" }],
  ["time", { short: "fo", long: "--format --output" }],
  ["nice", { short: "n", long: "--adjustment" }],
  ["ionice", { short: "cnpPu", long: "--class --classdata" }],
  ["stdbuf", { short: "ioe", long: "--input --output --error" }],
  ...["timeout", "gtimeout"].map(
    (name) => [name, { short: "ks", long: "--kill-after --signal", operands: 1 }] as const
  ),
  [
    "xargs",
    { short: "aEILPnsdRSJ", optional: "eil", long: "--arg-file --delimiter --max-args --max-procs --max-chars" }
  ],
  [
    "uv run",
    {
      short: "mp",
      long: "--with --extra --group --only-group --no-group --python --module --package --env-file --directory --project --with-requirements --with-editable",
      script: /^(?!\w+:).*\.py$/
    }
  ],
  ["chrt", { short: "TPD", operands: 1 }],
  ["flock", { short: "wE", long: "--timeout --wait --conflict-exit-code", operands: 1 }],
  ["strace", { short: "abeEIoOpPsSuUX" }],
  ["ltrace", { short: "aAeFlnoOpsSuwx" }],
  ...[...setOf("chroot taskset repeat gosu su-exec setuidgid")].map(
    (name) => [name, { short: "", operands: 1 }] as const
  ),
  ["faketime", { short: "f", operands: 1 }],
  ["firejail", plain],
  ["caffeinate", { short: "tw" }],
  ["proxychains", { short: "f" }],
  ...[
    ...setOf(
      "command builtin nohup setsid unbuffer noglob nocorrect - and or not begin coproc busybox toybox fakeroot",
      "bear valgrind torsocks torify rlwrap winpty catchsegv eatmydata cgexec dbus-run-session setarch linux32 linux64"
    )
  ].map((name) => [name, plain] as const),
  ...["poetry run", "pipenv run", "bundle exec", "rbenv exec", "pyenv exec", "pnpm exec", "yarn exec"].map(
    (name) => [name, plain] as const
  )
])

/** Commands that run the command behind their own operand in a container (`Inner.isElsewhere`). */
export const elsewhere: ReadonlyMap<string, Wrapper> = new Map(
  [
    "docker exec",
    "docker compose exec",
    "docker compose run",
    "podman exec",
    "docker-compose exec",
    "kubectl exec"
  ].map((name) => [name, inContainer])
)

/** Shells, which run a command line after `-c`, or from their standard input. */
export const shells = setOf("sh bash dash zsh ksh ksh93 mksh ash fish yash rbash rksh csh tcsh pwsh nu xonsh elvish")

/** Programs of other languages, which read what they run from their standard input when no argument says what it is. */
export const interpreters = setOf(
  "python pypy perl ruby node nodejs deno bun php lua luajit tclsh r rscript julia osascript ed ex expect ghci irb"
)

/** Programs that run commands from their standard input. */
export const inputRunners = setOf("parallel rush at batch crontab")

/** Wrappers that change nothing of what the other program does but its time, its priority and its buffers. */
export const transparent = setOf("timeout gtimeout watch time nohup nice ionice stdbuf")

/** Programs of which no version has an option or operand that runs or writes something. */
export const harmless =
  "ls cat head tail wc nl tac rev stat du df cut tr paste comm fold expand cmp od hexdump md5sum sha1sum sha256sum sha512sum join cksum basename dirname realpath readlink which echo printf seq expr true false : test [ sleep pwd uname whoami id uptime free nproc ps pgrep tput locale getconf printenv column grep egrep fgrep"

/** Programs that run nothing which their arguments name. All others may: what an argument names is a suspect. */
export const inert = setOf(
  harmless,
  "dir cd uniq diff file touch mkdir rmdir mktemp date hostname kill type exit return break continue shift umask",
  "base64 xxd strings jq yq bc factor lsof rm chmod chown chgrp tree"
)

/** Of these, those with a language that opens what it names. */
export const readsByText = setOf("jq yq")

/** Options and words for a file that lists more arguments: `@x`, `--files-from=x`. */
const lists: Readonly<Record<string, RegExp>> = {
  ...forEachName("tar gtar bsdtar", /^-?[A-Za-z]*T|^--files-/),
  ...forEachName("wc du sort find", /^--?files0/),
  rsync: /^--files-/,
  ...forEachName("file ack cscope ctags", /^-[A-Za-z]*[fxL]|^--files-/),
  zip: /^-[A-Za-z]*@/,
  ...forEachName("wget aria2c", /^-[A-Za-z]*i|^--input/),
  curl: /^-[A-Za-z]*K|^--conf|^@/,
  git: /^--pathspec-from/,
  ...forEachName("xargs parallel", /^-[\w]*a|^--arg-?f|^::::/),
  ...forEachName("cpio pax", /^/)
}
const listing = /^(?:strings|nm|objdump|readelf|size|ar|ld|g?cc|[cg]\+\+|clang\S*|javac?|tsc|pytest|7z)$/
/** A name that begins with `@` is a list to the program. */
export const takesLists = (program: string): boolean => listing.test(program)
export const readsList = (program: string, args: ReadonlyArray<{ readonly text: string }>): boolean => {
  const form = ownIn(lists, program) ?? (takesLists(program) ? /^@/ : /(?!)/)
  return args.some(({ text }) => form.test(text))
}

/** Verbs behind which stand names of packages, which are none of commands. */
const packaging =
  /^(?:(?:npm|pnpm|yarn|bun|cargo|poetry|composer|uv) (?:i|install|add|remove|rm|uninstall|update|view|info|show|why|tree)|(?:uv )?pip3? (?:install|show|uninstall)) /
export const namesPackages = (words: ReadonlyArray<{ readonly text: string }>): boolean =>
  packaging.test(words.map(({ text }) => text).join(" "))

/** Options and verbs with which git runs a command that its caller names. */
export const gitCarries = setOf(
  "-c --config-env config alias foreach bisect filter-branch -x --exec --upload-pack --receive-pack difftool",
  "mergetool --extcmd -O --open-files-in-pager hook archive send-email"
)

/** Names that end with a digit which is no version. */
const digits = setOf(
  "base32 base64 bzip2 bunzip2 md5 sha1 sha256 sha512 linux32 linux64 sqlite3 crc32 k3s x509 s3cmd flake8"
)

/** `python3.12` is `python`. */
export const withoutVersion = (program: string): string =>
  digits.has(program) ? program : program.replace(/(?<=[A-Za-z])[-\d][\d.]*$/, "")

const messages = /^(?:-m|-am|--message|--title|--body|--grep|--author|--format|--pretty|--date|-c)$/
const scripts = /^-[ce]$/

/** Whether the value of an option is only a text to a program: a message, a title, a pattern, code. */
export const takesText = (program: string, option: string): boolean =>
  /^(?:git|gh|glab|hg|svn|jj)$/.test(program)
    ? messages.test(option)
    : /^(?:e|f)?grep$|^(?:rg|sed|psql)$/.test(program) || interpreters.has(program) || shells.has(program)
      ? scripts.test(option)
      : false
