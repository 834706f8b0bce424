// A bridge to Telegram over leap's webhook (docs/webhooks.md), with Node's own library alone: what needs you and what was
// answered is posted to one chat, and a reply there answers the dialog, or queues a message.
//
//   TELEGRAM_TOKEN=… TELEGRAM_CHAT=… LEAP_SECRET=whsec_… PORT=8787 node telegram.ts     beside `leap out`
import { execFile } from "node:child_process"
import { createHmac, timingSafeEqual } from "node:crypto"
import * as http from "node:http"

const { LEAP_SECRET = "", TELEGRAM_CHAT = "", TELEGRAM_TOKEN = "" } = process.env
const api = `${process.env["TELEGRAM_API"] ?? "https://api.telegram.org"}/bot${TELEGRAM_TOKEN}`
const key = Buffer.from(LEAP_SECRET.replace(/^whsec_/, ""), "base64")

/** As much of an event as is used here; docs/webhooks.md has all of it. */
interface LeapEvent {
  readonly id: string
  readonly type: string
  readonly session: { readonly tag: string } | null
  readonly data: {
    readonly title?: string | null
    readonly options?: ReadonlyArray<{ readonly number: number | null; readonly label: string }>
    readonly response?: string | null
    readonly message?: string | null
    readonly dialog?: string
  }
}
interface Update {
  readonly update_id: number
  readonly message?: {
    readonly chat: { readonly id: number }
    readonly message_id: number
    readonly text?: string
    readonly reply_to_message?: { readonly message_id: number }
  }
}

/** What is answered here, by the message that asks it: a session's dialog while it is open, or the session itself. */
const about = new Map<number, { readonly tag: string; readonly dialog: string | null }>()
/** Events that were posted: leap sends each at least once. */
const posted = new Set<string>()

/** The first `most` of what grows for ever. */
const keep = (all: Map<number, unknown> | Set<string>, most = 1_000): void => {
  for (const oldest of all.keys()) if (all.size > most) all.delete(oldest as never)
}

const call = async (method: string, body: object): Promise<unknown> => {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${api}/${method}`, { method: "POST", headers, body: JSON.stringify(body) })
  // the address has the token in it: nothing of it is repeated
  if (!answer.ok) throw new Error(`Telegram answered ${answer.status} to ${method}`)
  return ((await answer.json()) as { readonly result: unknown }).result
}

/** What is posted of an event; null for nothing. It is sent without a parse mode: nothing in it is markup. */
const textOf = ({ data, session, type }: LeapEvent): string | null => {
  const tag = session?.tag ?? "leap"
  if (type === "dialog.opened")
    return [`${tag}: ${data.title ?? "it waits for an answer"}`]
      .concat((data.options ?? []).map(({ label, number }) => `${number ?? "·"}. ${label}`))
      .join("\n")
  if (type === "turn.ended") return `${tag}: ${data.response ?? "its turn is over"}`
  if (type === "session.problem") return `${tag}: ${data.message ?? "a problem"}`
  return null
}

const post = async (event: LeapEvent): Promise<void> => {
  if (posted.has(event.id)) return
  if (event.type === "dialog.closed")
    for (const [message, { dialog }] of about) if (dialog === event.data.dialog) about.delete(message)
  const text = textOf(event)
  if (text !== null) {
    const message = { chat_id: TELEGRAM_CHAT, text: text.slice(0, 4_000), link_preview_options: { is_disabled: true } }
    const { message_id } = (await call("sendMessage", message)) as { readonly message_id: number }
    const dialog = event.type === "dialog.opened" ? event.id : null
    if (event.session !== null) about.set(message_id, { tag: event.session.tag, dialog })
    keep(about)
  }
  posted.add(event.id)
  keep(posted)
}

/** Whether leap has sent this, and sent it just now. */
const isFromLeap = (headers: http.IncomingHttpHeaders, body: string): boolean => {
  const [id, at, signature] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`]))
  if (!(Math.abs(Date.now() / 1_000 - Number(at)) <= 300)) return false
  const own = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest()
  const given = Buffer.from((signature ?? "").replace(/^v1,/, ""), "base64")
  return own.length === given.length && timingSafeEqual(own, given)
}

const server = http.createServer((request, response) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    const body = Buffer.concat(parts).toString()
    if (!isFromLeap(request.headers, body)) return void response.writeHead(401).end()
    // told that it failed, leap keeps the event and sends it again, before any later one
    post(JSON.parse(body) as LeapEvent).then(
      () => response.writeHead(204).end(),
      () => response.writeHead(503).end()
    )
  })
})

const leap = (...args: ReadonlyArray<string>): Promise<string | null> =>
  new Promise((resolve) =>
    execFile("leap", [...args], (error, _, stderr) => resolve(error === null ? null : stderr.trim()))
  )

const take = async ({ message }: Update): Promise<void> => {
  // nobody else may write to your sessions
  if (message?.text === undefined || String(message.chat.id) !== TELEGRAM_CHAT) return
  const asked = about.get(message.reply_to_message?.message_id ?? -1)
  if (asked === undefined) return
  const { dialog, tag } = asked
  // under an id of its own a message is queued once, however often it is sent
  const id = `telegram-${message.message_id}`
  const why = await (dialog === null
    ? leap("send", tag, "--id", id, "--", message.text)
    : leap("answer", tag, "--", message.text))
  if (why !== null) await call("sendMessage", { chat_id: TELEGRAM_CHAT, text: why })
}

server.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", () =>
  console.log(`listening on ${JSON.stringify(server.address())}`)
)
for (let offset = 0; ;) {
  try {
    const updates = (await call("getUpdates", { offset, timeout: 30 })) as ReadonlyArray<Update>
    for (const update of updates) {
      offset = update.update_id + 1
      await take(update)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : "Telegram cannot be reached")
    await new Promise((resolve) => setTimeout(resolve, 5_000))
  }
}
