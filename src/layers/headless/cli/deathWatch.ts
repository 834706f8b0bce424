import { Effect } from "effect"
import { spawn } from "node:child_process"
import type { Writable } from "node:stream"
import type { ProcessKey } from "../../../domain/store/hookSpool/HookOrigin.ts"
import type { EnvironmentMark, ProcessTable } from "../../../services/ProcessTable.ts"

/**
 * Waits until the other end of its standard input closes, which happens however that process dies. Then it ends the
 * group, and all processes with the mark and their descendants. It is a shell because no program of leap's is left by
 * then. Processes seen once are identified by their start time, because the family falls apart when its head has ended.
 * $1: the mark, VARIABLE=VALUE. $2: seconds between SIGTERM and SIGKILL. Standard input: the leader, and again with its
 * start time once that is known.
 */
const script = `
leader= birth=
while read -r pid since; do leader=$pid birth=$since; done
born() {
  read -r stat < "/proc/$1/stat" || return
  set -- $\{stat##*)}
  case $1 in [ZX]) ;; *) echo "$\{20}" ;; esac
}
group() {
  [ -n "$leader" ] || return
  now=$(born "$leader")
  [ -z "$now" ] || [ -z "$birth" ] || [ "$birth" = "$now" ]
}
family() (
  for one do
    echo "$one:$(born "$one")"
    family $(cat "/proc/$one/task/"*/children)
  done
)
marked() { grep -lsF -- "$1" /proc/[0-9]*/environ | tr -dc '0-9\\n'; }
same() { [ "$(born "$\{1%%:*}")" = "$\{1#*:}" ] && [ "$1" != "$\{1%%:*}:" ]; }
look() { known="$known $(family $(group && echo "$leader") $(marked "$1"))"; }
tell() {
  group && kill -s "$1" -- "-$leader"
  for one in $known; do same "$one" && kill -s "$1" "$\{one%%:*}"; done
}
left() {
  group && kill -s 0 -- "-$leader" && return
  for one in $known; do same "$one" && return; done
  return 1
}
known=
look "$1"
tell TERM
tenths=$(($2 * 10))
while [ "$tenths" -gt 0 ] && left; do
  sleep 0.1 || sleep 1
  tenths=$((tenths - 1))
done
for again in 1 2; do
  look "$1"
  left || break
  tell KILL
  sleep 0.2 || sleep 1
done
`

/**
 * While the scope is open: if this process dies, even by SIGKILL, the processes with the mark and the group that the
 * returned function names are ended. Without a shell there is no watch, because the run matters more.
 */
export const watchDeath = (mark: EnvironmentMark, grace: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const seconds = String(Math.ceil(grace / 1_000))
        const child = spawn("/bin/sh", ["-c", script, "leap-watch", `${mark.variable}=${mark.value}`, seconds], {
          cwd: "/",
          // Without the mark of an outer run that contains leap itself: the end of that run must not end this watch.
          env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
          detached: true,
          stdio: ["pipe", "ignore", "ignore"]
        })
        child.on("error", () => {})
        child.unref()
        // Without free file descriptors there is no stdin, and no process.
        const stdin: Writable | undefined = child.stdin
        stdin?.on("error", () => {})
        return { child, stdin }
      }),
      ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    ({ stdin }) =>
      (leader: ProcessKey) =>
        Effect.sync(() => {
          stdin?.write(`${leader.pid} ${leader.birth ?? ""}\n`)
        })
  )

/** The wait for killed processes, in milliseconds. */
const killWait = 1_000

/**
 * Ends the processes that a run has left behind, in any group or session: SIGTERM, then SIGKILL after `grace`
 * milliseconds. Twice, because a signalled process may have started others. The processes are `known` as descendants,
 * or have the run's mark in their environment.
 */
export const endOrphans = Effect.fnUntraced(function* (
  table: ProcessTable["Service"],
  mark: EnvironmentMark,
  known: ReadonlyArray<ProcessKey>,
  grace: number
) {
  const { left } = yield* table.end({ _tag: "Family", mark, known }, [
    { signal: "SIGTERM", patience: grace },
    { signal: "SIGKILL", patience: killWait },
    { signal: "SIGKILL", patience: killWait }
  ])
  if (left.length > 0) yield* Effect.logWarning("processes of a headless run could not be ended")
})
