import type { OwnFlag } from "../../cli/provider/OwnFlag.ts"
import { syntaxOf } from "../../cli/provider/RepeatedArguments.ts"
import { namesIn } from "../../words/text/namesIn.ts"

const noDaemon = "--no-daemon"

/** Versions without the flag always run a session in its own process. */
export const codexFlags: ReadonlyArray<OwnFlag> = [{ flag: noDaemon, since: "0.156.0" }]

/** Subcommands that run no session in this terminal: they manage the shared server, or do not use it. */
const otherCommands: ReadonlySet<string> = new Set(
  namesIn(`agents exec e review login logout mcp plugin app-server remote-control completion update doctor sandbox
    debug apply a queue archive delete migrate-rollouts migrate-nfs-db unarchive cloud exec-server features help`)
)

export const codexSyntax = syntaxOf({
  kept: {
    none: `--approve-for-me --dangerously-bypass-approvals-and-sandbox --yolo --dangerously-bypass-hook-trust
      --full-auto --no-alt-screen ${noDaemon} --oss --search --strict-config`,
    one: `-c --config --enable --disable --remote --remote-auth-token-env -m --model --local-provider -p --profile
      -s --sandbox --add-dir -a --ask-for-approval`
  },
  once: {
    none: "--all --help -h --include-non-interactive --last --version -V --worktree",
    one: "-C --cd",
    many: "-i --image"
  },
  commands: ["resume", "fork"]
})

const optionsWithValue: ReadonlySet<string> = new Set([...codexSyntax.one, ...codexSyntax.many])

/**
 * Arguments with which Codex runs its session in its own process. On the default shared server, hooks run in the
 * environment of the session that started the server, so sessions cannot be told apart, and a turn outlives its
 * terminal. `-c features.daemon_auto_start=false` is no way out: with it Codex asks about a running server, and offers
 * to restart it for all sessions. `without`: leap's flags that this version does not know.
 */
export const codexArguments = (
  args: ReadonlyArray<string>,
  without: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  if (without.includes(noDaemon)) return args
  const beforeSeparator = args.indexOf("--") < 0 ? args : args.slice(0, args.indexOf("--"))
  if (beforeSeparator.some((arg) => /^--(?:no-daemon$|remote(?:$|=)|version$|help$)|^-[hV]$/.test(arg))) return args
  const first = beforeSeparator.find(
    (arg, index) => !arg.startsWith("-") && !optionsWithValue.has(beforeSeparator[index - 1] ?? "")
  )
  return first === undefined || !otherCommands.has(first) ? [noDaemon, ...args] : args
}
