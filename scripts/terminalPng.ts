// Draws what a terminal shows, text with SGR sequences as tmux captures it, as a PNG. Needs chromium (LEAP_CHROMIUM names
// it where it is not /usr/bin/chromium).
import { chromium } from "playwright-core"

const palette =
  "#1d1f21 #cc6666 #b5bd68 #e6c547 #81a2be #b294bb #70c0ba #c5c8c6 #666666 #d54e53 #b9ca4a #f0c674 #7aa6da #c397d8 #8abeb7 #ffffff".split(
    " "
  )
const [ground, ink] = ["#16181a", "#d6d8d6"]

const colourOf = (n: number): string => {
  if (n < 16) return palette[n] ?? ink
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40)
  if (n >= 232) return `rgb(${[n, n, n].map((grey) => 8 + (grey - 232) * 10).join()})`
  const cube = n - 16
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join()})`
}

interface Pen {
  readonly bold: boolean
  readonly faint: boolean
  readonly reverse: boolean
  readonly front: string | null
  readonly back: string | null
}
const plain: Pen = { bold: false, faint: false, reverse: false, front: null, back: null }

const penAfter = (pen: Pen, codes: ReadonlyArray<number>): Pen => {
  let next = pen
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    if (code === 0) next = plain
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, faint: true }
    else if (code === 7) next = { ...next, reverse: true }
    else if (code === 22) next = { ...next, bold: false, faint: false }
    else if (code === 27) next = { ...next, reverse: false }
    else if (code >= 30 && code <= 37) next = { ...next, front: colourOf(code - 30) }
    else if (code >= 90 && code <= 97) next = { ...next, front: colourOf(code - 82) }
    else if (code >= 40 && code <= 47) next = { ...next, back: colourOf(code - 40) }
    else if (code === 39) next = { ...next, front: null }
    else if (code === 49) next = { ...next, back: null }
    else if (code === 38 || code === 48) {
      const isRgb = codes[i + 1] === 2
      const colour = isRgb ? `rgb(${codes.slice(i + 2, i + 5).join()})` : colourOf(codes[i + 2] ?? 0)
      next = code === 38 ? { ...next, front: colour } : { ...next, back: colour }
      i += isRgb ? 4 : 2
    }
  }
  return next
}

const htmlOf = (text: string): string => {
  let pen = plain
  // the parts at odd places are the sequences' codes
  return text
    .split(/\x1b\[([\d;]*)m/)
    .map((part, i) => {
      if (i % 2 === 1) {
        pen = penAfter(pen, part.split(";").map(Number))
        return ""
      }
      const [front, back] = pen.reverse ? [pen.back ?? ground, pen.front ?? ink] : [pen.front ?? ink, pen.back]
      const escaped = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
      const style = `color:${front};${back === null ? "" : `background:${back};`}${pen.bold ? "font-weight:bold;" : ""}`
      return part === "" ? "" : `<span style="${style}${pen.faint ? "opacity:.6;" : ""}">${escaped}</span>`
    })
    .join("")
}

/** Writes each screen to its file. */
export const drawScreens = async (screens: ReadonlyMap<string, string>): Promise<void> => {
  const executablePath = process.env["LEAP_CHROMIUM"] ?? "/usr/bin/chromium"
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } })
  for (const [path, screen] of screens) {
    await page.setContent(
      `<pre style="font:15px/1.25 'DejaVu Sans Mono',monospace;background:${ground};margin:0;padding:10px 14px;` +
        `display:inline-block">${htmlOf(screen)}</pre>`
    )
    await page.locator("pre").screenshot({ path })
  }
  await browser.close()
}
