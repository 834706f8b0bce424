// The main job as its user sees it: one word starts the CLI, a message is queued while it works, waits in its dialog, and
// is typed when the turn is over. With LEAP_REAL_RECORDS the window is recorded there as main-job.cast, of which
// `npm run screenshots -- main-job` draws README's moving picture once it is put into docs/pictures.
import XtermHeadless from "@xterm/headless"
import { assert, describe, it } from "@effect/vitest"
import * as pty from "node-pty"
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { StringDecoder } from "node:string_decoder"
import { claude } from "./cli/claude.ts"
import { hosted, type RealCli, type Session, sleep } from "./hosted.ts"
import { bundle } from "./leap.ts"
import type { Reply } from "./model/FakeModel.ts"

const size = { cols: 84, rows: 23 }

/** A terminal with a shell in it that knows the word `leap`; what it shows is recorded. */
const openShell = ({ env, project }: Pick<Session, "env" | "project">) => {
  const bin = join(env["HOME"] ?? "", "bin")
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, "leap"), `#!/bin/sh\nexec '${process.execPath}' '${bundle}' "$@"\n`)
  chmodSync(join(bin, "leap"), 0o755)
  const terminal = new XtermHeadless.Terminal({ ...size, allowProposedApi: true })
  const shell = pty.spawn("/bin/sh", ["-i"], {
    name: "xterm-256color",
    ...size,
    encoding: null,
    cwd: project,
    env: { ...env, PATH: `${bin}:${env["PATH"] ?? ""}`, PS1: "$ ", TERM: "xterm-256color", COLORTERM: "truecolor" }
  })
  const begun = Date.now()
  const events: Array<string> = []
  const record = (code: "m" | "o", text: string) =>
    events.push(JSON.stringify([Number(((Date.now() - begun) / 1000).toFixed(3)), code, text]))
  const decoder = new StringDecoder("utf8")
  shell.onData((data) => {
    record("o", decoder.write(Buffer.from(data)))
    terminal.write(data)
  })
  const write = (text: string) => shell.write(Buffer.from(text))
  terminal.onData(write)
  const screen = () =>
    Array.from({ length: size.rows }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true)).join("\n")
  return {
    type: async (text: string) => {
      for (const key of text) {
        write(key)
        await sleep(45)
      }
    },
    shows: async (wanted: string) => {
      for (const deadline = Date.now() + 60_000; !screen().includes(wanted); await sleep(20))
        if (Date.now() > deadline) throw new Error(`it never showed ${JSON.stringify(wanted)}:\n${screen()}`)
    },
    screen,
    /** What a reader of the picture is told from here on. */
    caption: (text: string) => record("m", `note:${text}`),
    end: (file: string | undefined) => {
      process.kill(shell.pid, "SIGHUP")
      if (file === undefined) return
      const head = JSON.stringify({ version: 2, width: size.cols, height: size.rows, title: "leap: the main job" })
      writeFileSync(file, `${[head, ...events].join("\n")}\n`)
    }
  }
}

const later = (ms: number, ...blocks: Extract<Reply, { readonly blocks: unknown }>["blocks"]): Reply => ({
  answers: true,
  by: async (response, speak) => {
    await sleep(ms)
    await speak(blocks)
    response.end()
  }
})

describe("the main job in a terminal", () => {
  it("goes as README's moving picture shows it", async () => {
    let shell: ReturnType<typeof openShell> | undefined
    const started: RealCli = {
      ...claude,
      prepare: (home, project, endpoint) => {
        // what a machine without a desktop and with several CLIs says besides is not of this
        mkdirSync(join(home, ".config/leap"), { recursive: true })
        writeFileSync(join(home, ".config/leap/settings.json"), JSON.stringify({ notify: { desktop: false } }))
        return { ...claude.prepare(home, project, endpoint), LEAP_CLI: "claude" }
      },
      starts: async (words, at) => {
        shell = openShell(at)
        shell.caption("One word starts Claude Code under leap, as it is.")
        await shell.shows("$")
        await sleep(600)
        await shell.type(`leap ${words[0]}`)
        await sleep(300)
        await shell.type("\r")
        await shell.shows("ctrl-\\ leaves")
      }
    }
    await hosted(started, "parser", async ({ api, project, until }) => {
      const window = shell ?? assert.fail("no window")
      const test = 'import { parse } from "./parser.js"\n\ntest("numbers", () => expect(parse("42")).toBe(42))\n'
      api.script(
        later(
          5500,
          { type: "text", text: "I will add a test for numbers first." },
          { type: "tool", name: "Write", input: { file_path: join(project, "parser.test.js"), content: test } }
        ),
        later(1200, { type: "text", text: "parser.test.js is there: it holds the parser to numbers." }),
        later(2500, { type: "text", text: "1 test passes, none fails." })
      )
      await sleep(1500)
      await window.type("Add a test for the parser.")
      await sleep(300)
      await window.type("\r")
      await until("it works", ({ state }) => state === "running")
      window.caption("It works. ^^ (the caret twice) writes the next message over its screen …")
      await sleep(900)
      await window.type("^^")
      await sleep(500)
      await window.type("Then run the tests.")
      await sleep(300)
      await window.type("\r")
      window.caption("… which is queued: it is not typed into the running turn.")
      await until("it asks", ({ state }) => state === "needs_permission")
      await window.shows("Do you want to create")
      window.caption("It asks: the queued message waits, and is not typed into the dialog.")
      await sleep(3000)
      assert.notInclude(window.screen(), "❯ Then run the tests.")
      await window.type("\r")
      window.caption("Answered. The turn goes on …")
      await window.shows("it holds the parser to numbers")
      await window.shows("❯ Then run the tests.")
      window.caption("… and when it is over, leap types what was queued.")
      await window.shows("1 test passes")
      await until("at rest", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"))
      assert.isTrue(existsSync(join(project, "parser.test.js")))
      await sleep(1500)
      window.caption("Ctrl-\\ leaves. The session goes on without its terminal.")
      await window.type("\x1c")
      await window.shows("comes back")
      await sleep(1200)
      await window.type("leap status")
      await sleep(200)
      await window.type("\r")
      await window.shows("idle")
      await sleep(1500)
      const records = process.env["LEAP_REAL_RECORDS"]
      window.end(records === undefined ? undefined : join(records, "main-job.cast"))
    })
  })
})
