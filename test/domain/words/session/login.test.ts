import { assert, describe, it } from "@effect/vitest"
import { linkOf, loginOf, loginPlaces, newest } from "../../../../src/domain/words/session/login.ts"

describe("the places of a login", () => {
  it.each<readonly [env: Readonly<Record<string, string>>, login: Readonly<Record<string, string>>]>([
    [{}, {}],
    [{ SSH_AUTH_SOCK: "/tmp/ssh-x/agent.1" }, { SSH_AUTH_SOCK: "/tmp/ssh-x/agent.1" }],
    [{ SSH_AUTH_SOCK: "" }, {}],
    [{ SSH_AUTH_SOCK: "agent" }, {}],
    [{ WAYLAND_DISPLAY: "wayland-0", XDG_RUNTIME_DIR: "/run/user/7" }, { WAYLAND_DISPLAY: "/run/user/7/wayland-0" }],
    [{ WAYLAND_DISPLAY: "/w/wayland-1", XDG_RUNTIME_DIR: "/run/user/7" }, { WAYLAND_DISPLAY: "/w/wayland-1" }],
    [{ WAYLAND_DISPLAY: "wayland-0" }, {}],
    [{ XAUTHORITY: "/run/user/7/xauth_1", DISPLAY: ":0" }, { XAUTHORITY: "/run/user/7/xauth_1" }],
    [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/7/bus" }, { DBUS_SESSION_BUS_ADDRESS: "/run/user/7/bus" }],
    [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-1,guid=0af1" }, { DBUS_SESSION_BUS_ADDRESS: "/tmp/dbus-1" }],
    [{ DBUS_SESSION_BUS_ADDRESS: "unix:abstract=/tmp/dbus-1" }, {}],
    [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/a;tcp:host=x" }, {}]
  ])("in %j are %j", (env, login) => {
    assert.deepStrictEqual(loginOf(env), login)
  })

  it("have a link each that is no longer than the session's socket", () => {
    const links = loginPlaces.map((place) => linkOf("/s/sessions/one/host.sock", place))
    assert.lengthOf(new Set(links), loginPlaces.length)
    for (const link of links) assert.match(link, /^\/s\/sessions\/one\/host\.[a-z]{3,4}$/)
    for (const place of loginPlaces) assert.strictEqual(place.pathOf(place.valueOf("/a/b"), {}), "/a/b")
  })

  it("are remembered, the newest first, each once", () => {
    assert.deepStrictEqual(newest(["/a", "/b"], "/b"), ["/b", "/a"])
    assert.deepStrictEqual(newest(["/a"], "/c"), ["/c", "/a"])
    assert.lengthOf(
      newest(
        Array.from({ length: 30 }, (_, i) => `/${i}`),
        "/new"
      ),
      8
    )
  })
})
