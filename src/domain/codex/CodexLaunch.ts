/** Subcommands that hold a session of their own in this terminal. The others are no concern of the shared server, or work on it. */
const sessions: ReadonlySet<string> = new Set(["resume", "fork"])

/** Every other subcommand. */
const others: ReadonlySet<string> = new Set([
  "agents", "exec", "e", "review", "login", "logout", "mcp", "plugin", "app-server", "remote-control", "completion", "update", "doctor", "sandbox",
  "debug", "apply", "a", "queue", "archive", "delete", "migrate-rollouts", "migrate-nfs-db", "unarchive", "cloud", "exec-server", "features", "help"
])

/** Options that take the next argument as their value. */
const valued: ReadonlySet<string> = new Set([
  "-c", "--config", "--enable", "--disable", "--remote-auth-token-env", "-i", "--image", "-m", "--model", "--local-provider", "-p", "--profile", "-s",
  "--sandbox", "-C", "--cd", "--add-dir", "-a", "--ask-for-approval"
])

/**
 * Arguments under which Codex runs its session itself. On the server that all sessions share by default, hooks run in the
 * environment of whichever session started that server, so that they cannot be told apart; and a turn outlives its terminal.
 * (`-c features.daemon_auto_start=false` would ask what to do with a server that is there, and offer to restart it for all.)
 */
export const codexArguments = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = args.indexOf("--") < 0 ? args : args.slice(0, args.indexOf("--"))
  if (own.some((arg) => /^--(?:no-daemon$|remote(?:$|=)|version$|help$)|^-[hV]$/.test(arg))) return args
  const first = own.find((arg, index) => !arg.startsWith("-") && !valued.has(own[index - 1] ?? ""))
  return first === undefined || sessions.has(first) || !others.has(first) ? ["--no-daemon", ...args] : args
}
