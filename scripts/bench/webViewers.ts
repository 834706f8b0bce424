// Pages that only look: `node scripts/bench/webViewers.ts ADDRESS PAGES` opens so many of the page's sockets there, takes
// what comes as a page does, and prints a line of JSON each second: frames and bytes so far, and how old the changes
// were that came in that second.
import { openSocket, type RawSocket, request } from "../../test/support/processes/WebClient.ts"

const [address = "", pages = "1"] = process.argv.slice(2)
const { hash, origin, port } = new URL(address)

const known = await request(Number(port), "/session", {
  method: "POST",
  headers: { origin, "content-type": "application/json" },
  body: JSON.stringify({ token: hash.slice("#token=".length) })
})
const [cookie = ""] = known.headers["set-cookie"]?.[0]?.split(";") ?? []
const { key } = JSON.parse(known.text) as { readonly key: string }

let frames = 0
let bytes = 0
let delays: Array<number> = []
/** As a page acknowledges: every so many frames, else a little later. */
const ackEvery = 32
const ackPause = 25

const look = (opened: RawSocket): void => {
  let taken = 0
  let acknowledged = 0
  const texts = opened.texts as Array<string>
  const take = (): void => {
    const now = Date.now()
    for (const text of texts) {
      bytes += text.length
      const stamp = /"message":"at (\d{13})"/.exec(text.slice(0, 2000))?.[1]
      if (stamp !== undefined && text.startsWith('{"_tag":"Changed"')) delays.push(now - Number(stamp))
    }
    frames += texts.length
    taken += texts.length
    texts.length = 0
    for (; taken - acknowledged >= ackEvery;) {
      acknowledged = taken
      opened.send(JSON.stringify({ _tag: "Ack", taken }))
    }
  }
  opened.socket.on("data", take)
  setInterval(() => {
    if (acknowledged === taken) return
    acknowledged = taken
    opened.send(JSON.stringify({ _tag: "Ack", taken }))
  }, ackPause)
}

for (let page = 0; page < Number(pages); page++) {
  const opened = await openSocket(Number(port), { cookie, origin })
  if (!("socket" in opened)) throw new Error(`refused: ${opened.status}`)
  look(opened)
  opened.send(JSON.stringify({ _tag: "Begin", key }))
}
setInterval(() => {
  process.stdout.write(`${JSON.stringify({ frames, bytes, delays: delays.filter((_, i) => i % 20 === 0) })}\n`)
  delays = []
}, 1000)
