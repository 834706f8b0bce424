import { assert, describe, it } from "@effect/vitest"
import { pageOf, reportOf } from "../../scripts/api/report.mjs"

/** The declarations of a package, by the path of their module. */
type Files = Readonly<Record<string, string>>
const reading = (files: Files) => (file: string) => files[file] ?? null
const report = (files: Files) => reportOf("/x/index.ts", reading(files))

const tag: Files = {
  "/x/index.ts": `export * as Tag from "./a/Tag.ts";
/** Builds. */
export { make as build, type Options } from "./make.ts";
/** Which it is. */
export declare const version: string;
`,
  "/x/a/Tag.ts": `import { Schema } from "effect";
export { names } from "../names.ts";
/** A name. */
export declare const Tag: Schema.String;
export type Tag = typeof Tag.Type;
declare const hidden: number;
`,
  "/x/names.ts": "export declare const names: readonly string[];\n",
  "/x/make.ts": `/** How. */
export interface Options {
    /** How it is called. */
    readonly a?: string;
}
export declare const make: (options: Options) => Inner;
interface Inner {
    readonly b: import("../y/Other.ts").Other;
}
export declare const unused: number;
`
}
const changed = (file: string, from: string, to: string) => report({ ...tag, [file]: tag[file]!.replace(from, to) })

describe("the report of what the library exports", () => {
  it("has a line for each name, as it is imported, and says of which no comment speaks", () => {
    assert.deepStrictEqual(
      report(tag).map((line) => line.replace(/ [0-9a-f]{8}/, "")),
      ["interface Options", "const Tag.Tag", "const Tag.names silent", "const build", "const version"]
    )
  })

  it("changes where a signature does, or what it stands on in its own module; not by a comment, nor by where files lie", () => {
    const lines = report(tag)
    const differing = (other: ReadonlyArray<string>) =>
      lines.flatMap((line, at) => (other[at] === line ? [] : [line.split(" ")[1]]))
    assert.deepStrictEqual(differing(changed("/x/make.ts", "a?: string", "a: string")), ["Options"])
    assert.deepStrictEqual(differing(changed("/x/make.ts", "readonly b", "readonly c")), ["build"])
    assert.deepStrictEqual(differing(changed("/x/a/Tag.ts", "typeof Tag.Type", "string")), ["Tag.Tag"])
    assert.deepStrictEqual(differing(changed("/x/make.ts", "How it is called", "What it is called")), [])
    assert.deepStrictEqual(differing(changed("/x/make.ts", "../y/Other.ts", "../z/Other.ts")), [])
    assert.deepStrictEqual(differing(changed("/x/make.ts", "unused: number", "unused: string")), [])
  })

  it("is a page for readers too, with what comments say of a module, a name and its members", () => {
    const files: Files = {
      "/x/index.ts": `/** All of it; {@link a} first. */
export * as Tag from "./a/Tag.ts";
/** Passed on under another name. */
export { make as build } from "./make.ts";
`,
      "/x/a/Tag.ts": `/**
 * What sessions
 * are called.
 */
import { Schema } from "effect";
/** A session's name. */
export declare const Tag: Schema.String;
export type Tag = typeof Tag.Type;
`,
      "/x/make.ts": `export interface Options {
    /** How it is called. */
    readonly a?: string;
}
export declare const make: (options: Options) => void;
`
    }
    const about: Files = {
      "/x/index.ts": "/** All of it; {@link a} first. */",
      "/x/a/Tag.ts": "/**\n * What sessions\n * are called.\n */"
    }
    const page = pageOf("x", "/x/index.ts", reading(files), (file) => about[file] ?? null)
    assert.deepStrictEqual(
      page.split("\n").filter((line) => line !== ""),
      [
        "# x",
        "All of it; `a` first.",
        "## Tag",
        "What sessions",
        "are called.",
        "### `Tag.Tag`",
        "A session's name.",
        "```ts",
        "const Tag: Schema.String;",
        "type Tag = typeof Tag.Type;",
        "```",
        "## `build`",
        "Passed on under another name.",
        "```ts",
        "const make: (options: Options) => void;",
        "```"
      ]
    )
  })

  it("cuts a declaration that is long for readers, and says so", () => {
    const members = Array.from({ length: 60 }, (_, i) => `    readonly a${i}: string;`)
    const files: Files = {
      "/x/index.ts": ["export interface Long {", ...members, "}", ""].join("\n")
    }
    const page = pageOf("x", "/x/index.ts", reading(files), () => null)
    assert.include(page, "readonly a38: string;\n// … and 22 lines more")
  })

  it("does not leave out in silence what it cannot find", () => {
    assert.throws(
      () => report({ "/x/index.ts": `export { gone } from "./a.ts";\n`, "/x/a.ts": "export {};\n" }),
      /no gone/
    )
  })
})
