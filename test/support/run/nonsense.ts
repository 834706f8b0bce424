import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

/**
 * With LEAP_NONSENSE, what people are told of sessions, messages and needs is nonsense, and begins as what leaps before
 * once decided by: laws that hold all the same do not rest on words.
 */
const files =
  /\/src\/domain\/words\/(?:wording\/\w+|attention\/(?:needWords|shownNeeds)|session\/(?:exitText|hostUnreached))\.ts$/

// In a value with one of these fields, or a tag, nothing else is told; any other one is a table of words.
const nonsense = `
const said = (text) => "you held it; its turn failed: " + [...text].reduce((sum, char) => sum * 31 + char.codePointAt(0) & 0xffff, 7)
const told = new Set(["why", "text", "message", "reason", "short", "title"])
const swapped = (value) => {
  if (typeof value === "string") return said(value)
  if (typeof value === "function") return (...given) => swapped(value(...given))
  if (Array.isArray(value)) return value.map(swapped)
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const isTable = !("_tag" in value) && Object.keys(value).every((name) => !told.has(name))
  const isWords = (it) => isTable && (typeof it === "string" || Object.values(value).every((one) => typeof one === "object"))
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, told.has(name) || isWords(it) ? swapped(it) : it])
  )
}
`

if (process.env["LEAP_NONSENSE"] !== undefined)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (!files.test(url)) return loaded
      const names = [...readFileSync(fileURLToPath(url), "utf8").matchAll(/^export const (\w+)/gm)].map(
        ([, name]) => name
      )
      const exported = names.map((name) => `export const ${name} = swapped(words.${name})`)
      const source = [`import * as words from ${JSON.stringify(`${url}?plain`)}`, nonsense, ...exported].join("\n")
      return { ...loaded, format: "module", source }
    }
  })
