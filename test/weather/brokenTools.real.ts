import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { hosted, type RealCli } from "../real/hosted.ts"
import { say } from "../real/model/FakeModel.ts"
import { clis } from "./impatient.ts"
import { isThorough } from "../support/run/thorough.ts"

/** Servers of tools: one that dies in the middle of a call, one that dies at its start, one that is not there. */
const programs: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>> = {
  dying: [process.execPath, join(import.meta.dirname, "dyingServer.mjs")],
  dead: [process.execPath, join(import.meta.dirname, "dyingServer.mjs"), "at once"],
  missing: [join(import.meta.dirname, "no-such-program")]
}

const named = <A>(of: (program: readonly [string, ...ReadonlyArray<string>]) => A): Record<string, A> =>
  Object.fromEntries(Object.entries(programs).map(([name, program]) => [name, of(program)]))

/** What these tests know of a CLI's own files. */
interface Config {
  readonly permissions?: object
  readonly projects?: Readonly<Record<string, object>>
}

const edit = (file: string, add: (data: Config) => object) =>
  writeFileSync(file, JSON.stringify(add(JSON.parse(readFileSync(file, "utf8")) as Config), null, 2))

const stdio = ([command, ...args]: readonly [string, ...ReadonlyArray<string>]) => ({ command, args })

/** How each CLI is told of its servers, and what it calls the tool of the one that dies. */
const configured: Readonly<
  Record<string, readonly [tool: string, configure: (home: string, project: string) => void]>
> = {
  claude: [
    "mcp__dying__fetch",
    (home, project) => {
      edit(join(home, ".claude.json"), (data) => ({
        ...data,
        projects: {
          [project]: { ...data.projects?.[project], mcpServers: named((it) => ({ type: "stdio", ...stdio(it) })) }
        }
      }))
      edit(join(home, ".claude/settings.json"), (data) => ({
        ...data,
        permissions: { ...data.permissions, allow: ["mcp__dying__fetch"] }
      }))
    }
  ],
  codex: [
    "mcp__dying__fetch",
    (home) => {
      const tables = named(
        ([command, ...args]) => `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
      )
      const text = Object.entries(tables).map(([name, body]) => `\n[mcp_servers.${name}]\n${body}`)
      writeFileSync(join(home, ".codex/config.toml"), text.join(""), { flag: "a" })
    }
  ],
  gemini: [
    "mcp_dying_fetch",
    (home) =>
      edit(join(home, ".gemini/settings.json"), (data) => ({
        ...data,
        mcpServers: named((it) => ({ ...stdio(it), trust: true }))
      }))
  ],
  copilot: [
    "dying-fetch",
    (home) =>
      writeFileSync(
        join(home, ".copilot/mcp-config.json"),
        JSON.stringify({ mcpServers: named((it) => ({ type: "local", tools: ["*"], ...stdio(it) })) })
      )
  ],
  opencode: [
    "dying_fetch",
    (home) =>
      edit(join(home, ".config/opencode/opencode.json"), (data) => ({
        ...data,
        mcp: named((command) => ({ type: "local", enabled: true, command }))
      }))
  ]
}

const behindBrokenTools = (cli: RealCli): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => {
    const env = cli.prepare(home, project, endpoint)
    configured[cli.id]?.[1](home, project)
    return env
  }
})

const texts = ["use the tool", "the second", "the third"]

describe.each(clis.slice(0, isThorough ? undefined : 2))("$id, whose servers of tools are broken", (cli) => {
  it("gets each message once, in order", () =>
    hosted(behindBrokenTools(cli), `broken-tools-${cli.id}`, async ({ api, leap, status, tag, until }) => {
      const tool = configured[cli.id]?.[0] ?? ""
      api.script({ blocks: [{ type: "tool", name: tool, input: {} }] })
      api.otherwise = say("fine")
      for (const text of texts) await leap(["send", tag, text])
      await until(
        "a call is answered, or asked about",
        ({ queue, state }) => state.startsWith("needs_") || queue.length === 0
      )
      if ((await status()).state.startsWith("needs_")) await leap(["answer", tag, "1"])
      await until("all are delivered", ({ queue, state }) => queue.length === 0 && state === "idle")
      const answered = api.main.filter(({ failed, goesOn }) => failed !== true && goesOn !== true)
      assert.deepStrictEqual(
        answered.map(({ conversation }) => conversation.at(-1)),
        texts
      )
    }))
})
