// Draws docs/pictures/web.png and monitor.png: the page of `leap web` and `leap monitor` over the same sessions of the
// demo CLI, as they are. `npm run screenshots`. Needs chromium (LEAP_CHROMIUM names it where it is not /usr/bin/chromium).
// `npm run screenshots -- main-job` draws main-job.svg alone, which moves, from the recording beside it, and needs nothing.
import XtermHeadless from "@xterm/headless"
import { Effect } from "effect"
import * as pty from "node-pty"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { launch, openPage, serve } from "../test/browser/WebPage.ts"
import { makeRoom, type Room } from "../test/support/processes/Room.ts"
import { mainJob } from "./pictures/castSvg.ts"
import { terminalPage } from "./pictures/terminalPage.ts"

const folder = join(import.meta.dirname, "../docs/pictures")
/** As large as a picture may be, in bytes. */
const sizeMost = 150_000

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A small work tree in the home directory, with so many changed files. */
const makeTree = (home: string, name: string, changed: number): string => {
  const dir = join(home, "work", name)
  mkdirSync(dir, { recursive: true })
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.invalid", ...args], {
      cwd: dir,
      stdio: "ignore"
    })
  git("init", "-q", "-b", "main")
  for (const file of ["one", "two", "three"]) writeFileSync(join(dir, file), "begun\n")
  git("add", "-A")
  git("commit", "-qm", "start")
  for (const file of ["one", "two", "three"].slice(0, changed)) writeFileSync(join(dir, file), "changed\n")
  return dir
}

/** The monitor's screen once it shows what is wanted. */
const screenOf = async (room: Room, size: { readonly cols: number; readonly rows: number }, wanted: RegExp) => {
  const terminal = new XtermHeadless.Terminal({ ...size, allowProposedApi: true })
  const monitor = pty.spawn(room.command[0], [room.command[1], "monitor"], {
    name: "xterm-256color",
    ...size,
    cwd: room.dir,
    env: { ...room.env, TERM: "xterm-256color", COLORTERM: "truecolor" },
    encoding: null
  })
  monitor.onData((data) => terminal.write(Buffer.from(data)))
  const text = () =>
    Array.from({ length: size.rows }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true)).join("\n")
  for (let i = 0; i < 200 && !wanted.test(text()); i++) await sleep(100)
  if (!wanted.test(text())) throw new Error(`the monitor does not show ${wanted}:\n${text()}`)
  await sleep(500)
  return {
    page: terminalPage(terminal),
    end: () => {
      monitor.write(Buffer.from("q"))
      terminal.dispose()
    }
  }
}

const save = async (browser: Browser, name: string, page: string): Promise<void> => {
  const context = await browser.newContext({ deviceScaleFactor: 1 })
  const drawn = await context.newPage()
  await drawn.setContent(page)
  await drawn.locator("pre").screenshot({ path: join(folder, name) })
  await context.close()
}

const draw = Effect.gen(function* () {
  const room = yield* makeRoom("0.5", { hosts: "apart" })
  const leap = (...args: ReadonlyArray<string>) =>
    Effect.flatMap(room.leap(args), ({ code, stderr }) => (code === 0 ? Effect.void : Effect.die(new Error(stderr))))
  const trees = { api: 2, docs: 0, tests: 1, website: 0 }
  for (const [tag, changed] of Object.entries(trees)) {
    yield* leap(tag, "--cli", "demo", "--cwd", makeTree(room.dir, tag, changed), "--detach")
    yield* room.until(tag, ({ ready }) => ready, "ready")
  }
  yield* leap("send", "tests", "tool 1, then tool 2", "--wait")
  yield* leap("send", "website", "Describe the build", "--wait")
  yield* leap("send", "api", "write a file with three notes")
  yield* room.until("api", ({ state }) => state === "needs_permission", "it asks")
  yield* leap("send", "docs", "ask me")
  yield* room.until("docs", ({ state }) => state === "needs_input", "it asks")
  yield* leap("send", "tests", "tool 60, please")
  yield* leap("send", "api", "Thank you. What did you do?")
  yield* room.until("tests", ({ state }) => state === "running", "it works")
  yield* leap("mode", "website", "--auto-send", "always")
  yield* Effect.promise(async () => {
    mkdirSync(folder, { recursive: true })
    const browser = await launch()
    const web = await serve(room)
    try {
      const monitor = await screenOf(room, { cols: 116, rows: 30 }, /❯ ! api[^]*── screen[^]*notes\.md/)
      await save(browser, "monitor.png", monitor.page)
      monitor.end()
      const { page } = await openPage(browser, web.address, 1280)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole("button", { name: "api", exact: true }).click()
      await page.getByRole("heading", { name: /Write notes\.md\?/ }).waitFor()
      await page.locator(".xterm-rows", { hasText: "Enter to choose" }).waitFor()
      await sleep(500)
      await page.screenshot({ path: join(folder, "web.png") })
    } finally {
      await browser.close()
      await web.end()
    }
  })
}).pipe(Effect.scoped)

writeFileSync(join(folder, "main-job.svg"), await mainJob(readFileSync(join(folder, "main-job.cast"), "utf8")))
const onlyMainJob = process.argv[2] === "main-job"
if (!onlyMainJob) await Effect.runPromise(draw)
for (const name of ["main-job.svg", ...(onlyMainJob ? [] : ["web.png", "monitor.png"])]) {
  const { size } = statSync(join(folder, name))
  if (size > sizeMost) throw new Error(`${name} has ${size} bytes of ${sizeMost}`)
  process.stdout.write(`${name}: ${size} bytes\n`)
}
