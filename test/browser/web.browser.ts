import { assert, describe } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { RecordRow } from "../../src/domain/engine/history/RecordRow.ts"
import { lifeOf, storeIn } from "../support/data/recordStore.ts"
import { aRepository } from "../support/processes/Repository.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import {
  becomes,
  button,
  launch,
  makeTunnel,
  openPage,
  row,
  sendMessage,
  faults,
  type Hands,
  handsOn,
  remarkOn,
  serve,
  shows,
  widerBy
} from "./WebPage.ts"
import { live, liveOfEach } from "../support/run/effects.ts"

/** All that the page is for, in one width. `sendFrom`: a message from elsewhere. */
const useAll = async (
  page: Page,
  width: number,
  sendFrom: (tag: string, text: string) => Promise<unknown>
): Promise<void> => {
  // ---- the list, which states change
  await row(page, "one").filter({ hasText: "idle" }).waitFor()
  await row(page, "two").filter({ hasText: "idle" }).waitFor()
  assert.notInclude(page.url(), "token", "the address keeps no token")

  // ---- a session, by the keyboard alone
  await button(page, "one").focus()
  await page.keyboard.press("Enter")
  await shows(page, ".xterm-rows", /leap demo CLI/)

  // ---- typing on its screen; what reverses the reading order is not drawn
  const size = page.viewportSize() ?? { width, height: 844 }
  await page.setViewportSize({ ...size, height: 520 })
  await button(page, "Type").click()
  await page.getByRole("toolbar", { name: "Keys" }).waitFor()
  // where it is typed is in sight, above the keys
  await becomes(
    page,
    `document.querySelector(".xterm-rows > div:last-child").getBoundingClientRect().bottom
      < document.querySelector(".keys").getBoundingClientRect().top + 40`
  )
  await page.setViewportSize(size)
  // a turn that is long enough to be seen on a busy machine: a look may be half a second after the last
  await page.keyboard.insertText(`typed at ${width} (tool 10) \u202etpircs`)
  await shows(page, ".xterm-rows", new RegExp(`typed at ${width}`))
  await button(page, "Enter").click()
  await shows(page, ".session > p", /running/)
  await shows(page, ".xterm-rows", /You asked/)
  await shows(page, ".session > p", /idle/)
  assert.notMatch(await page.locator("body").innerText(), /[\u202a-\u202e\u2066-\u2069]/)

  // ---- the session takes this page's size, and keys leave its screen
  await button(page, "Fit the session to this page").click()
  await becomes(page, `document.querySelector(".xterm-screen").clientWidth <= ${width}`)
  await page.keyboard.press("Control+Backslash")
  assert.strictEqual(await page.evaluate("document.activeElement?.textContent"), "Type")

  // ---- a dialog, answered by its button and by the keys of the bar
  await sendMessage(page, "write a file")
  await page.getByRole("heading", { name: /Write notes\.md\?/ }).waitFor()
  await shows(page, ".session > p", /asks for permission/)
  assert.match(await page.title(), /^\(1\)/)
  assert.deepStrictEqual(await faults(page), [])
  // ---- the queue, which a dialog keeps where it is
  await sendMessage(page, "never to be sent \u202e")
  await shows(page, ".queue li", /queued\s*never to be sent/)
  await sendMessage(page, "a word")
  await page.getByRole("button", { name: /^Edit the message a word/ }).click()
  await page.keyboard.type(", changed")
  await button(page, "Save").click()
  await shows(page, ".queue li", /queued\s*a word, changed/)
  await becomes(page, `document.activeElement?.textContent.startsWith("Edit the message a word, changed")`)
  await page.getByRole("button", { name: /^Earlier the message a word/ }).click()
  await shows(page, ".queue li:nth-child(2)", /a word, changed/)
  assert.strictEqual(await page.getByRole("button", { name: /^Edit the message never/ }).count(), 0)
  await page.getByRole("button", { name: /^Remove the message a word/ }).click()
  await page.getByRole("button", { name: /^Remove the message never/ }).click()
  await shows(page, "[role=status]", /^one: removed: .*never/)

  // ---- all of the queue at once, which asks before anything is lost
  await sendMessage(page, "held back")
  await button(page, "Hold all").click()
  await shows(page, "[role=status]", /^one: 1 message held: .*held back/)
  await shows(page, ".queue li", /held\s*held back/)
  await button(page, "Clear").click()
  await becomes(page, `document.activeElement?.textContent === "No"`)
  await button(page, "No").click()
  await shows(page, ".queue li", /held\s*held back/)
  await button(page, "Clear").click()
  await button(page, "Clear").click()

  // ---- modes, and why it is in its state
  await page.getByText("Modes, place and end").click()
  await button(page, "Send messages during background work").click()
  await shows(page, "[role=status]", /^one: churn send/)
  await page.getByRole("button", { name: "Send messages during background work", pressed: true }).waitFor()
  await page.getByText("Why", { exact: true }).click()
  await shows(page, ".session details pre", /ready +no/)
  await page.getByText("Why", { exact: true }).click()

  // ---- what it has changed, and a remark on one of its lines
  await button(page, "Changes").click()
  await shows(page, ".review .grow", /^1 file differs from the last commit/)
  await page.locator("li.added").getByRole("button", { name: "remark on line 2 of plan.txt" }).click()
  await page.keyboard.type(`why at ${width}?`)
  await button(page, "Keep").click()
  await shows(page, "[aria-label='Your remarks'] pre", /plan\.txt:2\s+> 2\s+why at/)
  assert.deepStrictEqual(await faults(page), [])
  assert.isAtMost(await widerBy(page), 0)
  await button(page, "Queue the remark").click()
  await shows(page, "[role=status]", /^one: queued as/)
  await button(page, "Back to the session").click()
  await shows(page, ".queue li", /queued\s*plan\.txt:2/)
  assert.deepStrictEqual(await faults(page), [])
  assert.isAtMost(await widerBy(page), 0)
  await page.getByText("Modes, place and end").click()
  // what is removed is shown so for a while, and no longer
  await page
    .locator(".queue li", { hasText: /a word|never|held back/ })
    .first()
    .waitFor({ state: "detached" })

  if (width > 500) await button(page, "1. Yes").click()
  else {
    await button(page, "Down").click()
    await button(page, "Down").click()
    await button(page, "Enter").click()
  }
  await page.getByRole("heading", { name: /Write notes\.md\?/ }).waitFor({ state: "detached" })
  await shows(page, ".session > p", /idle/)

  // ---- what is typed in its box becomes a message, and a message a draft there
  await page.getByLabel(/^A message/).fill("a draft")
  await button(page, "Put it into its box, unsent").click()
  // what is out of sight is not drawn
  await page.locator(".xterm-rows").scrollIntoViewIfNeeded()
  await shows(page, ".xterm-rows", /a draft/)
  await button(page, "Take what is typed in its box").click()
  await shows(page, "[role=status]", /out of the CLI's box/)
  assert.strictEqual(await page.getByLabel(/^A message/).inputValue(), "a draft")
  await page.getByLabel(/^A message/).fill("")

  // ---- another session is about to write the same file
  await sendFrom("two", "write a file")
  await shows(page, ".session .clash", /^≠ two writes ~\/notes\.md too$/)
  await shows(
    page,
    "[role=status]",
    /^one and two write the same file: .*notes\.md$|^two asks .*; ≠ one writes notes\.md too$/
  )
  await page.locator("tr", { hasText: "≠ one writes notes.md too" }).waitFor({ state: "attached" })
  assert.isAtMost(await widerBy(page), 0, "nothing is wider than the page")

  // ---- context and cost over time, by the record of a leap before this one
  await page.getByText("Context and cost", { exact: true }).click()
  await page.locator(".charts select").selectOption("60")
  const context = page.getByRole("img", {
    name: /^Context of one: 45 % now, 12 % at the beginning, between 12 % and 45 %$/
  })
  await context.waitFor()
  await page.getByRole("img", { name: /^Cost of one: \$0\.30 now/ }).waitFor()
  assert.match((await context.locator("path").getAttribute("d")) ?? "", /^M.*V.*H/)
  // by the keyboard: the chart, the table behind it, and into that
  await context.focus()
  await page.keyboard.press("Tab")
  assert.strictEqual(await page.evaluate("document.activeElement?.textContent"), "Context of one as a table")
  await page.keyboard.press("Enter")
  const values = await page.locator(".charts tbody tr").filter({ visible: true }).locator(".number").allInnerTexts()
  assert.deepStrictEqual(values, ["12 %", "45 %"])
  assert.deepStrictEqual(await faults(page), [])
  assert.isAtMost(await widerBy(page), 0)
  await page.locator(".charts select").selectOption("15")

  // ---- the timeline
  await button(page, "Close").click()
  await page.getByText("Timeline", { exact: true }).click()
  await page.getByText("The timeline as a table").click()
  await page.locator(".timeline tbody tr", { hasText: /^one/ }).waitFor()
  const cells = await page.locator(".timeline tbody tr", { hasText: /^one/ }).locator("td").allInnerTexts()
  assert.lengthOf(cells, 5)
  for (const worked of cells.slice(0, 3)) assert.match(worked, /^\d+ (s|min)/, cells.join(" | "))
  assert.match(cells[4]!, /:\d\d.* to .*:\d\d/, "from when to when it waited")
  // a wide page has shown all of this before
  if (width < 500) assert.deepStrictEqual(await faults(page), [])
  // it reaches back before leap web began
  await page.locator(".timeline select").selectOption("60")
  const [worked = ""] = await page.locator(".timeline tbody tr", { hasText: /^one/ }).locator("td").allInnerTexts()
  assert.match(worked, /^(29|30|31) min/)
}

/** A session is started, by the keyboard alone or by touch, after one that cannot be. */
const startOne = async (page: Page, width: number): Promise<void> => {
  const isTouch = width < 500
  const opener = page.getByText("Start a session")
  if (isTouch) await opener.tap()
  else await opener.press("Enter")
  await page.locator("select[name=cli]").waitFor()
  const place = page.getByLabel(/^Directory/)
  if (isTouch) await place.tap()
  else for (let n = 0; n < 2; n++) await page.keyboard.press("Tab")
  await becomes(page, `document.activeElement?.value === "~"`)
  // ---- the server completes it, and tells its branch
  await page.keyboard.type(isTouch ? "/kee" : "~/kee")
  await page.locator("datalist option[value='~/keep']").waitFor({ state: "attached" })
  await page.keyboard.type("p/")
  await page.locator(".field", { hasText: "(on main)" }).waitFor()
  assert.strictEqual(await page.getByLabel("Name").inputValue(), "keep")
  assert.deepStrictEqual(await faults(page), [])
  assert.isAtMost(await widerBy(page), 0)
  await page.keyboard.type("gone")
  if (isTouch) await button(page, "Start").tap()
  else await page.keyboard.press("Enter")
  await shows(page, "form .problem", /^not done: there is no directory .*keep\/gone$/)
  await place.fill("~/keep/")
  await page.getByLabel("First message").fill(`begun at ${width}`)
  if (isTouch) await button(page, "Start").tap()
  else await page.keyboard.press("Control+Enter")
  // ---- it is shown at once, with what it was told
  await shows(page, "h2", /^keep$/)
  await shows(page, ".xterm-rows", new RegExp(`begun at ${width}`))
}

/**
 * From a start to a merged worktree, which goes then, without a terminal. `agent`: the CLI writes this file. `noted`: waits
 * until what the work tree was when the turn began is noted, beside which a busy machine may finish the turn.
 */
const finishOne = async (
  page: Page,
  hands: Hands,
  main: string,
  { agent, noted }: { readonly agent: (file: string) => void; readonly noted: () => Promise<void> }
): Promise<void> => {
  const { press, write } = handsOn(page, hands)
  const isFaultless = async () => {
    assert.deepStrictEqual(await faults(page), [])
    assert.isAtMost(await widerBy(page), 0)
  }
  await press(page.getByText("Start a session"))
  await write(page.getByLabel(/^Directory/), main)
  await press(page.getByLabel("in a git worktree of its own"))
  await write(page.getByLabel("Name"), "fix")
  await write(page.getByLabel("First message"), "write a file")
  await press(button(page, "Start"))
  await shows(page, "h2", /^fix$/)

  // ---- what it asks is answered, and what it has made is looked at, with a remark on a line
  await button(page, "1. Yes").waitFor()
  await noted()
  agent("made.txt")
  await press(button(page, "1. Yes"))
  await shows(page, ".session > p", /idle/)
  // a change of the session leaves the focus where it is
  await press(page.getByText("Modes, place and end"))
  await press(button(page, "Send messages during background work"))
  await page.getByRole("button", { name: "Send messages during background work", pressed: true }).waitFor()
  assert.match(await page.evaluate("document.activeElement.textContent"), /^Send messages during background work/)
  await press(button(page, "Changes"))
  await shows(page, ".review .place", /branch 'fix': 1 file not committed, 0 commits not in 'main'/)
  // the turn has made it, and the session with its first message too
  if (hands === "keyboard") await page.keyboard.press("t")
  else await press(button(page, "last turn"))
  await shows(page, ".review .grow", /^1 file differs from the beginning of its last turn: \+\d+ −0/)
  await isFaultless()
  await remarkOn(page, hands, "line 1 of made.txt")
  await write(page.getByLabel(/^your remark/), `once more, by ${hands}`)
  await press(button(page, "Keep"))
  await press(button(page, "Queue the remark"))
  await shows(page, "[role=status]", /^fix: queued as/)
  if (hands === "keyboard") await page.keyboard.press("Escape")
  else await press(button(page, "Back to the session"))
  // what is out of sight is not drawn
  await page.locator(".xterm-rows").scrollIntoViewIfNeeded()
  await shows(page, ".xterm-rows", new RegExp(`once more, by ${hands}`))
  // its screen comes before its state, which can be the one before the turn
  const answered = page.locator("details .whole").filter({ hasText: new RegExp(`You asked .*once more, by ${hands}`) })
  await answered.waitFor({ state: "attached" })
  await shows(page, ".session > p", /idle/)

  // ---- it is merged, which says first what stands against it
  await press(button(page, "Changes"))
  await write(page.getByLabel("The commit's message"), " ")
  await press(button(page, "Merge into main"))
  await shows(page, "[aria-label='Finish the worktree'] .problem", /not done: .* a message is needed/)
  await isFaultless()
  await write(page.getByLabel("The commit's message"), `Made by ${hands}`)
  await press(button(page, "Merge into main"))
  await shows(page, "[role=status]", /^fix: committed 1 file on 'fix' .*; 'main' has 1 commit of 'fix' now/)
  await shows(page, ".review .place", /0 files not committed, 0 commits not in 'main'/)

  // ---- it ends, and its worktree goes, but for what would be lost unsaid
  await press(button(page, "Back to the session"))
  await press(button(page, "Stop"))
  await press(page.locator(".asking").getByRole("button", { name: "Stop", exact: true }))
  await shows(page, ".session > p", /ended/)
  agent("lost.txt")
  await press(button(page, "Changes"))
  await press(button(page, "Discard"))
  await shows(page, "[aria-label='What would be lost'] li", /1 untracked file \(lost\.txt\)/)
  await isFaultless()
  await press(button(page, "Lose that"))
  await shows(page, "[role=status]", /^fix: removed the worktree .* and its branch 'fix'/)
}

/** What the record has of a session that worked half an hour and ended, a while ago. */
const recordPast = (room: Room) =>
  Effect.gen(function* () {
    const store = yield* storeIn(room.env["LEAP_HOME"] ?? "")
    const now = yield* Clock.currentTimeMillis
    const ago = (minutes: number) => now - minutes * 60_000
    const used = (n: number, at: number, context: number, usd: number): RecordRow => ({
      _tag: "Usage",
      n,
      at,
      session: "s1",
      model: null,
      tokens: null,
      usd,
      estimated: false,
      context,
      fresh: true
    })
    const writer = yield* store.open(lifeOf("one", { since: ago(50) }))
    yield* writer.write(
      [
        { _tag: "Interval", n: 0, state: "running", since: ago(50), reason: null, asked: null },
        { _tag: "IntervalEnded", n: 0, until: ago(20), answeredBy: null },
        used(1, ago(49), 12, 0.1),
        used(2, ago(30), 45, 0.3),
        { _tag: "LifeEnded", at: ago(20), exit: { code: 0, signal: null } }
      ],
      ago(20)
    )
  }).pipe(Effect.scoped)

/** A program that tries what a terminal's output can do to the page around it. */
const startHostile = Effect.fnUntraced(function* (room: Room) {
  const program = join(room.dir, "hostile")
  const output = [
    "\\033]0;TAKEN\\007\\033]52;c;VEFLRU4=\\007",
    "\\033]8;;http://evil.example/\\033\\\\press here\\033]8;;\\033\\\\",
    " http://evil.example/plain ab\u202ecd",
    ' <img src=x onerror="document.title=1"> \\033[38;2;1;2;3mend of it\\n'
  ]
  writeFileSync(program, `#!/bin/sh\nprintf '${output.join("")}'\nexec cat\n`, { mode: 0o755 })
  for (const args of [
    ["clis", "add", "hostile", "--base", "generic", "--command", program],
    ["bad", "--cli", "hostile", "--detach"]
  ]) {
    const { code, stderr } = yield* room.leap(args)
    assert.strictEqual(code, 0, stderr)
  }
})

/** What a session's output asks of the page is shown, and not done. */
const lookAtHostile = async (address: string): Promise<void> => {
  const { close, complaints, page } = await openPage(browser, address, 1280)
  await page.evaluate("navigator.clipboard.writeText = () => { globalThis.copied = true }")
  await button(page, "bad").click()
  await shows(page, ".xterm-rows", /<img src=x onerror="document\.title=1"> end of it/)
  await button(page, "Type").click()
  for (const text of ["press here", "evil.example/plain"]) {
    const place = page.locator(".xterm-rows > div", { hasText: text }).first()
    await place.click({ modifiers: ["Control"], position: { x: 20, y: 5 }, force: true })
  }
  assert.lengthOf(page.context().pages(), 1, "no link opens anything")
  assert.match(await page.title(), /^(\(\d\) )?leap$/)
  assert.isUndefined(await page.evaluate("globalThis.copied"))
  assert.strictEqual(await page.locator(".screen img").count(), 0)
  await shows(page, ".xterm-rows", /plain abcd/)
  assert.deepStrictEqual(complaints, [])
  await close()
}

const onlyLook = async (address: string): Promise<void> => {
  const { close, page } = await openPage(browser, address, 1280)
  await button(page, "one").click()
  await shows(page, ".xterm-rows", /leap demo CLI/)
  await shows(page, "header", /read-only/)
  for (const name of ["Type", "Send", "Interrupt"]) assert.strictEqual(await button(page, name).count(), 0, name)
  for (const name of ["Start a session", "Earlier conversations"])
    assert.strictEqual(await page.getByText(name).count(), 0, name)
  await close()
}

/** One for all tests; each page has a context of its own, with its own storage. */
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** A room with these sessions, and `leap web` on it; all end with the scope. */
const stage = Effect.fnUntraced(function* (tags: ReadonlyArray<string>) {
  const room = yield* makeRoom("0.2", { hosts: "apart" })
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: room.dir, env: room.env })
  git("init", "-q", "-b", "main")
  writeFileSync(join(room.dir, ".gitignore"), "*\n!plan.txt\n")
  writeFileSync(join(room.dir, "plan.txt"), "one\ntwo\n")
  git("add", "-f", ".gitignore", "plan.txt")
  git("commit", "-qm", "first")
  writeFileSync(join(room.dir, "plan.txt"), "one\n2\n")
  mkdirSync(join(room.dir, "keep"))
  assert.strictEqual((yield* room.leap(["clis", "add", "scripted", "--base", "demo"])).code, 0)
  yield* recordPast(room)
  yield* Effect.forEach(tags, (tag) => startDemo(room, tag), { concurrency: 2 })
  const serving = (flags: ReadonlyArray<string> = []) =>
    Effect.acquireRelease(
      Effect.promise(() => serve(room, flags)),
      (web) => Effect.promise(web.end)
    )
  return { room, serving }
})

describe("the page of leap web, in Chromium", { concurrent: true }, () => {
  liveOfEach([1280, 390])("shows states, screens, queues, dialogs and the timeline on %s pixels", function* (width) {
    const { room, serving } = yield* stage(["one", "two"])
    const { address } = yield* serving()
    yield* Effect.promise(async () => {
      const { complaints, page, sent } = await openPage(browser, address, width, { dark: width < 500 })
      await useAll(page, width, (tag, text) => Effect.runPromise(room.leap(["send", tag, text])))
      // notices wait while something is done on the page that shows the session
      const looks = sent.filter((text) => text.includes('"_tag":"Seen"'))
      assert.isAtLeast(looks.length, 1)
      for (const look of looks) assert.match(look, /"tag":"(?:one|two)"/)
      assert.deepStrictEqual(complaints, [])
      // a browser that is known needs no token, and a session has an address
      await page.goto(`${new URL(address).origin}/#two`)
      await page.reload()
      await shows(page, ".xterm-rows", /leap demo CLI/)
      await page.getByText("Modes, place and end").click()
      await button(page, "Stop").click()
      await shows(page, ".asking", /^Stop two\? What is queued is kept\./)
      await button(page, "Stop").click()
      await shows(page, ".session > p", /ended/)
      assert.deepStrictEqual(await faults(page), [])
      // ---- the list: the numbers are filters, arrows lead from row to row, and all of a row opens its session
      await button(page, "Close").click()
      await button(page, "1 ended").click()
      await row(page, "two").waitFor()
      assert.strictEqual(await row(page, "one").count(), 0)
      await button(page, "2 sessions").click()
      await button(page, "one").focus()
      await page.keyboard.press("ArrowDown")
      await becomes(page, `document.activeElement?.textContent === "two"`)
      await row(page, "two").locator(".what").click()
      await shows(page, ".session > p", /ended/)
      // ---- it comes back, and another one begins
      await button(page, "Go on").click()
      await shows(page, ".session > p", /idle/)
      await button(page, "Close").click()
      await startOne(page, width)
    })
  })

  liveOfEach(["mouse", "keyboard", "touch"] as const)(
    "goes from a start to a merged worktree without a terminal, by %s",
    function* (hands) {
      const { room, serving } = yield* stage([])
      const note = join(room.session("fix"), "snapshots", "turn", "noted.json")
      const repository = yield* aRepository
      const { git, main, root, write } = repository
      for (const name of ["name", "email"]) git(main, "config", `user.${name}`, "t@example.com")
      const { address } = yield* serving()
      yield* Effect.promise(async () => {
        const { complaints, page } = await openPage(browser, address, hands === "touch" ? 390 : 1280)
        await finishOne(page, hands, main, {
          agent: (file) => write(join(root, "proj.worktrees", "fix", file), "one\ntwo\n"),
          noted: () => Effect.runPromise(eventually(() => existsSync(note), "the beginning of the turn is noted"))
        })
        assert.deepStrictEqual(complaints, [])
      })
      assert.strictEqual(git(main, "log", "--format=%s", "main"), `Made by ${hands}\nfirst\n`)
      assert.strictEqual(git(main, "branch", "--list", "fix"), "")
      assert.notMatch(git(main, "worktree", "list"), /proj\.worktrees/)
    }
  )

  live("has no faults with nothing to show, nor in what is old, in light and dark", function* () {
    const { room, serving } = yield* stage([])
    const web = yield* serving()
    const inBoth = async (page: Page) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepStrictEqual(await faults(page), [], colorScheme)
      }
    }
    const [wide, narrow] = yield* Effect.promise(async () => {
      const { page } = await openPage(browser, web.address, 1280)
      await shows(page, "header", /0 sessions/)
      await inBoth(page)
      return [page, (await openPage(browser, web.address, 390)).page] as const
    })
    yield* startDemo(room, "one")
    yield* Effect.promise(async () => {
      for (const page of [wide, narrow]) {
        await row(page, "one").filter({ hasText: "idle" }).waitFor()
        await inBoth(page)
        await button(page, "one").click()
        await shows(page, ".xterm-rows", /leap demo CLI/)
      }
      await web.end()
      for (const page of [wide, narrow]) {
        await shows(page, "[role=alert]", /no connection to leap web since/)
        await inBoth(page)
      }
    })
  })

  live(
    "does nothing that a session's output asks for, nor anything with --read-only, and says when it is cut off",
    function* () {
      const { room, serving } = yield* stage(["one"])
      yield* startHostile(room)
      const [web, looking] = [yield* serving(), yield* serving(["--read-only"])]
      yield* Effect.promise(async () => {
        await lookAtHostile(web.address)
        await onlyLook(looking.address)
        const stranger = await openPage(browser, new URL(web.address).origin, 1280)
        await shows(stranger.page, "[role=alert]", /this browser is not signed in/)
        assert.deepStrictEqual(await faults(stranger.page), [])
        await stranger.close()
        // it ends by SIGINT though a page is open
        const last = await openPage(browser, web.address, 1280)
        await row(last.page, "one").waitFor()
        assert.strictEqual(await web.end(), 130)
        await shows(last.page, "[role=alert]", /no connection to leap web since .*\d/)
        assert.deepStrictEqual(await faults(last.page), [])
      })
      // one that begins anew knows nobody: its address opens the page that is there
      const { port } = new URL(web.address)
      const anew = yield* Effect.acquireRelease(
        Effect.promise(() => serve(room, [], Number(port))),
        (web) => Effect.promise(web.end)
      )
      yield* Effect.promise(async () => {
        const { page } = await openPage(browser, `http://127.0.0.1:${port}/#token=${"x".repeat(43)}`, 1280)
        await shows(page, "[role=alert]", /not signed in \(this is not the token/)
        assert.notMatch(await page.locator("body").innerText(), /sessions?\b.*\d|\d sessions?\b/)
        // a token whose exchange is not answered is not lost, nor is one whose answer is cut off
        let posts = 0
        await page.route("**/session", (route) =>
          route.request().method() === "POST" && posts++ === 0 ? route.abort() : route.continue()
        )
        await page.evaluate(`{
          const { fetch } = globalThis
          let isCut = false
          globalThis.fetch = async (...asked) => {
            const answer = await fetch(...asked)
            if (!isCut && asked[1]?.method === "POST") answer.text = answer.json = () => Promise.reject(new Error("cut off"))
            isCut ||= asked[1]?.method === "POST"
            return answer
          }
        }`)
        await page.evaluate(`location.hash = ${JSON.stringify(new URL(anew.address).hash)}`)
        await row(page, "one").waitFor()
        assert.notInclude(page.url(), "token")
      })
    }
  )

  live("finds a connection that carries nothing though nothing closed it, says so, and comes back", function* () {
    const { serving } = yield* stage(["one"])
    const { address } = yield* serving()
    const tunnel = yield* Effect.acquireRelease(
      Effect.promise(() => makeTunnel(Number(new URL(address).port))),
      ({ end }) => Effect.sync(end)
    )
    yield* Effect.promise(async () => {
      const { hash } = new URL(address)
      const { page } = await openPage(browser, `http://127.0.0.1:${tunnel.port}/${hash}`, 1280, { ownClock: true })
      const isBack = async () => {
        tunnel.carry(true)
        await page.clock.runFor(5000)
        await page.locator("[role=alert]").waitFor({ state: "detached" })
      }
      await button(page, "one").click()
      await shows(page, ".session > p", /idle/)
      // what is asked for there is not left without a word
      tunnel.carry(false)
      await page.getByLabel(/^A message/).fill("sent into nothing")
      await button(page, "Send").click()
      await page.clock.runFor(9000)
      await shows(page, "[role=alert]", /no connection to leap web since .*\d.* what you see is old/)
      await shows(page, "[role=status]", /not done: the connection .* look whether it was done/)
      assert.strictEqual(await page.evaluate("document.querySelector('.app').classList.contains('stale')"), true)
      await page.evaluate("scrollTo(0, document.body.scrollHeight)")
      await page.getByRole("alert").click({ trial: true })
      await isBack()
      // nor does who comes back to the tab look at what was so before
      tunnel.carry(false)
      await page.evaluate("dispatchEvent(new Event('online'))")
      await page.clock.runFor(6000)
      await shows(page, "[role=alert]", /no connection to leap web since/)
      await isBack()
      await sendMessage(page, "a word")
      await shows(page, ".xterm-rows", /a word/)
    })
  })
})
