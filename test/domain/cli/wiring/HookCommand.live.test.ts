import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll } from "vitest"
import type { HookWiring } from "../../../../src/domain/cli/wiring/HookWiring.ts"
import { claudeHooks } from "../../../../src/domain/providers/claude/Wiring.ts"
import { codexHooks } from "../../../../src/domain/providers/codex/Wiring.ts"
import { copilotHooks } from "../../../../src/domain/providers/copilot/Wiring.ts"
import { cursorAgentHooks } from "../../../../src/domain/providers/cursor-agent/Wiring.ts"
import { demoHooks } from "../../../../src/domain/providers/demo/Wiring.ts"
import { geminiHooks } from "../../../../src/domain/providers/gemini/Wiring.ts"
import { isShDash } from "../../../support/wiring/hookScript.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "leap hook's command-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Every CLI whose settings name a command. OpenCode's hooks are a plugin that leap writes whole. */
const wirings: ReadonlyArray<readonly [string, HookWiring]> = [
  ["claude", claudeHooks],
  ["codex", codexHooks],
  ["copilot", copilotHooks],
  ["cursor-agent", cursorAgentHooks],
  ["demo", demoHooks],
  ["gemini", geminiHooks]
]

/** The commands as they stand in the file that is written, each with its event. */
const commandsOf = (wiring: HookWiring, script: string): ReadonlyArray<string> => {
  const files = wiring.files({
    env: { HOME: root },
    script,
    statusLineScript: join(root, "leap-statusline.sh"),
    statusLine: false,
    realPath: (path) => path,
    sha256: () => "0"
  })
  const text = Result.getOrThrow((files.at(-1) ?? files[0]).install(null, () => null)) ?? ""
  const commands: Array<string> = []
  JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if ((key === "command" || key === "bash") && typeof value === "string") commands.push(value)
    return value
  })
  return commands
}

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** All of the input was taken. */
  readonly drained: boolean
  /** The process that was started. */
  readonly pid: number | undefined
}

/** More than a pipe holds. */
const input = `${JSON.stringify({ text: "x".repeat(300_000) })}\n`

const run = (shell: string, command: string): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(shell, ["-c", command], { cwd: root, env: { PATH: "/usr/bin:/bin", HOME: root, SHLVL: "1" } })
    let [out, err, drained] = ["", "", true]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
    child.stdin.on("error", () => (drained = false))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, out, err, drained, pid: child.pid }))
    child.stdin.end(input)
  })

const places = ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/zsh", "/usr/bin/zsh", "/usr/bin/fish"]
const shells = places.filter((path) => existsSync(path) && !(path === "/bin/dash" && isShDash))

describe("the command that is written for a hook", () => {
  describe.each(wirings)("%s", (id, wiring) => {
    it.each(shells)("hands its input on under %s, and its answer back", async (shell) => {
      const folder = join(root, `${id} there`)
      await mkdir(folder, { recursive: true })
      const script = join(folder, "leap-hook.sh")
      const seen = join(folder, "seen")
      writeFileSync(
        script,
        `#!/bin/sh\n[ "$1" = "" ] || { cat > "\${0%/*}/seen"; echo answer; echo "$PPID" > "\${0%/*}/parent"; }\n`
      )
      chmodSync(script, 0o755)
      const [command = ""] = commandsOf(wiring, script)
      const ran = await run(shell, command)
      assert.deepInclude(ran, { code: 0, out: "answer\n", err: "", drained: true })
      // the host knows a call by who is above it: the CLI, or one shell of the CLI's in between
      const parent = Number(readFileSync(join(folder, "parent"), "utf8"))
      assert.include([process.pid, ran.pid], parent)
      assert.strictEqual(readFileSync(seen, "utf8"), input)
    })

    it.each(shells)(
      "is silent under %s where the script is missing or cannot be run, and takes its input",
      async (shell) => {
        const quiet = { code: 0, out: "", err: "", drained: true }
        for (const command of new Set(commandsOf(wiring, join(root, "gone", "leap-hook.sh"))))
          assert.deepInclude(await run(shell, command), quiet, command)
        const inert = join(root, "leap-hook.sh")
        writeFileSync(inert, "#!/bin/sh\necho never\n", { mode: 0o600 })
        const [command = ""] = commandsOf(wiring, inert)
        assert.deepInclude(await run(shell, command), quiet)
      }
    )
  })
})
