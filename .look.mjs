import { chromium } from "playwright-core"
import { readFileSync } from "node:fs"
const [file, ...times] = process.argv.slice(2)
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
const p = await b.newPage({ viewport: { width: 760, height: 520 } })
await p.setContent(readFileSync(file, "utf8"))
for (const t of times) {
  await p.evaluate((t) => { for (const a of document.getAnimations()) { a.pause(); a.currentTime = t * 1000 } }, Number(t))
  await p.screenshot({ path: `/tmp/look-${t}.png` })
}
await b.close()
