import { Effect } from "effect"
import { execFile, spawnSync } from "node:child_process"
import * as path from "node:path"
import type { Room } from "./Room.ts"
import { lookingAgain } from "../run/patience.ts"

/** Whether this machine has a tmux to look with. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** A real terminal (tmux, with a server of its own in the room) in which one leap command runs. */
export const openPane = Effect.fn("openPane")(function* (
  room: Pick<Room, "dir" | "env"> & { readonly command: ReadonlyArray<string> },
  name: string,
  args: ReadonlyArray<string>,
  size: { readonly cols: number; readonly rows: number },
  /** How many lines it remembers. */
  historyLines = 2000
) {
  const socket = path.join(room.dir, `${name}.tmux`)
  const tmux = (...words: ReadonlyArray<string>): Effect.Effect<string> =>
    Effect.callback<string>((resume) => {
      execFile(
        "tmux",
        ["-S", socket, "-f", "/dev/null", ...words],
        { env: room.env, cwd: room.dir, maxBuffer: 1 << 26 },
        (error, stdout) => resume(error === null ? Effect.succeed(stdout) : Effect.die(error))
      )
    })
  yield* Effect.acquireRelease(
    tmux(
      ...`set-option -g history-limit ${historyLines} ;`.split(" "),
      ..."new-session -d -s one".split(" "),
      ...`-x ${size.cols} -y ${size.rows}`.split(" "),
      `stty rows ${size.rows}; exec ${[...room.command, ...args].map(quoted).join(" ")}`,
      ..."; set-option -g status off".split(" "),
      ..."; set-option -g remain-on-exit on".split(" "),
      ..."; set-option -g escape-time 0".split(" ")
    ),
    () => Effect.ignore(tmux("kill-server"))
  )
  yield* tmux("resize-window", "-x", `${size.cols}`, "-y", `${size.rows}`)
  const lines = Effect.map(tmux("capture-pane", "-p"), (text) => text.split("\n").slice(0, -1))
  const again = <A, E>(look: Effect.Effect<A, E>): Effect.Effect<A, E> => Effect.retry(look, lookingAgain(50))
  return {
    lines,
    /** All that was ever shown, with the scrollback. */
    history: tmux("capture-pane", "-p", "-S", "-"),
    /** Sends bytes as they are. */
    type: (text: string) =>
      tmux("send-keys", "-H", ...[...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0"))),
    /** Of the command. */
    pid: Effect.map(tmux("display-message", "-p", "#{pane_pid}"), Number),
    resize: (cols: number, rows: number) => tmux("resize-window", "-x", `${cols}`, "-y", `${rows}`),
    shows: (test: (screen: string) => boolean, what: string) =>
      lines.pipe(
        Effect.flatMap((lines) => (test(lines.join("\n")) ? Effect.void : Effect.fail(lines.join("\n")))),
        again,
        Effect.catch((screen) => Effect.die(new Error(`${what}:\n${screen}`)))
      ),
    /** Shows what the host shows, which may go on meanwhile. */
    agrees: <E>(host: Effect.Effect<{ readonly text: string }, E>, what: string) =>
      Effect.all([host, lines]).pipe(
        Effect.flatMap(([{ text }, lines]) =>
          lines.join("\n").trimEnd() === text.trimEnd()
            ? Effect.void
            : Effect.fail(`${text}\n--- but in the pane:\n${lines.join("\n")}`)
        ),
        again,
        Effect.catch((screens) => Effect.die(new Error(`${what}:\n${String(screens)}`)))
      )
  }
})

export type Pane = Effect.Success<ReturnType<typeof openPane>>
