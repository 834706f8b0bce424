import { chromium } from "playwright-core"
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
const fs = await import("node:fs")
const p = await b.newPage({ viewport: { width: 1500, height: 1560 } })
const imgs = process.argv.slice(3).map((f) => `<img width=740 src="data:image/png;base64,${fs.readFileSync(f).toString("base64")}">`)
await p.setContent(`<body style="margin:0;background:#fff">${imgs.join("")}`)
await p.waitForTimeout(300)
await p.screenshot({ path: process.argv[2] })
await b.close()
