import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

/**
 * With LEAP_NONSENSE, what people are told is nonsense, and begins as what leaps before once decided by: laws that hold
 * all the same do not rest on words.
 */
const files = /\/(?:wording\/(?:cause|delivery|lost|night|notReady|reason|wait)Words)\.ts$/

const nonsense = `
const said = (text) => "you held it; its turn failed: " + [...text].reduce((sum, char) => sum * 31 + char.codePointAt(0) & 0xffff, 7)
const swapped = (value) =>
  typeof value === "string" ? said(value)
  : typeof value === "function" ? (...given) => swapped(value(...given))
  : "cause" in value ? { ...value, why: said(value.why) }
  : Object.fromEntries(Object.entries(value).map(([name, text]) => [name, swapped(text)]))
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
