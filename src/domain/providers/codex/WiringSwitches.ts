import { Result } from "effect"
import * as Toml from "../../words/formats/TomlEdit.ts"
import {
  booleanOf,
  type HookSwitches,
  lastValue,
  optionValues,
  type SwitchPlace,
  upwards
} from "../../cli/wiring/HookSwitches.ts"
import { codexHome } from "./Identity.ts"

const system = "/etc/codex/config.toml"
const requirements = "/etc/codex/requirements.toml"
/** The older managed settings, which override all other layers. */
const managed = "/etc/codex/managed_config.toml"

const names = ["hooks", "codex_hooks"] as const

const valuesOf = (text: string): unknown => {
  const tree = Toml.parse(text)
  return Result.isSuccess(tree) ? tree.success.value : null
}

const featureIn = (value: unknown, path: ReadonlyArray<string>): boolean | undefined =>
  names.map((name) => booleanOf(Toml.valueAt(value, [...path, "features", name]))).find((it) => it !== undefined)

/** Whether a directory's project is trusted: by its own entry, else by that of the nearest parent. */
const isTrusted = (user: unknown, directory: string): boolean => {
  const level = upwards(directory)
    .map((path) => Toml.valueAt(user, ["projects", path, "trust_level"]))
    .find((it) => it !== undefined)
  return level === "trusted"
}

/** `-c features.hooks=false`, then `--enable hooks`, then `--disable hooks`: the last counts, wherever it stands. */
const byArguments = (args: SwitchPlace["args"]): ReadonlyArray<{ readonly where: string; readonly value: boolean }> => [
  ...optionValues(args, "-c", "--config").flatMap((set) => {
    const [key = "", value = ""] = set.split("=", 2).map((part) => part.trim())
    return names.some((name) => key === `features.${name}`) && (value === "false" || value === "true")
      ? [{ where: `-c ${key}`, value: value === "true" }]
      : []
  }),
  ...optionValues(args, "--enable")
    .filter((name) => names.some((it) => it === name))
    .map((name) => ({ where: `--enable ${name}`, value: true })),
  ...optionValues(args, "--disable")
    .filter((name) => names.some((it) => it === name))
    .map((name) => ({ where: `--disable ${name}`, value: false }))
]

/** What disables Codex's hooks: the feature in the last layer that contains it, or an organisation's requirements. */
export const switches: HookSwitches = {
  files: ({ directory, env }) => [
    system,
    `${codexHome(env)}/config.toml`,
    ...upwards(directory)
      .toReversed()
      .map((path) => `${path}/.codex/config.toml`)
      .filter((path) => path !== `${codexHome(env)}/config.toml`),
    managed,
    requirements
  ],
  off: ({ args, directory, env }, texts) => {
    const all = texts.map(({ path, text }) => ({ path, value: valuesOf(text) }))
    const userFile = `${codexHome(env)}/config.toml`
    const user = all.find(({ path }) => path === userFile || path.endsWith(`/${userFile}`))
    const profile = optionValues(args, "--profile", "-p").at(-1) ?? Toml.valueAt(user?.value, ["profile"])
    const trusted = isTrusted(user?.value, directory)
    const valueIn = (file: string) => all.find(({ path }) => path === file)?.value
    const required = valueIn(requirements)
    const layers = all
      .filter(
        (one) => one.path !== requirements && one.path !== managed && (one.path === system || one === user || trusted)
      )
      .flatMap((one) => [
        { where: one.path, value: featureIn(one.value, []) },
        ...(one === user && typeof profile === "string"
          ? [{ where: `profile ${profile} in ${one.path}`, value: featureIn(one.value, ["profiles", profile]) }]
          : [])
      ])
    const said = lastValue([
      ...layers,
      ...byArguments(args),
      { where: `${managed}, which is managed`, value: featureIn(valueIn(managed), []) }
    ])
    return [
      ...(Toml.valueAt(required, ["allow_managed_hooks_only"]) === true
        ? [`allow_managed_hooks_only in ${requirements}, which is managed`]
        : []),
      ...(featureIn(required, []) === false ? [`features.hooks is off in ${requirements}, which is managed`] : []),
      ...(said?.value === false ? [`features.hooks is off in ${said.where}`] : []),
      ...(args.includes("--ignore-user-config") ? ["--ignore-user-config leaves out the trust in leap's hooks"] : [])
    ]
  }
}
