// What the documents say holds: each link leads somewhere, and each command line in them is one that leap takes.
import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { mainJob } from "../scripts/pictures/castSvg.ts"
import type { CompletionCommand } from "../src/domain/words/arguments/Completion.ts"
import { commandGroups, commandsOf } from "../src/domain/words/session/commandGroups.ts"
import { registrations } from "../src/layers/providers/ProvidersBuiltin.ts"
import tree from "#generated/completionTree.mts"

const root = path.join(import.meta.dirname, "..")
const documents = [
  "README.md",
  ...fs
    .readdirSync(path.join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
]
const textOf = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

/** The names that headings are linked by. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-")
    )
  )

/** A session's name, with nothing but flags behind it: `leap my-feature --cli NAME`; a mistyped command is none. */
const isTag = (words: ReadonlyArray<string>, commands: ReadonlySet<string>): boolean => {
  const [tag = "", next = "-"] = words
  return /^[[-]/.test(next) && ![...commands].some((command) => command.slice(0, 4) === tag.slice(0, 4))
}

/** The command lines in a document, from blocks for shells and from within sentences. */
const commandLines = (text: string): ReadonlyArray<string> => {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) => block.split("\n"))
  const inline = [...text.replaceAll(/^```.*?^```/gms, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
  return [...blocks, ...inline]
    .flatMap((line) =>
      line
        .replace(/ # .*$/, "")
        .replaceAll("\\|", "|")
        .split(/ && | \| (?=leap )/)
    )
    .map((line) => line.trim())
    .filter((line) => /^leap( |$)/.test(line))
}

interface Known {
  readonly commands: ReadonlySet<string>
  /** Of each command, and of `command subcommand`. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>
  readonly subcommands: ReadonlyMap<string, ReadonlySet<string>>
}

/** What leap tells shells of its own command line, made of its parser (scripts/build/completionTree.ts). */
const leap: Known = (() => {
  const commands = new Set<string>()
  const flags = new Map<string, ReadonlySet<string>>()
  const subcommands = new Map<string, ReadonlySet<string>>()
  const walk = (node: CompletionCommand, chain: string) => {
    flags.set(chain, new Set(node.flags.flatMap(({ names }) => names.map((name) => name.replace(/^--?/, "")))))
    subcommands.set(chain, new Set(node.commands.map(({ name }) => name)))
    for (const one of node.commands) walk(one, `${chain} ${one.name}`.trim())
  }
  for (const one of tree.root.commands) {
    commands.add(one.name)
    walk(one, one.name)
  }
  return { commands, flags, subcommands }
})()

const everywhere = new Set(["help", "version", "log-level", "completions"])

/** Why leap would not take this command line, or null. */
const problemOf = (line: string): string | null => {
  const { commands, flags, subcommands } = leap
  const [own = ""] = line.split(/ --(?: |$)/)
  const words = own.split(/\s+/).slice(1)
  const [first] = words
  if (first === undefined || first.startsWith("-") || first === "…") return null
  if (!commands.has(first) && !isTag(words, commands)) return `'${first}' is no command`
  const command = commands.has(first) ? first : "start"
  const subs = subcommands.get(command)
  const second = words[1] ?? ""
  const namesIn = (word = "") =>
    word
      .replaceAll(/[[\]]/g, "")
      .split("|")
      .filter((name) => /^[a-z]+$/.test(name))
  const named = namesIn(second)
  if (/\|/.test(second) && subs !== undefined) {
    const odd = named.find((word) => !subs.has(word))
    if (odd !== undefined) return `'${odd}' is no '${command}' command`
  }
  const below = named.map((word) => `${command} ${word}`)
  const chains = [command, ...below, ...below.flatMap((chain) => namesIn(words[2]).map((word) => `${chain} ${word}`))]
  const known = new Set([...everywhere, ...chains.flatMap((chain) => [...(flags.get(chain) ?? [])])])
  const texts = own.replaceAll(/"[^"]*"|'[^']*'/g, "")
  const odd = [...texts.matchAll(/(?<![\w-])--([a-z][\w-]*)/g)]
    .map(([, name = ""]) => name)
    .find((name) => !known.has(name))
  return odd === undefined ? null : `'leap ${command}' has no --${odd}`
}

describe("the documents", () => {
  it("README has 150 lines at most", () => assert.isAtMost(textOf("README.md").split("\n").length, 150))

  it("README begins with what leap is, how it is installed and what is typed first; contributors' commands are last", () => {
    const readme = textOf("README.md")
    assert.deepStrictEqual(
      [...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
      [
        "Install",
        "Five commands",
        "What leap knows",
        "What leap promises",
        "As a library",
        "Documents",
        "Limits",
        "Development"
      ]
    )
    const [before = "", install = ""] = readme.split(/^## /m)
    // three sentences, a picture, for whom; then the ways to have it, and one line more
    assert.isAtMost(before.split("\n").length, 12)
    assert.match(install, /^Install\n[^]*npm link[^]*npm start[^]*leap-0\.1\.0\.tgz[^]*install\.sh/)
    const contributors = /npm (?:test|run (?:gate|thorough|check|bench|score))\b/
    assert.notMatch(readme.slice(0, readme.indexOf("## Development")), contributors)
    assert.match(readme.slice(readme.indexOf("## Development")), contributors)
  })

  it("README's moving picture is drawn from the recording beside it, is small, and neither runs nor fetches anything", async () => {
    const svg = textOf("docs/pictures/main-job.svg")
    assert.include(textOf("README.md"), "(docs/pictures/main-job.svg)")
    assert.strictEqual(svg, await mainJob(textOf("docs/pictures/main-job.cast")), "npm run screenshots -- main-job")
    assert.isAtMost(Buffer.byteLength(svg), 150_000)
    assert.notMatch(svg, /<script|<foreignObject|\son\w+=|(?:href|src)="[^#]|url\(|@import/)
    // where nothing moves, it is the dialog that is shown
    const still = [...svg.matchAll(/<use href="#(\w+)"[^>]*class="k/g)].map(([, name]) => name)
    const drawn = (name: string | undefined) => svg.split(`<g id="${name}">`)[1]?.split("</g>")[0] ?? ""
    assert.include(still.map(drawn).join(""), "Do you want to create")
  })

  it("the page of commands has each under the purpose that help lists it by", () => {
    const sections = textOf("docs/commands.md").split(/^## /m)
    const titles = sections.map((section) => section.split("\n")[0])
    assert.deepStrictEqual(
      titles.slice(1, 1 + commandGroups.length),
      commandGroups.map(({ title }) => title)
    )
    for (const [i, group] of commandGroups.entries()) {
      // the command lines are in the first column
      const first = (sections[i + 1] ?? "").split("\n").flatMap((row) => /^\| ((?:\\\||[^|])*)\|/.exec(row)?.[1] ?? [])
      const named = new Set(first.flatMap((cell) => [...cell.matchAll(/`leap ([a-z]+)/g)].map(([, name = ""]) => name)))
      const starts = first.some((cell) => cell.startsWith("`leap <tag>"))
      assert.sameMembers([...named, ...(starts ? ["start"] : [])], [...commandsOf(group)], group.title)
    }
  })

  it("each link between them leads to a file, and to a heading where it names one", () => {
    const broken = documents.flatMap((file) => {
      const text = textOf(file).replaceAll(/^```.*?^```/gms, "")
      return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
        if (/^https?:/.test(link)) return []
        const [to = "", anchor] = link.split("#")
        const target = to === "" ? file : path.join(path.dirname(file), to)
        if (!fs.existsSync(path.join(root, target))) return [`${file}: ${link}`]
        return anchor === undefined || anchorsOf(textOf(target)).has(anchor) ? [] : [`${file}: ${link} (no heading)`]
      })
    })
    assert.deepStrictEqual(broken, [])
  })

  it("each page is one that README leads to", () => {
    const linked = new Set([...textOf("README.md").matchAll(/\]\((docs\/[^)#]+)/g)].map(([, to]) => to))
    assert.deepStrictEqual(
      documents.filter((file) => file !== "README.md" && !linked.has(file)),
      []
    )
  })

  it("each command line in them is one that leap takes", () => {
    for (const mistyped of ["leap sendd x", "leap statuss", "leap send x --wiat"]) assert.isNotNull(problemOf(mistyped))
    assert.isNull(problemOf("leap send x --wait"))
    const lines = documents.flatMap((file) => commandLines(textOf(file)).map((line) => ({ file, line })))
    assert.isAbove(lines.length, 100)
    const wrong = lines.flatMap(({ file, line }) => {
      const problem = problemOf(line)
      return problem === null ? [] : [`${file}: ${line}: ${problem}`]
    })
    assert.deepStrictEqual(wrong, [])
  })
})

/** All texts that name commands to people: documents, examples, and what leap itself says. */
const allTexts: ReadonlyArray<string> = [
  ...documents,
  ...["src", "examples", "hooks", "scripts"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|mjs|cjs|sh|md|json)$/.test(name))
      .map((name) => `${folder}/${name}`)
  ),
  "package.json",
  "CHANGELOG.md",
  "CONTRIBUTING.md"
]

const fetching =
  /\b(npm (?:install|i|add|exec|init)|npx|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx?(?: add)?)((?: +[\w@.:/-]+)+)/g

/** The packages that the commands of a text fetch; of one that runs a package, that one alone. */
const fetched = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(fetching)].flatMap(([, verb = "", words = ""]) => {
    const names = words
      .trim()
      .split(/ +/)
      .filter((word) => /^@?[a-z]/.test(word))
    return /npx|exec|dlx|bunx/.test(verb) ? names.slice(0, 1) : names
  })

describe("a command that fetches a package", () => {
  it("names none that others could publish in leap's name, in any text", () => {
    const known = new Set([
      "effect",
      "@effect/platform-node",
      "@modelcontextprotocol/inspector",
      "@biomejs/biome",
      "@slack/web-api",
      "@slack/socket-mode",
      ...registrations.flatMap(({ identity }) =>
        [...identity.installHint.matchAll(/npm install -g (\S+)/g)].map(([, name = ""]) => name)
      )
    ])
    const suspect = (text: string) => fetched(text).filter((name) => /leap|^@/.test(name) && !known.has(name))
    assert.deepStrictEqual(
      allTexts.flatMap((file) => suspect(textOf(file)).map((name) => `${file}: ${name}`)),
      []
    )
    for (const line of [
      "npm install -g leap-cli",
      "npm install leap@npm:leap-cli effect",
      "npx leap",
      "npm i @leap/cli"
    ])
      assert.isNotEmpty(suspect(line), line)
    assert.isEmpty(suspect("npm install ./leap-0.1.0.tgz effect; npx @modelcontextprotocol/inspector leap mcp"))
    assert.notMatch(textOf("scripts/pack/manifest.mjs"), /publishConfig|leap-cli/)
  })
})
