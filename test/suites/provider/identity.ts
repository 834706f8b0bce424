import { assert } from "@effect/vitest"
import { Schema } from "effect"
import { type CliIdentity, identify } from "../../../src/domain/cli/provider/Identity.ts"
import { environmentOf } from "../../../src/domain/cli/provider/Launch.ts"
import { versionIn } from "../../../src/domain/cli/provider/versionText.ts"
import { examined, type It } from "./examined.ts"

const fields = Object.keys(identify({ id: "", displayName: "", binary: "", installHint: "" })) as ReadonlyArray<
  keyof CliIdentity
>

const isLine = (text: string): boolean => text.trim() === text && text !== "" && !/\p{Cc}/u.test(text)

/** What it is called and how it is started. */
export const identity = (it: It, known: CliIdentity) => {
  it.effect("is called what the registry says of it before it is loaded", () =>
    examined((provider) => {
      for (const field of fields) assert.deepStrictEqual(provider[field], known[field], field)
    })
  )

  it.effect("has an id for commands and files, and names and versions for people", () =>
    examined(({ base, binary, checkedVersion, displayName, id, installHint, versionArgs }) => {
      for (const name of [id, base]) assert.match(name, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
      assert.match(binary, /^[A-Za-z0-9._-]+$/)
      for (const line of [displayName, installHint]) assert.isTrue(isLine(line), line)
      assert.isNotEmpty(versionArgs)
      for (const word of versionArgs) assert.match(word, /^\S+$/)
      if (checkedVersion !== null) assert.strictEqual(versionIn(`it is ${checkedVersion} (said it)`), checkedVersion)
    })
  )

  it.effect.prop(
    "is started with the user's arguments, in their order",
    { args: Schema.Array(Schema.String), home: Schema.String },
    ({ args, home }) =>
      examined((provider) => {
        const env = { HOME: home, PATH: "/bin" }
        const launch = provider.launch({ args, env, self: ["/bin/node", "/opt/leap.js"] })
        if (provider.takesCommand) {
          assert.deepStrictEqual([launch.command, ...launch.args], args.length === 0 ? [provider.binary] : args)
          return
        }
        assert.strictEqual(launch.command, provider.bundled ? "/bin/node" : provider.binary)
        const found = launch.args.reduce((at, arg) => (args[at] === arg ? at + 1 : at), 0)
        assert.strictEqual(found, args.length, JSON.stringify(launch.args))
        for (const name of Object.keys(launch.env)) assert.match(name, /^[A-Za-z_][A-Za-z0-9_]*$/)
        assert.strictEqual(environmentOf(provider, { env, self: [] })["PATH"], "/bin")
      })
  )

  it.effect("keeps a session's transcript and status files in places of its own", () =>
    examined(({ ownStatus, transcript }) => {
      const env = { HOME: "/home/me" }
      const paths = [transcript?.(env, "s1"), ownStatus?.directory(env)].filter((path) => path !== undefined)
      assert.isTrue(
        paths.every((path) => /^\/home\/me\/[^\0]*[^/]$/.test(path)),
        paths.join(" ")
      )
      if (transcript !== undefined) assert.include(transcript(env, "s1"), "s1")
    })
  )
}
