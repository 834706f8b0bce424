import { namesIn } from "../text/namesIn.ts"

/**
 * Variables that tell of the moment, the place or the terminal in which a session was started, and would be wrong for
 * as long as it lives: it outlasts them all.
 */
interface Moment {
  /** Names, or how they begin where they end with `*`, parted by blanks. */
  readonly names: string
  /** Somebody may have set them for good: they are of the moment only where one of these is there too. */
  readonly within?: ReadonlyArray<string>
}

/** Each group with its reason. What is not in it is the user's, and is handed on. */
const moments: ReadonlyArray<Moment> = [
  // The repository, index and settings of one git command (`git rev-parse --local-env-vars` and what its sources have
  // beside them): in a hook they would turn the git of another work tree to this one.
  {
    names: `GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_KEY_*
      GIT_CONFIG_PARAMETERS GIT_CONFIG_VALUE_* GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE
      GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX
      GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE`
  },
  // One commit, rebase, merge, push or external diff: every later commit would have its date.
  {
    names: `GITHEAD_* GIT_AUTHOR_DATE GIT_CHERRY_PICK_HELP GIT_COMMITTER_DATE GIT_DIFF_PATH_COUNTER
      GIT_DIFF_PATH_TOTAL GIT_PUSH_OPTION_* GIT_REFLOG_ACTION GIT_TRACE2_PARENT_* HUSKY_GIT_PARAMS PRE_COMMIT
      PRE_COMMIT_*`
  },
  // Who wrote the commit that a hook runs for, and the editors that its git wants none of; elsewhere the user's choice.
  // The folder of git's own programs is there in each of them, and moves with git's next version.
  {
    names: `GIT_AUTHOR_EMAIL GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_NAME GIT_EDITOR GIT_EXEC_PATH
      GIT_MERGE_AUTOEDIT GIT_SEQUENCE_EDITOR`,
    within: ["GIT_EXEC_PATH"]
  },
  // One script of a package, and the package that it is of.
  {
    names: `BERRY_BIN_FOLDER INIT_CWD PNPM_PACKAGE_NAME PNPM_SCRIPT_SRC_DIR PROJECT_CWD npm_command
      npm_config_init_module npm_config_local_prefix npm_config_node_gyp npm_config_npm_version
      npm_config_user_agent npm_execpath npm_lifecycle_* npm_node_execpath npm_package_*`
  },
  // One run of make, whose job server's descriptors are not handed on; of cargo.
  {
    names: "MAKEFLAGS MAKELEVEL MAKEOVERRIDES MAKE_TERMERR MAKE_TERMOUT MFLAGS",
    within: ["MAKELEVEL"]
  },
  { names: "CARGO_MANIFEST_* CARGO_MAKEFLAGS CARGO_PKG_* CARGO_BIN_NAME CARGO_CRATE_NAME" },
  // One unit of systemd, which would be told of readiness and life by another.
  {
    names: `INVOCATION_ID JOURNAL_STREAM LISTEN_FDNAMES LISTEN_FDS LISTEN_PID MAINPID NOTIFY_SOCKET SYSTEMD_EXEC_PID
      WATCHDOG_PID WATCHDOG_USEC`
  },
  // What a shell's tools noted of the directory that it was in.
  {
    names: "DIRENV_DIFF DIRENV_DIR DIRENV_FILE DIRENV_IN_ENVRC DIRENV_WATCHES OLDPWD __MISE_DIFF __MISE_SESSION"
  },
  // The terminal: the session's own is leap, whose viewers come and go. gpg would ask in the old one.
  {
    names: `ALACRITTY_* BYOBU_* COLUMNS GHOSTTY_* GNOME_TERMINAL_* GPG_TTY ITERM_* KITTY_* KONSOLE_* LC_TERMINAL*
      LINES SSH_TTY STY TERMINAL_EMULATOR TERMINATOR_UUID TERM_PROGRAM* TERM_SESSION_ID TILIX_ID TMUX
      TMUX_PANE VTE_VERSION WEZTERM_* WINDOW WINDOWID WT_PROFILE_ID WT_SESSION XTERM_* ZELLIJ*`
  },
  // The editor whose terminal it was: its sockets go with its window, and its way of asking for passwords with them.
  {
    names: `ELECTRON_RUN_AS_NODE INSIDE_EMACS JB_IDE_* NODE_DEBUG_OPTION NVIM NVIM_LISTEN_ADDRESS VIMRUNTIME
      VSCODE_*`
  },
  { names: "GIT_ASKPASS SSH_ASKPASS", within: ["VSCODE_GIT_IPC_HANDLE"] },
  // An outer session of leap: this one would report there.
  { names: "LEAP_CLI_PROVIDER LEAP_HOST_* LEAP_SIGNAL_DIR LEAP_TAG" }
]

/**
 * Of these only some words are of the moment: what an editor's debugger has every program of a runtime load, from a
 * file or over a socket that goes with its window. The user's other words stay.
 */
const debuggers = new Map([
  // Visual Studio Code and its kin ("JavaScript Debug Terminal", auto attach), the IDEs of JetBrains, and Node's own
  ["NODE_OPTIONS", /js-debug\b.*bootloader|debug-?connector|^--(?:inspect|debug)(?:-|=|$)/i],
  // both families of editors, for Java
  ["JAVA_TOOL_OPTIONS", /^-(?:agentlib:|Xrun)jdwp\b/]
])

/** The next word says what this one loads. */
const loads = /^(?:-r|--(?:require|import|(?:experimental-)?loader))$/

/** The words of a variable as they stand there: parted by blanks, which double quotes keep together. */
const wordsOf = (text: string): ReadonlyArray<string> => text.match(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g) ?? []

/** The variable without the words of a debugger; null where nothing is left. */
const withoutDebugger = (name: string, value: string): string | null => {
  const its = debuggers.get(name)
  if (its === undefined) return value
  const words = wordsOf(value)
  const isOf = (word = "") => its.test(word.replaceAll('"', ""))
  if (!words.some(isOf)) return value
  return words.filter((word, n) => !isOf(word) && !(loads.test(word) && isOf(words[n + 1]))).join(" ") || null
}

const patternOf = (names: string): RegExp =>
  new RegExp(
    `^(?:${namesIn(names)
      .map((name) => name.replace(/\*$/, ".*"))
      .join("|")})$`
  )

const rules = moments.map(({ names, within }) => ({ pattern: patternOf(names), within }))
const always = rules.filter(({ within }) => within === undefined).map(({ pattern }) => pattern)

/**
 * An environment without what belongs to the moment it is of. `inside`: the variables by which CLIs tell what they
 * start that it runs inside them.
 */
export const withoutMoment = (
  env: Readonly<Record<string, string>>,
  inside: ReadonlyArray<string> = []
): Record<string, string> => {
  const patterns = [
    ...always,
    ...rules.flatMap(({ pattern, within }) => (within?.some((name) => env[name] !== undefined) ? [pattern] : []))
  ]
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (inside.includes(name) || patterns.some((pattern) => pattern.test(name))) return []
      const left = withoutDebugger(name, value)
      return left === null ? [] : [[name, left]]
    })
  )
}
