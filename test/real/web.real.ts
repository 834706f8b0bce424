import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import type { Page } from "playwright-core"
import {
  button,
  executablePath,
  launch,
  openPage,
  row,
  sendMessage,
  faults,
  serve,
  shows,
  widerBy
} from "../browser/WebPage.ts"
import { claude } from "./cli/claude.ts"
import { endless, hosted, type Session } from "./hosted.ts"
import { bundle } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

/** The page over a session of a real CLI and one of the demo CLI, in one width. */
const useBoth = async (page: Page, { api, project, tag, until }: Session, width: number): Promise<void> => {
  await row(page, tag).filter({ hasText: "idle" }).waitFor()
  await row(page, "shown").filter({ hasText: "idle" }).waitFor()
  await button(page, tag).click()

  // ---- typed on its screen, where its answer is read
  const turn = endless(`This goes on at ${width}`)
  api.script(turn.reply, claude.shell(`touch made-${width}`), say(`It is made at ${width}.`))
  await button(page, "Type").click()
  await page.getByRole("toolbar", { name: "Keys" }).waitFor()
  await page.keyboard.insertText(`Begin at ${width}`)
  await shows(page, ".xterm-rows", new RegExp(`Begin at ${width}`))
  await button(page, "Enter").click()
  await shows(page, ".session > p", /running/)
  await shows(page, ".xterm-rows", new RegExp(`This goes on at ${width}`))

  // ---- queued while it works
  await sendMessage(page, `Make a file at ${width}`)
  await shows(page, ".queue li", new RegExp(`queued\\s*Make a file at ${width}`))
  turn.end()

  // ---- its dialog, by a button, and by the keys of the bar
  await page.getByRole("heading", { name: /^▲ / }).waitFor()
  await shows(page, ".session > p", /asks for permission/)
  await shows(page, ".dialog pre", new RegExp(`touch made-${width}`))
  assert.deepStrictEqual(await faults(page), [])
  assert.isAtMost(await widerBy(page), 0, "nothing is wider than the page")
  if (width > 500) await page.getByRole("button", { name: /^1\. / }).click()
  else await button(page, "Enter").click()
  await page.locator(".dialog").waitFor({ state: "detached" })
  await until("the file is made", ({ lastResponse, ready }) => ready && lastResponse === `It is made at ${width}.`)
  await shows(page, ".session > p", /idle/)
  assert.isTrue(existsSync(`${project}/made-${width}`), "the answer let the tool run")

  // ---- the demo CLI beside it
  await button(page, "Close").click()
  await button(page, "shown").click()
  await shows(page, ".xterm-rows", /leap demo CLI/)
  await sendMessage(page, "ask me")
  await shows(page, ".session > p", /asks something/)
  await page.locator(".dialog li button").first().click()
  await page.locator(".dialog").waitFor({ state: "detached" })

  // ---- who waited for whom
  await button(page, "Close").click()
  await page.getByText("The timeline as a table").click()
  for (const name of [tag, "shown"]) {
    // the table goes as far as the page's clock, which moves each second
    const cells = page.locator(".timeline tbody tr", { hasText: name }).locator("td")
    for (const share of [0, 1, 2])
      await cells
        .nth(share)
        .filter({ hasText: /^\d+ (s|min)/ })
        .waitFor()
    await cells
      .nth(4)
      .filter({ hasText: /:\d\d.* to .*:\d\d/ })
      .waitFor()
    assert.strictEqual(await cells.count(), 5)
  }
  assert.deepStrictEqual(await faults(page), [])
}

// where CI runs it, it must be there (scripts/browser.mjs)
const isSkipped = !existsSync(executablePath) && process.env["LEAP_CI"] === undefined

describe.skipIf(isSkipped)("the page of leap web, in Chromium, over a real CLI", () => {
  it("shows states, takes keys, queues, answers and has the timeline, at 1280 and 390 pixels", () =>
    hosted(claude, "claude-web", async (session) => {
      const { env, leap, project } = session
      await leap(["hooks", "install", "--cli", "demo"])
      await leap(["shown", "--cli", "demo", "--cwd", project, "--detach"])
      const web = await serve({ command: [process.execPath, bundle], env, dir: project })
      const browser = await launch()
      try {
        for (const width of [1280, 390]) {
          const { close, complaints, page } = await openPage(browser, web.address, width, { dark: width < 500 })
          await useBoth(page, session, width)
          assert.deepStrictEqual(complaints, [])
          await close()
        }
      } finally {
        await browser.close()
        assert.strictEqual(await web.end(), 130)
        await leap(["stop", "shown", "--force"])
      }
    }))
})
