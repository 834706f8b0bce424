// Writes the pictures in docs/terminal.md and README: what a real terminal (tmux) shows of leap with the demo CLI. Needs
// tmux, chromium and a fresh build: `npm run build && node scripts/pictures.ts`.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { bundle, makeWorld } from "./bench/world.ts"
import { drawScreens } from "./terminalPng.ts"

const file = path.join(import.meta.dirname, "../docs/terminal.md")
const world = makeWorld()
const own = ["-L", `leap-pictures-${process.pid}`, "-f", "/dev/null"]
const patience = 20_000

const tmux = (...words: ReadonlyArray<string>): string => {
  const ran = spawnSync("tmux", [...own, ...words], { env: { ...world.env }, encoding: "utf8" })
  if (ran.status !== 0) throw new Error(`tmux ${words.join(" ")}: ${ran.stderr}`)
  return ran.stdout
}

/** A window in which one command runs. */
const window = (name: string, command: string, rows: number) => {
  tmux(..."new-session -d -x 78 -y 18 -s".split(" "), name, command, ";", ..."set -g status off".split(" "))
  tmux("resize-window", "-t", name, "-x", "78", "-y", String(rows))
  const screen = () => tmux("capture-pane", "-p", "-t", name)
  return {
    type: (...keys: ReadonlyArray<string>) => tmux("send-keys", "-t", name, ...keys),
    screen,
    coloured: () => tmux("capture-pane", "-p", "-e", "-t", name),
    shows: async (text: string) => {
      const until = performance.now() + patience
      while (!screen().includes(text)) {
        if (performance.now() > until) throw new Error(`'${text}' never came:\n${screen()}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
}

/** A window in which one leap command runs. */
const open = (name: string, ...args: ReadonlyArray<string>) =>
  window(name, [process.execPath, bundle, ...args].map((word) => `'${word}'`).join(" "), 18)

const pictures = new Map<string, string>()
/** The screen as it is, without the empty rows around it. */
const take = (name: string, screen: string): void => {
  const rows = screen.split("\n").map((row) => row.trimEnd())
  pictures.set(name, rows.join("\n").replace(/^\n+|\n+$/g, ""))
}

/** Screens with their colours, by the files they are drawn to. */
const drawn = new Map<string, string>()
const draw = (name: string, screen: string): void => {
  drawn.set(path.join(import.meta.dirname, `../docs/pictures/${name}.png`), screen.replace(/\s+$/, ""))
}

/** Takes pushes as an ntfy server does, and writes to a file what a phone shows of them. */
const pushes = path.join(world.env["HOME"] ?? "", "phone")
const server = http.createServer((request, response) => {
  let body = ""
  request.on("data", (data) => (body += String(data)))
  request.on("end", () => {
    fs.appendFileSync(
      pushes,
      `${request.url?.slice(1)}: ${String(request.headers["title"])}\n${body.replace(/^/gm, "  ")}\n`
    )
    response.end()
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const topic = `http://127.0.0.1:${(server.address() as AddressInfo).port}/my-secret-topic`
fs.mkdirSync(world.env["LEAP_HOME"] ?? "", { recursive: true })
fs.writeFileSync(pushes, "")
fs.writeFileSync(
  path.join(world.env["LEAP_HOME"] ?? "", "settings.json"),
  JSON.stringify({ notify: { push: [{ url: topic }] } })
)

try {
  world.leap("my-feature", "--cli", "demo", "--detach")
  world.leap("wait", "my-feature", "--until", "idle")
  world.leap("send", "my-feature", "run the tests", "--wait")
  const view = open("view", "attach", "my-feature")
  await view.shows("run the tests")
  view.type("-l", "^^")
  await view.shows("Enter queues")
  view.type("-l", "then look at the failing ones")
  await view.shows("failing ones")
  take("message", view.screen())
  view.type("Escape")
  view.type("C-]")
  await view.shows("next session")
  take("menu", view.screen())
  view.type("Escape")
  // somebody works in another window of their tmux: its status line has the bell, and the title
  tmux("new-session", "-d", "-x", "78", "-y", "8", "-s", "work", "-n", "phone", `tail -f '${pushes}'`)
  tmux("set", "-t", "work", "status", "on")
  for (const side of ["status-left", "status-right"]) tmux("set", "-t", "work", side, "")
  tmux("select-pane", "-t", "work", "-T", "a phone, by ntfy")
  for (const option of ["window-status-format", "window-status-current-format"])
    tmux("set", "-g", option, " #I:#{pane_title}#{?window_bell_flag,!,} ")
  tmux("set", "-g", "window-status-bell-style", "fg=black,bg=yellow")
  tmux("new-window", "-d", "-t", "work:1", `'${process.execPath}' '${bundle}' attach my-feature`)
  world.leap("wait", "my-feature", "--until", "idle")
  const desk = window("desk", `env -u TMUX tmux ${own.join(" ")} attach -t work`, 8)
  world.leap("send", "my-feature", "please write a file")
  world.leap("wait", "my-feature", "--until", "needs_permission,needs_input")
  world.leap("send", "my-feature", "then run the tests")
  const client = open("client", "my-feature")
  await client.shows("then run the tests")
  await client.shows("dialog")
  take("client", client.screen())
  draw("client", client.coloured())
  await desk.shows("my-feature: needs you")
  await desk.shows("3. No")
  draw("notification", desk.coloured())
} finally {
  server.close()
  spawnSync("tmux", [...own, "kill-server"])
  world.close()
}

await drawScreens(drawn)

let text = fs.readFileSync(file, "utf8")
for (const [name, picture] of pictures) {
  const place = new RegExp(`(<!-- picture: ${name} -->\n\`\`\`text\n)[^]*?(\`\`\`)`)
  if (!place.test(text)) throw new Error(`${file} has no place for the picture of '${name}'`)
  text = text.replace(place, (_, before: string, after: string) => `${before}${picture}\n${after}`)
}
fs.writeFileSync(file, text)
