import { Effect, Layer } from "effect"
import { bodyOf, type Notice } from "../../domain/surfaces/notify/Notice.ts"
import type { PushTarget } from "../../domain/store/settings/PushTarget.ts"
import { NoticeChannels } from "../../services/NoticeChannels.ts"
import { System } from "../../services/System.ts"
import { programEnd } from "./programEnd.ts"
import { which } from "./which.ts"
import { PostError } from "../../services/PostError.ts"

type Environment = Readonly<Record<string, string>>

/** A program that shows notices on a desktop. It gets texts as separate arguments, never as a line of a shell. */
interface Desktop {
  readonly command: string
  readonly args: (notice: Notice) => ReadonlyArray<string>
}

const timeout = 5_000

const desktops: Readonly<Record<"linux" | "mac", Desktop>> = {
  linux: {
    command: "notify-send",
    args: (notice) => [
      "--app-name=leap",
      `--urgency=${notice.kind === "needs" || notice.kind === "failed" ? "critical" : "normal"}`,
      "--",
      notice.title,
      // the body is read as markup
      bodyOf(notice).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    ]
  },
  mac: {
    command: "osascript",
    args: (notice) => [
      ...["on run words", "display notification (item 2 of words) with title (item 1 of words)", "end run"].flatMap(
        (line) => ["-e", line]
      ),
      notice.title,
      bodyOf(notice)
    ]
  }
}

/** The desktop of this environment, or why there is none. */
const desktopOf = (env: Environment, platform: string): Desktop | string => {
  if (platform === "darwin") return desktops.mac
  return env["WAYLAND_DISPLAY"] || env["DISPLAY"] || env["DBUS_SESSION_BUS_ADDRESS"]
    ? desktops.linux
    : "this process is on no desktop (neither DISPLAY nor WAYLAND_DISPLAY is set)"
}

/** The user sits at the desktop, and the program that shows notices on it can be run. */
const hasDesktop = (env: Environment, platform: string): boolean => {
  const found = desktopOf(env, platform)
  const isFar = Boolean(env["SSH_CONNECTION"] || env["SSH_TTY"])
  return typeof found !== "string" && !isFar && which(found.command, env, "/")._tag === "Program"
}

const desktop = (env: Environment, platform: string) =>
  Effect.fn("NoticeChannels.desktop")(function* (notice: Notice) {
    const failed = (why: string) => new PostError({ why, again: false })
    const found = desktopOf(env, platform)
    if (typeof found === "string") return yield* failed(found)
    const { error } = yield* programEnd(found.command, found.args(notice), { env, timeout })
    if (error === null) return
    return yield* failed(
      error.code === "ENOENT"
        ? `${found.command} is not installed`
        : error.killed === true
          ? `${found.command} did not end within ${timeout / 1_000} s`
          : `${found.command} failed (exit code ${error.code ?? "unknown"})`
    )
  })

/** For a process of this environment on this system. */
export const layerFrom = (env: Environment, platform: string): Layer.Layer<NoticeChannels> =>
  Layer.succeed(NoticeChannels, {
    hasDesktop: Effect.sync(() => hasDesktop(env, platform)),
    desktop: desktop(env, platform),
    // most processes post nothing, so the code for it is loaded on first use
    post: (notice: Notice, target: PushTarget) =>
      Effect.flatMap(
        Effect.promise(() => import("./NoticeChannelsNodePost.ts")),
        ({ post }) => post(notice, target, env)
      )
  })

export const layer: Layer.Layer<NoticeChannels, never, System> = Layer.unwrap(
  Effect.map(System, ({ env }) => layerFrom(env, process.platform))
)
