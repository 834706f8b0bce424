import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { spawnSync } from "node:child_process"
import { executablePath, launch, openPage } from "../../test/browser/WebPage.ts"
import { begun, seconds } from "./simulated.ts"
import { quantile, type Row } from "./table.ts"
import { bundle, type World } from "./world.ts"

const files = 200
const lines = 50
/** Pixels at each frame: a page of a diff in a quarter of a second. */
const step = 60

/** Measures how the page scrolls through the changes of a session: 10,000 lines in 200 files of a program. */
export const benchReview = async (world: World): Promise<ReadonlyArray<Row>> => {
  if (!existsSync(executablePath)) return []
  const place = join(world.env["HOME"] ?? "", "review")
  mkdirSync(place)
  spawnSync("git", ["init", "-q"], { cwd: place, env: world.env })
  const line = (n: number) => `export const value${n} = (text: string): number => text.length + ${n} // the ${n}th\n`
  const text = Array.from({ length: lines }, (_, n) => line(n)).join("")
  for (let n = 0; n < files; n++) writeFileSync(join(place, `${n}.ts`), text)
  world.leap("review", "--cli", "demo", "--cwd", place, "--detach")
  const web = await begun(process.execPath, [bundle, "web", "--port", "0"], world.env)
  const browser = await launch()
  try {
    const { page } = await openPage(browser, web.line, 1280)
    await page.getByRole("button", { name: "review", exact: true }).waitFor()
    const from = performance.now()
    await page.evaluate("location.hash = '#review/changes'")
    await page.locator(".diffs code").first().waitFor()
    const first = performance.now() - from
    const frames = await page.evaluate<ReadonlyArray<number>>(`new Promise((resolve) => {
      const frames = []
      const until = performance.now() + ${seconds * 1000}
      let last = performance.now()
      const next = (at) => {
        frames.push(at - last)
        last = at
        scrollBy(0, ${step})
        if (at < until) requestAnimationFrame(next)
        else resolve(frames)
      }
      requestAnimationFrame(next)
    })`)
    return [
      { what: "changes of 10,000 lines in 200 files, until they are shown", unit: "ms", leap: first, base: null },
      { what: "… a frame while they are scrolled, the median", unit: "ms", leap: quantile(frames, 0.5), base: null },
      { what: "… and 95 of 100", unit: "ms", leap: quantile(frames, 0.95), base: null }
    ]
  } finally {
    await browser.close()
    web.child.kill("SIGKILL")
  }
}
