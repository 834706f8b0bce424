// Writes the pictures in docs/terminal.md: what a real terminal (tmux) shows of leap with the demo CLI. Needs tmux and a
// fresh build: `npm run build && node scripts/pictures.ts`.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, makeWorld } from "./bench/world.ts"

const file = path.join(import.meta.dirname, "../docs/terminal.md")
const world = makeWorld()
const server = ["-L", `leap-pictures-${process.pid}`, "-f", "/dev/null"]
const patience = 20_000

const tmux = (...words: ReadonlyArray<string>): string => {
  const ran = spawnSync("tmux", [...server, ...words], { env: { ...world.env }, encoding: "utf8" })
  if (ran.status !== 0) throw new Error(`tmux ${words.join(" ")}: ${ran.stderr}`)
  return ran.stdout
}

/** A window in which one leap command runs. */
const open = (name: string, ...args: ReadonlyArray<string>) => {
  const command = [process.execPath, bundle, ...args].map((word) => `'${word}'`).join(" ")
  tmux(..."new-session -d -x 78 -y 18 -s".split(" "), name, command, ";", ..."set -g status off".split(" "))
  tmux("resize-window", "-t", name, "-x", "78", "-y", "18")
  const screen = () => tmux("capture-pane", "-p", "-t", name)
  return {
    type: (...keys: ReadonlyArray<string>) => tmux("send-keys", "-t", name, ...keys),
    screen,
    shows: async (text: string) => {
      const until = performance.now() + patience
      while (!screen().includes(text)) {
        if (performance.now() > until) throw new Error(`'${text}' never came:\n${screen()}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
}

const pictures = new Map<string, string>()
/** The screen as it is, without the empty rows around it. */
const take = (name: string, screen: string): void => {
  const rows = screen.split("\n").map((row) => row.trimEnd())
  pictures.set(name, rows.join("\n").replace(/^\n+|\n+$/g, ""))
}

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
  world.leap("send", "my-feature", "please write a file")
  world.leap("wait", "my-feature", "--until", "needs_permission,needs_input")
  world.leap("send", "my-feature", "then run the tests")
  const client = open("client", "my-feature")
  await client.shows("then run the tests")
  await client.shows("dialog")
  take("client", client.screen())
} finally {
  spawnSync("tmux", [...server, "kill-server"])
  world.close()
}

let text = fs.readFileSync(file, "utf8")
for (const [name, picture] of pictures) {
  const place = new RegExp(`(<!-- picture: ${name} -->\n\`\`\`text\n)[^]*?(\`\`\`)`)
  if (!place.test(text)) throw new Error(`${file} has no place for the picture of '${name}'`)
  text = text.replace(place, (_, before: string, after: string) => `${before}${picture}\n${after}`)
}
fs.writeFileSync(file, text)
