import type { Draft } from "./TerminalModesState.ts"

const colorLimit = 280

export const osc = (draft: Draft, body: string): void => {
  const semicolon = body.indexOf(";")
  const code = semicolon < 0 ? body : body.slice(0, semicolon)
  const rest = semicolon < 0 ? "" : body.slice(semicolon + 1)
  switch (code) {
    case "0":
    case "1":
    case "2":
      if (semicolon < 0) return
      if (code !== "1") draft.title = rest.replace(/[\x00-\x1f\x7f]/g, "")
      if (code !== "2") draft.icon = rest.replace(/[\x00-\x1f\x7f]/g, "")
      draft.titled = true
      return
    case "8": {
      const at = rest.indexOf(";")
      draft.link = at < 0 || at === rest.length - 1 ? "" : rest
      return
    }
    case "9":
      if (rest === "4" || rest.startsWith("4;")) draft.progress = /^4;[1-4]/.test(rest) ? rest : ""
      return
    case "22":
      draft.pointer = /^[A-Za-z_-]*$/.test(rest) ? rest : draft.pointer
      return
    case "7501":
      if (/(^|:)state=clear(:|$)/.test(rest)) draft.reported &&= /(^|:)id=/.test(rest)
      else if (rest !== "?") draft.reported = true
      return
  }
  setColors(draft, code, rest)
}

/** OSC 4 and 10 to 19 set colours, 104 and 110 to 119 reset them. */
const setColors = (draft: Draft, code: string, rest: string): void => {
  const number = Number(code)
  if (!/^\d{1,3}$/.test(code) || number < 4 || number > 119 || (number > 4 && number < 10)) return
  const fields = rest === "" ? [] : rest.split(";")
  const colors = new Map(draft.colors)
  const set = (key: string, value: string | undefined): void => {
    if (value === undefined || value === "?" || value === "" || value.length > 64 || /[^\x20-\x7e]/.test(value)) return
    if (colors.size < colorLimit) colors.set(key, value)
  }
  if (number === 4) {
    for (let i = 0; i + 1 < fields.length; i += 2)
      if (/^\d{1,3}$/.test(fields[i]!)) set(`4;${Number(fields[i])}`, fields[i + 1])
  } else if (number <= 19) fields.forEach((value, i) => (number + i <= 19 ? set(`${number + i}`, value) : undefined))
  else if (number === 104) {
    for (const key of colors.keys()) {
      if (key.startsWith("4;") && (fields.length === 0 || fields.includes(key.slice(2)))) colors.delete(key)
    }
  } else if (number >= 110) colors.delete(`${number - 100}`)
  draft.colors = colors
}
