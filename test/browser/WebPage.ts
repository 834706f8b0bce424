import AxeCore from "axe-core"
import { spawn } from "node:child_process"
import { type Browser, chromium, type Page } from "playwright-core"
import type { Room } from "../support/processes/Room.ts"

export const executablePath = process.env["LEAP_CHROMIUM"] ?? "/usr/bin/chromium"

/** Starts `leap web`; gives the address that it prints, and ends it by SIGINT. */
export const serve = async (room: Room, flags: ReadonlyArray<string> = []) => {
  const child = spawn(room.command[0], [room.command[1], "web", "--port", "0", ...flags], {
    env: room.env,
    cwd: room.dir,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const address = await new Promise<string>((resolve, reject) => {
    let errors = ""
    child.stderr.on("data", (data) => (errors += String(data)))
    child.stdout.once("data", (data) => resolve(String(data).trim()))
    void ended.then((code) => reject(new Error(`leap web ended with ${code}: ${errors}`)))
  })
  return {
    address,
    end: async () => {
      child.kill("SIGINT")
      return await ended
    }
  }
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })

/** A page of this width, and what its console complained about. */
export const openPage = async (browser: Browser, address: string, width: number, dark = false) => {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    hasTouch: width < 500,
    colorScheme: dark ? "dark" : "light"
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  await page.goto(address)
  return { page, complaints, close: () => context.close() }
}

/** What axe-core finds that is serious, in its words. */
export const seriousFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  // as a debugger runs it: the page's own policy allows no other script
  await page.evaluate(AxeCore.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof AxeCore }).axe.run())
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html).join(" ")}`)
}
