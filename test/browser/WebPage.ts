import AxeCore from "axe-core"
import { Effect } from "effect"
import * as net from "node:net"
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core"
import type { Room } from "../support/processes/Room.ts"
import { startWeb } from "../support/processes/webRoom.ts"
import { patience } from "../support/run/patience.ts"

export const executablePath = process.env["LEAP_CHROMIUM"] ?? "/usr/bin/chromium"

/** Starts `leap web`; gives the address that it prints, and ends it by SIGINT. */
export const serve = async (
  room: Pick<Room, "command" | "dir"> & { readonly env: NodeJS.ProcessEnv },
  flags: ReadonlyArray<string> = [],
  port = 0
) => {
  const { address, child, ended } = await startWeb(room, ["--port", String(port), ...flags])
  return {
    address,
    end: async () => {
      child.kill("SIGINT")
      return await ended
    }
  }
}

/**
 * A tunnel to a port of this machine, as `ssh -L` is one: when its network stops it carries nothing any more, closes
 * nothing, and still takes new connections.
 */
export const makeTunnel = async (port: number) => {
  let isCarrying = true
  const ends = new Set<net.Socket>()
  const server = net.createServer((near) => {
    const far = net.connect({ host: "127.0.0.1", port })
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      ends.add(from)
      from.on("error", () => {})
      from.on("data", (data) => (isCarrying ? to.write(data) : undefined))
      from.on("close", () => (isCarrying ? to.destroy() : undefined))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    /** What was on its way while it carried nothing is lost. */
    carry: (carries: boolean) => {
      isCarrying = carries
    },
    end: () => {
      for (const end of ends) end.destroy()
      server.close()
    }
  }
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })

/**
 * A page of this width, what its console complained about, and what it has sent. `ownClock`: its time can be moved on
 * (`page.clock`).
 */
export const openPage = async (
  browser: Browser,
  address: string,
  width: number,
  { dark = false, ownClock = false }: { readonly dark?: boolean; readonly ownClock?: boolean } = {}
) => {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    hasTouch: width < 500,
    colorScheme: dark ? "dark" : "light"
  })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (message) => {
    // the emulator warns of its own deadline, which the machine decides
    if (message.text().startsWith("task queue exceeded allotted deadline")) return
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  const sent: Array<string> = []
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))))
  if (ownClock) await page.clock.install()
  await page.goto(address)
  return { page, complaints, sent, close: () => context.close() }
}

/** One for all tests of this process, with which it ends. */
let browser: Promise<Browser> | null = null

/** Opens pages in the tests' browser, each in a context with its own storage; they are closed with the scope. */
export const opener = Effect.map(
  Effect.acquireRelease(
    Effect.sync((): Array<BrowserContext> => []),
    (contexts) => Effect.promise(() => Promise.all(contexts.map((context) => context.close())))
  ),
  (contexts) =>
    async (address: string, width: number, options: Parameters<typeof openPage>[3] = {}) => {
      browser ??= launch()
      const opened = await openPage(await browser, address, width, options)
      contexts.push(opened.page.context())
      return opened
    }
)
export type Open = Effect.Success<typeof opener>

/** What axe-core finds, in its words. */
export const faults = async (page: Page): Promise<ReadonlyArray<string>> => {
  // as a debugger runs it, once in a document: the page's own policy allows no other script
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AxeCore.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof AxeCore }).axe.run({ resultTypes: ["violations"] })
  )
  return violations.map(({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html).join(" ")}`)
}

/** The row of a session in the list. */
export const row = (page: Page, tag: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name: tag, exact: true }) })
/** The button of this name. */
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

/** Waits for an element. If it does not come, the error says in one line what is there instead. */
const comes = async (page: Page, what: string, target: Locator, instead: string): Promise<void> => {
  try {
    await target.waitFor()
  } catch (error) {
    const texts = await page.locator(instead).allInnerTexts()
    const seen = texts.map((text) => text.replaceAll(/\s+/g, " ").slice(0, 1_000)).join(" | ")
    throw new Error(`${what} did not come; ${instead} has: ${seen}`, { cause: error })
  }
}

/** Waits until the element has a text that fits. */
export const shows = (page: Page, selector: string, text: RegExp): Promise<void> =>
  comes(page, `${selector} ${String(text)}`, page.locator(selector).filter({ hasText: text }).first(), selector)

/**
 * Waits, bounded, until an expression is true of the page. Each time it is asked from without: what waits within the
 * page needs eval, which its policy forbids.
 */
export const becomes = async (page: Page, expression: string): Promise<void> => {
  for (let i = 0; i < 200; i++) {
    if (await page.evaluate<boolean>(expression)) return
    await page.waitForTimeout(50)
  }
  throw new Error(`never true: ${expression}`)
}

export type Hands = "mouse" | "keyboard" | "touch"

/**
 * Presses Tab some times, none of which leads on from the element once it has the focus; whether it has it then. A look
 * after each press took most of a test's time.
 */
const leadsByTab = async (page: Page, target: Locator): Promise<boolean> => {
  await target.evaluate((element) => {
    const { defaultView: view } = element.ownerDocument
    const stays = (event: Event & { readonly key?: string }) => {
      if (event.key !== "Tab" || element.ownerDocument.activeElement !== element) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    view?.addEventListener("keydown", stays, true)
    view?.addEventListener("leap-looked", () => view.removeEventListener("keydown", stays, true), { once: true })
  })
  await Promise.all(Array.from({ length: 15 }, () => page.keyboard.press("Tab")))
  return target.evaluate((element) => {
    element.ownerDocument.defaultView?.dispatchEvent(new Event("leap-looked"))
    return element.ownerDocument.activeElement === element
  })
}

/** How somebody presses what is on a page, and writes into it. By the keyboard all is reached by Tab. */
export const handsOn = (page: Page, hands: Hands) => {
  const reach = async (target: Locator): Promise<void> => {
    await comes(page, String(target), target, "body")
    if (hands === "touch") return target.tap()
    if (hands === "mouse") return target.click()
    for (let i = 0; i < 20; i++) if (await leadsByTab(page, target)) return
    throw new Error(`Tab does not lead to ${String(target)}`)
  }
  return {
    press: async (target: Locator): Promise<void> => {
      await reach(target)
      if (hands === "keyboard") await page.keyboard.press("Space")
    },
    write: async (target: Locator, text: string): Promise<void> => {
      await reach(target)
      await page.keyboard.press("ControlOrMeta+A")
      await page.keyboard.type(text)
    }
  }
}

/** Opens the form for a remark on a line (`line 2 of plan.txt`) in the changes of a session. */
export const remarkOn = async (page: Page, hands: Hands, line: string): Promise<void> => {
  const number = page.getByRole("button", { name: `remark on ${line}`, exact: true })
  // what is out of sight is not drawn
  const file = page.getByRole("region", { name: line.replace(/.* of /, ""), exact: true })
  await comes(page, `the file of ${line}`, file, ".review")
  if (hands !== "keyboard") await file.scrollIntoViewIfNeeded()
  if (hands !== "keyboard") await comes(page, `the number of ${line}`, number, ".review")
  if (hands === "mouse") return number.click()
  // a number is small for a thumb: the line itself takes the remark
  if (hands === "touch") return page.locator("li", { has: number }).locator("code").first().tap()
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press(i === 0 ? "n" : "j")
    if (await number.evaluate((element) => element.ownerDocument.activeElement === element)) break
  }
  await page.keyboard.press("c")
}

/** Queues a message for the session that is shown. */
export const sendMessage = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel(/A message, typed when it is safe/).fill(text)
  await button(page, "Send").click()
  await shows(page, "[role=status]", /^[\w-]+: queued as/)
}

/** By how many pixels something is wider than the page. */
export const widerBy = (page: Page): Promise<number> => {
  const root = "document.documentElement"
  return page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`)
}
