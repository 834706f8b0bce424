// Draws docs/pictures/web.png, the page of `leap web` with three sessions of the demo CLI:
// `node scripts/launch.mjs --run picture:web`. Needs chromium (LEAP_CHROMIUM names it where it is not /usr/bin/chromium).
import { Effect } from "effect"
import { mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { launch, openPage, serve } from "../test/browser/WebPage.ts"
import { makeRoom, startDemo } from "../test/support/processes/Room.ts"

const path = join(import.meta.dirname, "../docs/pictures/web.png")
/** As large as the picture may be, in bytes. */
const sizeMost = 150_000

const draw = Effect.gen(function* () {
  const room = yield* makeRoom("0.5")
  for (const tag of ["api", "docs", "tests"]) yield* startDemo(room, tag)
  yield* Effect.promise(async () => {
    const web = await serve(room)
    const browser = await launch()
    const { page } = await openPage(browser, web.address, 1280)
    await page.setViewportSize({ width: 1280, height: 1040 })
    const send = (tag: string, text: string) => Effect.runPromise(room.leap(["send", tag, text]))
    await page.getByRole("button", { name: "api", exact: true }).click()
    await send("tests", "tool 1, then tool 2")
    await send("docs", "ask me")
    await page.waitForTimeout(6000)
    await send("api", "write a file with three notes")
    await send("tests", "tool 20, please")
    await send("api", "Thank you. What did you do?")
    await page.getByRole("heading", { name: /Write notes\.md\?/ }).waitFor()
    await page.getByLabel("Last").selectOption("5")
    await page.getByText("The timeline as a table").click()
    await page.waitForTimeout(3000)
    mkdirSync(dirname(path), { recursive: true })
    await page.screenshot({ path })
    await browser.close()
    await web.end()
  })
}).pipe(Effect.scoped)

await Effect.runPromise(draw)
const { size } = statSync(path)
if (size > sizeMost) throw new Error(`${path} has ${size} bytes of ${sizeMost}`)
