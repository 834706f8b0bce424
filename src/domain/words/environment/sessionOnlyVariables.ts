import { namesIn } from "../text/namesIn.ts"

/** Variables that belong to a session's start: to its time, place or terminal, which the session outlasts. */
interface VariableGroup {
  /** Names separated by blanks; a trailing `*` matches any end. */
  readonly names: string
  /** The user may have set them permanently: they belong to the start only if one of these is set too. */
  readonly within?: ReadonlyArray<string>
}

/** Each group with its reason. All other variables are the user's and are passed on. */
const groups: ReadonlyArray<VariableGroup> = [
  // The repository, index and settings of one git command (`git rev-parse --local-env-vars`, and more in its sources):
  // inherited from a hook, they would make git in another work tree use this one.
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
  // git sets these for its hooks, together with GIT_EXEC_PATH: the commit's author, and `:` as editor where none is to
  // open. Elsewhere they are the user's choice. The directory in GIT_EXEC_PATH may move with git's next version.
  {
    names: `GIT_AUTHOR_EMAIL GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_NAME GIT_EDITOR GIT_EXEC_PATH
      GIT_MERGE_AUTOEDIT GIT_SEQUENCE_EDITOR`,
    within: ["GIT_EXEC_PATH"]
  },
  // One script of a package, and its package.
  {
    names: `BERRY_BIN_FOLDER INIT_CWD PNPM_PACKAGE_NAME PNPM_SCRIPT_SRC_DIR PROJECT_CWD npm_command
      npm_config_init_module npm_config_local_prefix npm_config_node_gyp npm_config_npm_version
      npm_config_user_agent npm_execpath npm_lifecycle_* npm_node_execpath npm_package_*`
  },
  // One run of make (the descriptors of its job server are not passed on), and one of cargo.
  {
    names: "MAKEFLAGS MAKELEVEL MAKEOVERRIDES MAKE_TERMERR MAKE_TERMOUT MFLAGS",
    within: ["MAKELEVEL"]
  },
  { names: "CARGO_MANIFEST_* CARGO_MAKEFLAGS CARGO_PKG_* CARGO_BIN_NAME CARGO_CRATE_NAME" },
  // One run of Bundler, of a watcher, of a coverage tool.
  {
    names: "BUNDLER_* BUNDLE_BIN_PATH BUNDLE_GEMFILE",
    within: ["BUNDLE_BIN_PATH"]
  },
  {
    names: "DOTNET_HOTRELOAD_* DOTNET_MODIFIABLE_ASSEMBLIES DOTNET_STARTUP_HOOKS DOTNET_WATCH*",
    within: ["DOTNET_WATCH", "DOTNET_HOTRELOAD_NAMEDPIPE_NAME"]
  },
  { names: "NODE_V8_COVERAGE NYC_*" },
  // One unit of systemd, which would get another process's reports of readiness and life.
  {
    names: `INVOCATION_ID JOURNAL_STREAM LISTEN_FDNAMES LISTEN_FDS LISTEN_PID MAINPID NOTIFY_SOCKET SYSTEMD_EXEC_PID
      WATCHDOG_PID WATCHDOG_USEC`
  },
  // What a shell's tools recorded about its directory.
  {
    names: "DIRENV_DIFF DIRENV_DIR DIRENV_FILE DIRENV_IN_ENVRC DIRENV_WATCHES OLDPWD __MISE_DIFF __MISE_SESSION"
  },
  // The terminal: the session's own is leap, whose viewers come and go. gpg would ask in the old terminal.
  {
    names: `ALACRITTY_* BYOBU_* COLUMNS GHOSTTY_* GNOME_TERMINAL_* GPG_TTY ITERM_* KITTY_* KONSOLE_* LC_TERMINAL*
      LINES SSH_TTY STY TERMINAL_EMULATOR TERMINATOR_UUID TERM_PROGRAM* TERM_SESSION_ID TILIX_ID TMUX
      TMUX_PANE VTE_VERSION WEZTERM_* WINDOW WINDOWID WT_PROFILE_ID WT_SESSION XTERM_* ZELLIJ*`
  },
  // The editor of that terminal: its sockets and its program that asks for passwords disappear with its window.
  {
    names: `BUNDLED_DEBUGPY_PATH BUN_INSPECT* DEBUGPY_RUNNING ELECTRON_RUN_AS_NODE IDE_PROCESS_DISPATCHER
      INSIDE_EMACS JB_IDE_* NODE_DEBUG_OPTION NVIM NVIM_LISTEN_ADDRESS PYDEVD_* RUBY_DEBUG_* VIMRUNTIME VIM_SERVERNAME
      VIM_TERMINAL VSCODE_* ZED_*`
  },
  { names: "GIT_ASKPASS SSH_ASKPASS", within: ["VSCODE_GIT_IPC_HANDLE"] },
  { names: "MYVIMRC VIM", within: ["NVIM", "VIM_TERMINAL"] },
  // An AppImage, whose files are mounted only while it runs.
  { names: "APPDIR APPIMAGE ARGV0 OWD", within: ["APPDIR"] },
  // An outer session of leap: this one would report there.
  { names: "LEAP_CLI_PROVIDER LEAP_HOST_* LEAP_SIGNAL_DIR LEAP_TAG" }
]

/** What the debuggers of Visual Studio Code and JetBrains make Java load. */
const javaDebugger = /^-(?:(?:agentlib:|Xrun)jdwp\b|javaagent:.*(?:debugger-agent|idea_rt)\.jar)/
/**
 * In these variables only some words belong to the start: those that make every program of a runtime load a module of
 * an editor's debugger, or of one run. The module's file or socket disappears with it. The user's other words stay.
 */
const loaded = new Map([
  // Visual Studio Code and its relatives ("JavaScript Debug Terminal", auto attach), the IDEs of JetBrains, and Node's
  // own; Yarn's modules of one project, and coverage tools.
  [
    "NODE_OPTIONS",
    /js-debug\b.*bootloader|debug-?connector|^--(?:inspect|debug)\b|\.pnp\.(?:c?js|loader\.mjs)$|\bnode-preload\b/i
  ],
  ["BUN_OPTIONS", /^--inspect(?:-|=|$)/],
  ...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "GRADLE_OPTS", "MAVEN_OPTS", "SBT_OPTS"].map(
    (name) => [name, javaDebugger] as const
  ),
  ["RUBYOPT", /^-r(?:bundler\/setup$|.*\bdebug\/(?:open|prelude|start)|.*(?:debase|ruby-debug))/],
  ["PYTHONPATH", /\/helpers\/py(?:dev|charm)/]
])

/** Options whose next word is the module to load. */
const loads = /^(?:-r|--(?:require|import|(?:experimental-)?loader))$/

/** The words of a variable: separated by blanks outside double quotes, or those of a path by colons. */
const wordsOf = (text: string, isPath: boolean): ReadonlyArray<string> =>
  isPath ? text.split(":") : (text.match(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g) ?? [])

/** The variable without such modules; null if nothing is left. */
const withoutLoaded = (name: string, value: string): string | null => {
  const pattern = loaded.get(name)
  if (pattern === undefined) return value
  const isPath = name.endsWith("PATH")
  const words = wordsOf(value, isPath)
  const goes = (word = "") => pattern.test(word.replaceAll('"', ""))
  if (!words.some(goes)) return value
  return (
    words.filter((word, n) => !goes(word) && !(loads.test(word) && goes(words[n + 1]))).join(isPath ? ":" : " ") || null
  )
}

const patternOf = (names: string): RegExp =>
  new RegExp(
    `^(?:${namesIn(names)
      .map((name) => name.replace(/\*$/, ".*"))
      .join("|")})$`
  )

const rules = groups.map(({ names, within }) => ({ pattern: patternOf(names), within }))
const always = rules.filter(({ within }) => within === undefined).map(({ pattern }) => pattern)

/** An environment without the variables of a start and without `inside`: those that tell which CLI a process is in. */
export const withoutSessionOnlyVariables = (
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
      const left = withoutLoaded(name, value)
      return left === null ? [] : [[name, left]]
    })
  )
}
