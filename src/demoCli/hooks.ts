import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import type { HookDecision } from "./model.ts"

interface HookCommand {
  readonly matcher: RegExp | null
  readonly command: string
  readonly timeout: number
}

const defaultTimeout = 60

/** The lifecycle hooks of the settings file: commands that get the payload on standard input. */
export interface Hooks {
  /** Runs every hook of an event, after those of earlier events, and resolves with all outputs. */
  readonly run: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<ReadonlyArray<string>>
  readonly abortDecisions: () => void
}

export const decisionEvent = "PermissionRequest"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const commandsOf = (groups: unknown): ReadonlyArray<HookCommand> =>
  list(groups).flatMap((group) => {
    if (!isRecord(group)) return []
    const matcher =
      typeof group["matcher"] === "string" && group["matcher"] !== "" && group["matcher"] !== "*"
        ? new RegExp(`^(?:${group["matcher"]})$`)
        : null
    return list(group["hooks"]).flatMap((hook) =>
      isRecord(hook) && typeof hook["command"] === "string"
        ? [
            {
              matcher,
              command: hook["command"],
              timeout: typeof hook["timeout"] === "number" ? hook["timeout"] : defaultTimeout
            }
          ]
        : []
    )
  })

/** Reads the settings file. A missing file has no hooks. Throws for invalid JSON or a bad matcher. */
export const readSettings = (file: string): ReadonlyMap<string, ReadonlyArray<HookCommand>> => {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch {
    return new Map()
  }
  const settings: unknown = JSON.parse(text)
  const hooks = isRecord(settings) && isRecord(settings["hooks"]) ? settings["hooks"] : {}
  return new Map(Object.entries(hooks).map(([event, groups]) => [event, commandsOf(groups)]))
}

/** Hooks of one session; `common` are the fields that every payload has. */
export const makeHooks = (
  settings: ReadonlyMap<string, ReadonlyArray<HookCommand>>,
  common: Readonly<Record<string, unknown>>
): Hooks => {
  const decisionHooks = new Set<ChildProcess>()
  let before: Promise<unknown> = Promise.resolve()
  const runOne = ({ command, timeout }: HookCommand, payload: string, decides: boolean) =>
    new Promise<string>((resolve) => {
      // A process group of its own, so that the command's children can be killed with it.
      const child = spawn("sh", ["-c", command], { stdio: ["pipe", "pipe", "ignore"], detached: true })
      const timer = setTimeout(() => kill(child), timeout * 1000)
      let printed = ""
      const done = () => {
        clearTimeout(timer)
        decisionHooks.delete(child)
        resolve(printed)
      }
      if (decides) decisionHooks.add(child)
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text
      })
      // A hook may end without reading its input.
      child.stdin.on("error", () => {})
      child.stdin.end(payload)
      child.on("error", done)
      child.on("close", done)
    })
  return {
    run: (event, fields) => {
      const tool = fields["tool_name"]
      const payload = JSON.stringify({ ...common, hook_event_name: event, ...fields })
      const commands = (settings.get(event) ?? []).filter(
        ({ matcher }) => matcher === null || typeof tool !== "string" || matcher.test(tool)
      )
      const all = before.then(() => Promise.all(commands.map((hook) => runOne(hook, payload, event === decisionEvent))))
      before = all
      return all
    },
    abortDecisions: () => decisionHooks.forEach(kill)
  }
}

const kill = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
  } catch {
    // it has already ended
  }
}

/** The first decision in the outputs of PermissionRequest hooks; null leaves it to the user. */
export const decisionIn = (outputs: ReadonlyArray<string>): HookDecision | null => {
  for (const output of outputs) {
    try {
      const printed: unknown = JSON.parse(output)
      const specific = isRecord(printed) ? printed["hookSpecificOutput"] : null
      const decision = isRecord(specific) ? specific["decision"] : null
      if (!isRecord(decision)) continue
      if (decision["behavior"] === "allow") return "allow"
      if (decision["behavior"] === "deny") return decision["interrupt"] === true ? "interrupt" : "deny"
    } catch {
      // Hooks may print anything; output that is not JSON is no decision.
    }
  }
  return null
}
