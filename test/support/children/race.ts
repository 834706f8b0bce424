import { Effect } from "effect"
import { spawn } from "node:child_process"
import { patience } from "../run/patience.ts"

/** Lets processes of a script begin at the same moment, and gives back what each printed, with its exit code. */
export const race = (
  script: string,
  processes: ReadonlyArray<ReadonlyArray<string>>,
  env: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const children = yield* Effect.forEach(
      processes,
      (args) =>
        Effect.callback<{ readonly go: () => void; readonly done: Promise<string> }>((resume) => {
          const child = spawn(process.execPath, [script, ...args], {
            env: { ...process.env, ...env },
            stdio: ["pipe", "pipe", "pipe"]
          })
          let said = ""
          const done = new Promise<string>((ended) =>
            child.once("close", (code) => ended(`${said.replace("ready\n", "")}${code}`))
          )
          const hear = (data: string) => {
            said += data
            if (said.includes("ready")) resume(Effect.succeed({ go: () => child.stdin.end("\n"), done }))
          }
          child.stdout.setEncoding("utf8").on("data", hear)
          child.stderr.setEncoding("utf8").on("data", hear)
          return Effect.sync(() => child.kill("SIGKILL"))
        }),
      { concurrency: "unbounded" }
    )
    for (const child of children) child.go()
    return yield* Effect.promise(() => Promise.all(children.map(({ done }) => done)))
  }).pipe(Effect.timeout(patience))
