import Prism from "./prism.ts"
import "prismjs/components/prism-clike.js"
import "prismjs/components/prism-markup.js"
import "prismjs/components/prism-css.js"
import "prismjs/components/prism-javascript.js"
import "prismjs/components/prism-bash.js"
import "prismjs/components/prism-c.js"
import "prismjs/components/prism-cpp.js"
import "prismjs/components/prism-docker.js"
import "prismjs/components/prism-go.js"
import "prismjs/components/prism-ini.js"
import "prismjs/components/prism-java.js"
import "prismjs/components/prism-json.js"
import "prismjs/components/prism-jsx.js"
import "prismjs/components/prism-kotlin.js"
import "prismjs/components/prism-lua.js"
import "prismjs/components/prism-makefile.js"
import "prismjs/components/prism-python.js"
import "prismjs/components/prism-ruby.js"
import "prismjs/components/prism-rust.js"
import "prismjs/components/prism-scss.js"
import "prismjs/components/prism-sql.js"
import "prismjs/components/prism-toml.js"
import "prismjs/components/prism-typescript.js"
import "prismjs/components/prism-tsx.js"
import "prismjs/components/prism-yaml.js"
import type { Asked, Coloured, Colour } from "./colours.ts"

const colours: Readonly<Record<string, Colour>> = Object.fromEntries(
  (
    [
      ["comment", "comment prolog doctype cdata"],
      ["string", "string char attr-value url regex template-string"],
      ["number", "number boolean constant symbol"],
      ["keyword", "keyword important atrule rule directive"],
      ["name", "function class-name tag selector builtin property attr-name key"]
    ] as const
  ).flatMap(([colour, types]) => types.split(" ").map((type) => [type, colour] as const))
)

/** Colours and lengths of what a text consists of, one after the other; a part in a part has its own colour. */
const flat = (tokens: Prism.Tokens, outer: Colour): Array<readonly [Colour, number]> => {
  if (typeof tokens === "string") return tokens === "" ? [] : [[outer, tokens.length]]
  if ("type" in tokens) return flat(tokens.content, colours[tokens.type] ?? outer)
  return tokens.flatMap((token) => flat(token, outer))
}

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  const { id, language, text } = data
  const grammar = Prism.languages[language]
  const parts = grammar === undefined ? [] : flat(Prism.tokenize(text, grammar), "")
  postMessage({ id, parts } satisfies Coloured)
})
