import { assert, it } from "@effect/vitest"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { claude } from "../cli/claude.ts"
import { codex } from "../cli/codex.ts"
import { copilot } from "../cli/copilot.ts"
import { gemini } from "../cli/gemini.ts"
import { opencode } from "../cli/opencode.ts"
import { endless, hosted, type RealCli, sleep } from "../hosted.ts"
import { type Exchange, say } from "../model/FakeModel.ts"
import { obeysOwnRule } from "./denied.ts"
import { label } from "./labels.ts"

/** How a CLI is told by its own settings to call no hook; it stands before leap is wired in. */
const silence: Readonly<Record<string, (home: string) => void>> = {
  claude: (home) => merge(join(home, ".claude/settings.json"), { disableAllHooks: true }),
  codex: (home) => appendFileSync(join(home, ".codex/config.toml"), "\n[features]\nhooks = false\n"),
  copilot: (home) => merge(join(home, ".copilot/hooks/leap.json"), { version: 1, disableAllHooks: true }),
  gemini: (home) => merge(join(home, ".gemini/settings.json"), { hooksConfig: { enabled: false } })
}

const merge = (file: string, more: object) => {
  mkdirSync(dirname(file), { recursive: true })
  const old: object = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {}
  writeFileSync(file, JSON.stringify({ ...old, ...more }, null, 2))
}

/** What scripts/drift.ts wants to know, and where it reads the answer. */
interface Task {
  readonly cli: string
  readonly hooks: boolean
  /** Variables that the CLI sees besides. */
  readonly env?: Readonly<Record<string, string>>
  readonly result: string
  /** Where the labelled recording goes. */
  readonly recording?: string
  /** Also whether rules of the user's own hold. */
  readonly rules?: boolean
}

const task = JSON.parse(process.env["LEAP_DRIFT"] ?? "{}") as Task
const real = [claude, codex, copilot, gemini, opencode].find(({ id }) => id === task.cli)
const command = "mkdir -p out && ls"
/** What the user said, without an element that an older version puts behind it. */
const withoutTail = (text: string) => text.replace(/\s*<([a-z]\w*)>[^]*<\/\1>\s*$/, "")
const whyOf = (error: unknown) => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))

it(`${task.cli}, ${task.hooks ? "with" : "without"} hooks`, async () => {
  if (real === undefined) throw new Error(`no driver for ${task.cli}`)
  const off = silence[real.id]
  const result: Record<string, unknown> = {}
  const tell = (more: object) => writeFileSync(task.result, JSON.stringify(Object.assign(result, more)))
  if (!task.hooks && off === undefined) return tell({ skipped: "no switch for hooks" })
  const cli: RealCli = {
    ...real,
    prepare: (home, project, endpoint) => {
      const env = real.prepare(home, project, endpoint)
      if (!task.hooks) off?.(home)
      return { ...env, ...task.env }
    }
  }
  const messages = ["The first one.", "The second one.", "The third one.", "The fourth one."]
  let delivered = 0
  let intoDialog = false
  let dialog = false
  let interrupted: boolean | null = null
  try {
    await hosted(cli, "drift", async ({ api, env, leap, stays, tag, until }) => {
      const upAt = Date.now()
      const arrives = cli.arrives ?? ((text: string) => text)
      const turn = endless("Working")
      const second = endless("Working again")
      const told = () =>
        api.main.reduce((most, { conversation: sent }) => {
          const conversation = sent.map(withoutTail)
          const from = conversation.indexOf(arrives("Begin."))
          const said = from < 0 ? [] : conversation.slice(from + 1)
          return said.every((text, at) => text === arrives(messages[at] ?? "")) ? Math.max(most, said.length) : most
        }, 0)
      api.script(turn.reply, cli.shell(command), say("It is."), say("Two."), say("Three."), say("Four."))
      try {
        await leap(["send", tag, "Begin."])
        await api.until("the first turn streams", (main) => main[0]?.startedAt != null)
        for (const text of messages) await leap(["send", tag, text])
        await stays("none goes out while the turn streams", 3000, ({ ready }) => !ready && told() === 0)
        turn.end()
        await until("the dialog is seen", ({ state }) => state === "needs_permission")
        dialog = true
        const before = told()
        await stays("none goes into the dialog", 4000, ({ ready, state }) => !ready && state === "needs_permission")
        intoDialog = told() !== before
        await leap(["answer", tag, "1"])
        await until("all are delivered", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"))
        assert.strictEqual(told(), messages.length)
      } finally {
        turn.end()
        delivered = told()
      }
      let interruptedAt: number | null = null
      try {
        api.script(second.reply, say("It goes on."))
        // some seconds of rest, so that what is said of it is heard
        await stays("it rests", 3000, ({ state }) => state === "idle")
        const turns = api.main.length
        await leap(["send", tag, "Once more."])
        await api.until("another turn streams", (main) => main[turns]?.startedAt != null)
        await until("it is seen to run", ({ state }) => state === "running")
        interruptedAt = Date.now()
        interrupted = false
        await leap(["interrupt", tag])
        await until("it is interrupted", ({ state }) => state === "interrupted")
        interrupted = true
        await stays("it is not ready", 2000, ({ ready }) => !ready)
        await leap(["send", tag, "--force", "Go on."])
        await until("it goes on", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"))
      } finally {
        second.end()
        if (task.recording !== undefined) {
          await sleep(4000)
          const file = join(env["HOME"] ?? "", "drift-past.cast")
          await leap(["record", tag, "--past", file])
          const driven = {
            upAt,
            endAt: Date.now(),
            interruptedAt,
            asks: /mkdir -p out/,
            calls: (exchange: Exchange) => exchange === api.main[1]
          }
          const labelled = label(readFileSync(file, "utf8"), api.exchanges, driven)
          writeFileSync(
            task.recording,
            await Effect.runPromise(Effect.scoped(Effect.provide(labelled, ScreenXterm.layer)))
          )
        }
      }
    })
    tell({ delivered, dialog, intoDialog, interrupted, why: null })
  } catch (error) {
    tell({ delivered, dialog, intoDialog, interrupted, why: whyOf(error) })
  }
  if (task.rules === true) tell({ rules: await obeysOwnRule(real) })
})
