import { existsSync } from "node:fs"
import { join } from "node:path"
import { executablePath, launch, openPage } from "../../test/browser/WebPage.ts"
import { cpuSeconds, residentMegabytes, sleep } from "./process.ts"
import { begun, changesPerSecond, seconds, sessions, simulate } from "./simulated.ts"
import { quantile, type Row } from "./table.ts"
import { bundle, type World } from "./world.ts"

const viewers = 20

interface Told {
  readonly frames: number
  readonly bytes: number
  readonly delays: ReadonlyArray<number>
}

/** What a real page shows: until all sessions are on it, and how old the changes are that it paints. */
const benchPage = async (address: string): Promise<ReadonlyArray<Row>> => {
  if (!existsSync(executablePath)) return []
  const browser = await launch()
  try {
    const from = performance.now()
    const { page } = await openPage(browser, address, 1280)
    await page
      .locator("tbody tr")
      .nth(sessions - 1)
      .waitFor()
    const first = performance.now() - from
    await sleep(2000)
    // asked for within the page at each of its frames: what is there then is painted with that frame
    const delays = await page.evaluate<ReadonlyArray<number>>(`new Promise((resolve) => {
      const delays = []
      const last = new Map()
      const until = performance.now() + ${seconds * 1000}
      const look = () => {
        for (const cell of [...document.querySelectorAll("tbody tr")].slice(0, 20).map((row) => row.cells[6])) {
          const stamp = cell?.textContent
          if (stamp === undefined || last.get(cell) === stamp || !/^at \\d{13}$/.test(stamp)) continue
          last.set(cell, stamp)
          delays.push(Date.now() - Number(stamp.slice(3)))
        }
        if (performance.now() < until) requestAnimationFrame(look)
        else resolve(delays)
      }
      requestAnimationFrame(look)
    })`)
    return [
      { what: "… from a page's start to all sessions on it, in Chromium", unit: "ms", leap: first, base: null },
      { what: "… from a change to its paint there, the median", unit: "ms", leap: quantile(delays, 0.5), base: null },
      { what: "… and 95 of 100", unit: "ms", leap: quantile(delays, 0.95), base: null }
    ]
  } finally {
    await browser.close()
  }
}

/** Measures `leap web` over 200 simulated sessions that change ten times a second each, with 20 pages that look. */
export const benchWeb = async (world: World): Promise<ReadonlyArray<Row>> => {
  const home = join(world.env["HOME"] ?? "", "web")
  const end = await simulate(home)
  const env = { ...world.env, LEAP_HOME: home }
  const started = performance.now()
  const web = await begun(process.execPath, [bundle, "web", "--port", "0"], env)
  const listening = performance.now() - started
  const pid = web.child.pid ?? 0
  const looking = await begun(
    process.execPath,
    [join(import.meta.dirname, "webViewers.ts"), web.line, `${viewers}`],
    process.env
  )
  try {
    const told: Array<Told> = []
    looking.child.stdout?.on("data", (data) => {
      for (const line of String(data).split("\n")) if (line.startsWith("{")) told.push(JSON.parse(line) as Told)
    })
    await sleep(5000)
    const from = { at: performance.now(), cpu: cpuSeconds(pid), told: told.length }
    await sleep(seconds * 1000)
    const passed = (performance.now() - from.at) / 1000
    const cpu = ((cpuSeconds(pid) - from.cpu) / passed) * 100
    const memory = residentMegabytes(pid)
    const [first, last] = [told[from.told - 1], told.at(-1)]
    if (first === undefined || last === undefined) throw new Error("the pages were told nothing")
    const lines = told.length - from.told
    const delays = told.slice(from.told).flatMap(({ delays }) => delays)
    const what = `leap web, ${sessions} sessions with ${changesPerSecond} changes a second each, ${viewers} pages`
    const rows: ReadonlyArray<Row> = [
      { what, unit: "% of a core", leap: cpu, base: null },
      { what: "… its resident memory", unit: "MB", leap: memory, base: null },
      {
        what: "… a page's changes",
        unit: "per second",
        leap: (last.frames - first.frames) / lines / viewers,
        base: null
      },
      { what: "… what it writes to all", unit: "MB/s", leap: (last.bytes - first.bytes) / lines / 1e6, base: null },
      { what: "… from its start until it listens", unit: "ms", leap: listening, base: null },
      { what: "… from a change to a page's socket, the median", unit: "ms", leap: quantile(delays, 0.5), base: null },
      { what: "… and 95 of 100", unit: "ms", leap: quantile(delays, 0.95), base: null }
    ]
    // the twenty-first
    return [...rows, ...(await benchPage(web.line))]
  } finally {
    looking.child.kill("SIGKILL")
    web.child.kill("SIGKILL")
    end()
  }
}
