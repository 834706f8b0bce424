import { assert, describe, it } from "@effect/vitest"
import { pageOf, reportOf } from "../../scripts/api/report.mjs"

/** The names of a report, each with its lines. */
const report = (files: Readonly<Record<string, string>>) =>
  reportOf("/x/index.ts", (file) => files[file] ?? null)
    .split(/^## /m)
    .filter((part) => part !== "")
    .map((part) => part.trim().split(/\n+/))

describe("the report of what the library exports", () => {
  it("has each name with its declaration, by the name that it is imported as", () => {
    const files = {
      "/x/index.ts": `export * as Tag from "./a/Tag.ts";
export { make as build, type Options } from "./make.ts";
export declare const version: string;
`,
      "/x/a/Tag.ts": `import { Schema } from "effect";
export { names } from "../names.ts";
export declare const Tag: Schema.String;
export type Tag = typeof Tag.Type;
declare const hidden: number;
`,
      "/x/names.ts": "export declare const names: readonly string[];\n",
      "/x/make.ts": `export interface Options {
    readonly a?: string;
}
export declare const make: (options: Options) => void;
export declare const unused: number;
`
    }
    assert.deepStrictEqual(report(files), [
      ["Options", "interface Options {", "  readonly a?: string;", "}"],
      ["Tag.Tag", "const Tag: Schema.String;", "type Tag = typeof Tag.Type;"],
      ["Tag.names", "const names: readonly string[];"],
      ["build", "const make: (options: Options) => void;"],
      ["version", "const version: string;"]
    ])
  })

  it("has what a declaration stands on in its own module, and nothing of where files lie", () => {
    const files = {
      "/x/index.ts": `export * from "./Service.ts";\n`,
      "/x/Service.ts": `declare const Service_base: {
    readonly run: (a: Inner) => import("../y/Other.ts").Other;
};
interface Inner {
    readonly b: import("effect/Scope").Scope;
}
export declare class Service extends Service_base {
}
export {};
`
    }
    assert.deepStrictEqual(report(files), [
      [
        "Service",
        "class Service extends Service_base {",
        "}",
        "const Service_base: {",
        "  readonly run: (a: Inner) => Other.Other;",
        "};",
        "interface Inner {",
        '  readonly b: import("effect/Scope").Scope;',
        "}"
      ]
    ])
  })

  it("is a page for readers too, with what comments say of a module, a name and its members", () => {
    const files: Readonly<Record<string, string>> = {
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
    const about: Readonly<Record<string, string>> = {
      "/x/index.ts": "/** All of it; {@link a} first. */",
      "/x/a/Tag.ts": "/**\n * What sessions\n * are called.\n */"
    }
    const page = pageOf(
      "x",
      "/x/index.ts",
      (file) => files[file] ?? null,
      (file) => about[file] ?? null
    )
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
    const files: Readonly<Record<string, string>> = {
      "/x/index.ts": ["export interface Long {", ...members, "}", ""].join("\n")
    }
    const read = (file: string) => files[file] ?? null
    const page = pageOf("x", "/x/index.ts", read, () => null)
    assert.include(page, "readonly a38: string;\n// … and 22 lines more")
    assert.include(reportOf("/x/index.ts", read), "readonly a59: string;")
  })

  it("does not leave out in silence what it cannot find", () => {
    assert.throws(
      () => report({ "/x/index.ts": `export { gone } from "./a.ts";\n`, "/x/a.ts": "export {};\n" }),
      /no gone/
    )
  })
})
