import { chromium } from "playwright-core"
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
for (const reducedMotion of ["no-preference", "reduce"]) {
const p = await b.newPage({ viewport: { width: 900, height: 520 }, reducedMotion })
await p.goto("file:///work/wt/door/docs/pictures/")
await p.setContent(`<img width="600" src="file:///work/wt/door/docs/pictures/main-job.svg">`)
await p.waitForTimeout(11000)
await p.screenshot({ path: `/tmp/img-${reducedMotion}.png` })
}
await b.close()
