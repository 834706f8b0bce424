#!/usr/bin/env node
// Toy itself: what is typed is said back after a while; "ask" makes it ask first.
const log = []
let draft = ""
let thinking = null
let asking = false

const say = (text) => log.push(...text.split("\n").map((line) => `  ${line}`))
const bottom = () =>
  asking
    ? "toy asks: May I run ls?\r\n> 1) Yes\r\n  2) No\r\ntoy?"
    : thinking === null
      ? `toy> ${draft.replaceAll("\n", "\r\n")}`
      : "toy: thinking"
const draw = () => {
  const rows = [...log.slice(-12), bottom()].join("\r\n")
  process.stdout.write(`\u001b[?2026h\u001b[2J\u001b[H${rows}\u001b[?2026l`)
}
const answer = (text) => {
  thinking = setTimeout(() => {
    thinking = null
    say(text)
    draw()
  }, 300)
}
const submit = () => {
  const text = draft.trim()
  draft = ""
  if (text === "") return
  if (text === "ask") asking = true
  else answer(`you said: ${text}`)
}
const press = (key) => {
  if (asking) {
    if (key !== "1" && key !== "2") return
    asking = false
    answer(key === "1" ? "it may" : "it may not")
  } else if (thinking !== null) {
    if (key !== "\u001b") return
    clearTimeout(thinking)
    thinking = null
    say("(stopped)")
  } else if (key === "\r") submit()
  else if (key === "\u0015") draft = ""
  else if (key === "\u0004") process.exit(0)
  else if (key >= " ") draft += key
}

process.stdin.setRawMode(true)
process.stdin.setEncoding("utf8")
process.stdin.on("data", (data) => {
  for (const [, paste, key] of data.matchAll(/\u001b\[200~(.*?)\u001b\[201~|([^])/gs)) {
    if (paste === undefined) press(key)
    else if (!asking && thinking === null) draft += paste
  }
  draw()
})
process.stdout.write("\u001b[?2004h")
say(`this is toy, called ${process.env["TOY_NAME"] ?? "so"}`)
draw()
