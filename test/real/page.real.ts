import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import {
  button,
  executablePath,
  faults,
  type Hands,
  handsOn,
  launch,
  openPage,
  remarkOn,
  serve,
  shows,
  widerBy
} from "../browser/WebPage.ts"
import { claude } from "./cli/claude.ts"
import { hosted, type Session } from "./hosted.ts"
import { bundle } from "./leap.ts"
import { type Reply, say } from "./model/FakeModel.ts"

const writes = (file: string, content: string): Reply => ({
  blocks: [{ type: "tool", name: "Write", input: { file_path: file, content } }]
})
const edits = (file: string, before: string, after: string): Reply => ({
  blocks: [{ type: "tool", name: "Edit", input: { file_path: file, old_string: before, new_string: after } }]
})

/** One task, from a start to a merged worktree that is gone then, without a terminal. */
const doTask = async (page: Page, hands: Hands, { api, env, project }: Session): Promise<void> => {
  const { press, write } = handsOn(page, hands)
  const tag = `by-${hands}`
  const file = join(`${project}.worktrees`, tag, "port.js")
  claude.trust(env["HOME"] ?? "", join(`${project}.worktrees`, tag))
  api.script(
    writes(file, "const port = 80\nlisten(port)\n"),
    say("It is written."),
    edits(file, "= 80", "= Number(process.env.PORT ?? 80)"),
    say("It is read from the environment.")
  )
  const isFaultless = async () => {
    assert.deepStrictEqual(await faults(page), [])
    assert.isAtMost(await widerBy(page), 0)
  }

  // ---- a session is started in a worktree of its own
  await press(page.getByText("Start a session"))
  const cli = page.locator("select[name=cli]")
  if (hands === "keyboard") {
    await press(cli)
    await page.keyboard.press("Escape")
    await page.keyboard.type("Claude")
  } else await cli.selectOption("claude")
  assert.strictEqual(await cli.inputValue(), "claude")
  await write(page.getByLabel(/^Directory/), project)
  await press(page.getByLabel("in a git worktree of its own"))
  await write(page.getByLabel("Name"), tag)
  await write(page.getByLabel("First message"), "Let the server listen")
  await press(button(page, "Start"))
  await shows(page, "h2", new RegExp(`^${tag}$`))

  // ---- its dialog is answered
  const yes = page.getByRole("button", { name: /^1\. Yes/ })
  await page.getByRole("heading", { name: /^▲ / }).waitFor()
  await shows(page, ".session > p", /asks for permission/)
  await shows(page, ".dialog .proposed", /port\.js.*const port = 80/s)
  await isFaultless()
  await press(yes)
  await shows(page, ".session > p", /idle/)
  assert.isTrue(existsSync(file))

  // ---- what it has made is looked at, and it is told what to do better
  await press(button(page, "Changes"))
  await shows(page, ".review .place", new RegExp(`branch '${tag}': 1 file not committed`))
  await remarkOn(page, hands, "line 1 of port.js")
  await write(page.getByLabel(/^your remark/), "read it from the environment")
  await press(button(page, "Keep"))
  await isFaultless()
  await press(button(page, "Queue the remark"))
  await api.until("the remark is heard", (main) =>
    main.some(({ conversation }) =>
      conversation.some((text) => text.includes("port.js:1\n> const port = 80\nread it from the environment"))
    )
  )
  await press(button(page, "Answer it"))
  await shows(page, ".dialog .proposed", /process\.env\.PORT/)
  await press(yes)
  await shows(page, ".session > p", /idle/)

  // ---- it is merged, and its worktree goes
  await press(button(page, "Changes"))
  await shows(page, ".file code", /process\.env\.PORT/)
  await write(page.getByLabel("The commit's message"), `Listen, by ${hands}`)
  await press(button(page, "Merge into main"))
  await shows(page, "[role=status]", new RegExp(`^${tag}: committed 1 file .*; 'main' has 1 commit of '${tag}' now`))
  await isFaultless()
  await press(button(page, "Back to the session"))
  await press(page.getByText("Modes, place and end"))
  await press(button(page, "Stop"))
  await press(page.locator(".asking").getByRole("button", { name: "Stop", exact: true }))
  await shows(page, ".session > p", /ended/)
  await press(button(page, "Changes"))
  await press(button(page, "Discard"))
  await shows(page, "[role=status]", new RegExp(`^${tag}: removed the worktree .* and its branch '${tag}'`))
}

// where CI runs it, it must be there (scripts/browser.mjs)
const isSkipped = !existsSync(executablePath) && process.env["LEAP_CI"] === undefined

describe.skipIf(isSkipped)("a task from a start to a merged worktree in the page alone, by claude", () => {
  it.each([
    ["mouse", 1280],
    ["keyboard", 1280],
    ["touch", 390]
  ] as const)("is done by %s, and a remark on a line reaches the agent", (hands, width) =>
    hosted(claude, `claude-page-${hands}`, async (session) => {
      const { env, project } = session
      const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: project, encoding: "utf8" })
      for (const name of ["name", "email"]) git("config", `user.${name}`, "t@example.com")
      const web = await serve({ command: [process.execPath, bundle], env, dir: project })
      const browser = await launch()
      try {
        const { complaints, page } = await openPage(browser, web.address, width)
        await doTask(page, hands, session)
        assert.deepStrictEqual(complaints, [])
      } finally {
        await browser.close()
        assert.strictEqual(await web.end(), 130)
      }
      assert.strictEqual(git("log", "--format=%s", "main"), `Listen, by ${hands}\nstart\n`)
      assert.strictEqual(git("branch", "--list", "by-*"), "")
      assert.match(
        readFileSync(join(project, "port.js"), "utf8"),
        /^const port = Number\(process\.env\.PORT \?\? 80\)\n/
      )
    })
  )
})
