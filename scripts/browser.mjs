// The gate's step `page`: the page of `leap web` in a headless Chromium. CI installs it where it may, and fails without it;
// elsewhere the tests are then skipped. With a real CLI: test/real/web.real.ts, in `npm run thorough real`.
import { spawnSync } from "node:child_process"
import { appendFileSync, existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome"]
const find = () =>
  process.env.LEAP_CHROMIUM ??
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((dir) => names.map((name) => join(dir, name)))
    .find((file) => existsSync(file))

const apt = (...args) =>
  spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=60", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  }).status === 0

let chromium = find()
if (chromium === undefined && process.env.CI === "1" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  process.stdout.write("installing chromium\n")
  if (apt("update") && apt("install", "-y", "--no-install-recommends", "chromium")) chromium = find()
}
if (chromium === undefined) {
  const needed = "the page's tests need chromium on PATH, or its path in LEAP_CHROMIUM"
  if (process.env.CI === "1") {
    process.stderr.write(`${needed}; it could not be installed here (apt-get install chromium, as root)\n`)
    process.exitCode = 1
  } else {
    process.stdout.write(`skipped: ${needed}\n`)
    if (process.env.LEAP_COUNTS !== undefined)
      appendFileSync(process.env.LEAP_COUNTS, "0 passed, 0 failed, 1 skipped\n")
  }
} else {
  const { status } = spawnSync("vitest", ["run", ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, LEAP_CHROMIUM: chromium, LEAP_BROWSER: "1" }
  })
  process.exitCode = status ?? 1
}
