import { clean } from "./cells.ts"
import type { Model } from "./model.ts"

const oneLine = (text: string): string =>
  Buffer.from(clean(text.replaceAll("\n", " ")).slice(0, 200)).toString("base64")

/** The current program-status records (OSC 7501) by id; the root's id is "". */
export const statusRecords = (model: Model): ReadonlyMap<string, string> => {
  const { dialog, restStatus, turn } = model
  const root =
    dialog !== null
      ? `state=blocked:kind=${dialog.kind}:msg=` +
        oneLine(dialog.kind === "permission" ? `approve ${dialog.title}` : dialog.title)
      : turn !== null
        ? `state=working:msg=${oneLine(turn.activity)}`
        : `state=${restStatus}`
  return new Map([
    ["", `${root}:app=leap-demo`],
    ...model.background.map(({ id, title }) => [id, `state=working:id=${id}:title=${oneLine(title)}`] as const)
  ])
}

const report = (pairs: string): string => `\x1b]7501;${pairs}\x1b\\`

export const statusReports = (before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string =>
  [...before.keys()]
    .filter((id) => !now.has(id))
    .map((id) => report(`state=clear:id=${id}`))
    .join("") +
  [...now]
    .filter(([id, pairs]) => before.get(id) !== pairs)
    .map(([, pairs]) => report(pairs))
    .join("")

export const clearStatus = report("state=clear")

/** The terminal's title: the name, and a glyph that changes every second while the model works. */
export const title = (model: Model, now: number): string => {
  const glyph =
    model.turn === null || model.dialog !== null
      ? "◇"
      : Math.floor((now - model.turn.startedAt) / 1000) % 2 === 0
        ? "◈"
        : "◆"
  return `\x1b]0;${glyph} leap demo\x07`
}
