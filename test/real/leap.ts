import { spawn } from "node:child_process"
import { join } from "node:path"

export const bundle = join(import.meta.dirname, "../../dist/leap.js")

/** leap as a user runs it in a terminal: by this environment, in this directory. */
export const roomOf = (env: Readonly<Record<string, string | undefined>>, dir: string) => ({
  command: [process.execPath, bundle] as const,
  dir,
  env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>
})

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** One `leap` command as a user's shell runs it: the built program, its own process, bounded. */
export const runLeap = (
  env: Readonly<Record<string, string | undefined>>,
  args: ReadonlyArray<string>,
  stdin?: string,
  /** A command that runs the one behind it. */
  within: ReadonlyArray<string> = []
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const [program = process.execPath, ...words] = [...within, process.execPath, bundle, ...args]
    const child = spawn(program, words, {
      env,
      stdio: ["pipe", "pipe", "pipe"],
      timeout: 120_000,
      killSignal: "SIGKILL"
    })
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on("data", (data: Buffer) => out.push(data))
    child.stderr.on("data", (data: Buffer) => err.push(data))
    child.on("error", reject)
    child.on("close", (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() })
    )
    // A command that does not read its input may be gone before it is written.
    child.stdin.on("error", () => {})
    child.stdin.end(stdin ?? "")
  })

export interface Status {
  readonly hostPid: number | null
  readonly state: string
  readonly ready: boolean
  readonly transcriptPath: string | null
  readonly sessionId: string | null
  readonly lastMessage: string | null
  readonly lastResponse: string | null
  readonly context: {
    readonly usedTokens: number
    readonly window: number | null
    readonly percent: number | null
  } | null
  readonly cost: { readonly usd: number; readonly estimated: boolean } | null
  readonly queue: ReadonlyArray<{ readonly id: string; readonly text: string; readonly status: string }>
  readonly problem: { readonly kind: string; readonly message: string; readonly until: string | null } | null
  readonly question?: {
    readonly title: string
    readonly options: ReadonlyArray<{ readonly number: number | null; readonly label: string }>
  } | null
  readonly pause?: { readonly kind: string; readonly until: string | null; readonly text: string } | null
  readonly night?: { readonly at: string | null; readonly text: string } | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
}
